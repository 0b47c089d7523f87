package io.albis.format.scan;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which columns of a scan were asked for where rows were left: what its readers read before they are asked to. Thread safe.
 */
public final class ScanHistory
{
    // a column is expected until it was passed over in so many segments without being asked for in one
    private static final int PATIENCE = 2;

    private final AtomicIntegerArray expected;
    // how many segments in a row had rows left in all runs
    private volatile int fullSegments;

    public ScanHistory(int channels)
    {
        expected = new AtomicIntegerArray(channels);
    }

    boolean isExpected(int channel)
    {
        return expected.get(channel) > 0;
    }

    void asked(int channel)
    {
        // looked at first, so that the processors need not take the line away from each other
        if (expected.get(channel) != PATIENCE) {
            expected.set(channel, PATIENCE);
        }
    }

    /**
     * Filters were evaluated in a segment.
     */
    void selected(int runsWithRows, int runs)
    {
        if (runsWithRows < runs) {
            fullSegments = 0;
        }
        else if (fullSegments < PATIENCE) {
            // that two threads count at once does no harm
            fullSegments = fullSegments + 1;
        }
    }

    /**
     * Whether filters drop rows, and still all runs are needed.
     */
    boolean leavesFewRunsOut()
    {
        return fullSegments >= PATIENCE;
    }

    /**
     * Rows of a segment were handed out, and nobody asked for the column.
     */
    void passedOver(int channel)
    {
        int patience = expected.get(channel);
        if (patience > 0) {
            expected.compareAndSet(channel, patience, patience - 1);
        }
    }
}
