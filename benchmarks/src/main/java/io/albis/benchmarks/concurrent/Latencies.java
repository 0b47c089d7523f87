package io.albis.benchmarks.concurrent;

import com.google.common.primitives.Longs;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The times of the statements of one kind, which several clients add at the same time.
 */
class Latencies
{
    private final List<Long> nanos = new ArrayList<>();
    private long conflicts;

    public synchronized void add(long nanos)
    {
        this.nanos.add(nanos);
    }

    public synchronized void addConflict()
    {
        conflicts++;
    }

    public synchronized int count()
    {
        return nanos.size();
    }

    /**
     * Adds the figures of the statements.
     *
     * @param elapsed time in which all of them ran
     */
    public synchronized Figures addTo(Figures figures, long elapsed)
    {
        long[] sorted = Longs.toArray(nanos);
        Arrays.sort(sorted);
        return figures
                .with(Figure.RATE, Math.round(1e12 * sorted.length / elapsed))
                .with(Figure.MEDIAN_LATENCY, percentile(sorted, 50))
                .with(Figure.TAIL_LATENCY, percentile(sorted, 99))
                .with(Figure.CONFLICTS, conflicts);
    }

    /**
     * Returns the least value that a part of all values do not exceed.
     */
    static long percentile(long[] sorted, int percent)
    {
        checkArgument(sorted.length > 0, "there are no values");
        int rank = (int) Math.ceilDiv((long) sorted.length * percent, 100L);
        return sorted[Math.max(1, rank) - 1];
    }
}
