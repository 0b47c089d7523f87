package io.albis.format.scan;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Records which columns a scan has requested for selected rows. The readers of the scan use it to decide what to read
 * before it is requested. Thread safe.
 */
public final class ScanHistory
{
    // A column is expected until it has not been requested in this many consecutive segments.
    private static final int PATIENCE = 2;

    private final AtomicIntegerArray expected;
    private final boolean learns;
    // number of consecutive segments with selected rows in all runs
    private volatile int fullSegments;

    public ScanHistory(int channels)
    {
        this(channels, true);
    }

    private ScanHistory(int channels, boolean learns)
    {
        this.expected = new AtomicIntegerArray(channels);
        this.learns = learns;
    }

    /**
     * Creates the history of a scan that always requests one column, and the others for few of the selected rows, so
     * that it is not worth to read them before.
     */
    public static ScanHistory only(int channels, int channel)
    {
        ScanHistory history = new ScanHistory(channels, false);
        history.expected.set(channel, PATIENCE);
        return history;
    }

    /**
     * Returns whether a column is likely to be requested.
     */
    boolean isExpected(int channel)
    {
        return expected.get(channel) > 0;
    }

    /**
     * Records that a column was requested.
     */
    void requested(int channel)
    {
        // Reading first avoids contention on the cache line between processors.
        if (learns && expected.get(channel) != PATIENCE) {
            expected.set(channel, PATIENCE);
        }
    }

    /**
     * Records that filters were evaluated in a segment.
     */
    void selected(int runsWithRows, int runs)
    {
        if (!learns || runsWithRows < runs) {
            fullSegments = 0;
        }
        else if (fullSegments < PATIENCE) {
            // a lost update of a concurrent thread does no harm
            fullSegments = fullSegments + 1;
        }
    }

    /**
     * Returns whether all runs of the last segments had selected rows, although filters were evaluated.
     */
    boolean needsAllRuns()
    {
        return fullSegments >= PATIENCE;
    }

    /**
     * Records that rows of a segment were returned and a column was not requested for them.
     */
    void notRequested(int channel)
    {
        int patience = expected.get(channel);
        if (learns && patience > 0) {
            expected.compareAndSet(channel, patience, patience - 1);
        }
    }
}
