package io.albis.format.scan;

/**
 * Limits the work that a reader does before it returns control to the engine, which may have other splits to process or
 * a query to cancel. Work is measured in bytes that are processed, so that it does not depend on the clock.
 */
final class WorkLimit
{
    /**
     * The limit in bytes, which takes about a millisecond to filter. The engine's overhead for an empty page is small
     * compared to that.
     */
    static final long MAX_WORK = 1 << 22;
    /**
     * The work of comparing the bounds of a segment with the filters, in bytes.
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
