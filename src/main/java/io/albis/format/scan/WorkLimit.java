package io.albis.format.scan;

/**
 * How much a reader does before it returns control to the engine, which may have other splits to read, or a query to cancel.
 * Work is counted in bytes that are looked at, so that it does not depend on the clock.
 */
final class WorkLimit
{
    /**
     * About a millisecond of filtering: the engine's own work for an empty page is little beside it.
     */
    static final long MAX_WORK = 1 << 22;
    /**
     * To look at the bounds of a segment.
     */
    static final int SEGMENT = 1 << 13;

    private long work;

    void reset()
    {
        work = 0;
    }

    void add(long bytes)
    {
        work += bytes;
    }

    boolean isUsedUp()
    {
        return work >= MAX_WORK;
    }
}
