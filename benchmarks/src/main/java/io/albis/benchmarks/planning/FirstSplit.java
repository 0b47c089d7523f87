package io.albis.benchmarks.planning;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notes when the first split of a query is opened. It is for one query at a time.
 */
public final class FirstSplit
{
    private static final long NONE = Long.MIN_VALUE;

    private final AtomicLong nanoTime = new AtomicLong(NONE);

    public void reset()
    {
        nanoTime.set(NONE);
    }

    void opened()
    {
        nanoTime.compareAndSet(NONE, System.nanoTime());
    }

    /**
     * Returns the time of the first split since the reset, as {@link System#nanoTime()}, or empty if there was none.
     */
    public OptionalLong nanoTime()
    {
        long first = nanoTime.get();
        return first == NONE ? OptionalLong.empty() : OptionalLong.of(first);
    }
}
