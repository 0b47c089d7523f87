package io.albis.trino.read;

import io.airlift.stats.CounterStat;
import io.airlift.stats.TimeStat;
import io.albis.format.scan.ReaderMetrics;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Statistics about the data that the scans of this node have read and skipped. They are updated when a split has been
 * read.
 */
public class ScanStats
{
    private final CounterStat splits = new CounterStat();
    private final CounterStat segments = new CounterStat();
    private final CounterStat segmentsSkipped = new CounterStat();
    private final CounterStat runsSkipped = new CounterStat();
    private final CounterStat rows = new CounterStat();
    private final CounterStat rowsSkipped = new CounterStat();
    private final CounterStat rowsExcluded = new CounterStat();
    private final CounterStat bytesRead = new CounterStat();
    private final CounterStat reads = new CounterStat();
    private final TimeStat readTime = new TimeStat(MILLISECONDS);

    public void add(ReaderMetrics metrics)
    {
        splits.update(1);
        segments.update(metrics.segments());
        segmentsSkipped.update(metrics.segmentsSkipped());
        runsSkipped.update(metrics.runsSkipped());
        rows.update(metrics.rows());
        rowsSkipped.update(metrics.rowsSkipped());
        rowsExcluded.update(metrics.rowsExcluded());
        bytesRead.update(metrics.bytesRead());
        reads.update(metrics.reads());
        readTime.add(metrics.readNanos(), NANOSECONDS);
    }

    @Managed
    @Nested
    public CounterStat getSplits()
    {
        return splits;
    }

    /**
     * Returns the number of segments that were not skipped.
     */
    @Managed
    @Nested
    public CounterStat getSegments()
    {
        return segments;
    }

    /**
     * Returns the number of segments that were skipped because of their bounds.
     */
    @Managed
    @Nested
    public CounterStat getSegmentsSkipped()
    {
        return segmentsSkipped;
    }

    /**
     * Returns the number of runs of the other segments that were skipped because of their bounds.
     */
    @Managed
    @Nested
    public CounterStat getRunsSkipped()
    {
        return runsSkipped;
    }

    /**
     * Returns the number of rows in the segments that were not skipped.
     */
    @Managed
    @Nested
    public CounterStat getRows()
    {
        return rows;
    }

    /**
     * Returns the number of rows in these segments that filters removed.
     */
    @Managed
    @Nested
    public CounterStat getRowsSkipped()
    {
        return rowsSkipped;
    }

    /**
     * Returns the number of rows that indexes excluded before any column was read.
     */
    @Managed
    @Nested
    public CounterStat getRowsExcluded()
    {
        return rowsExcluded;
    }

    @Managed
    @Nested
    public CounterStat getBytesRead()
    {
        return bytesRead;
    }

    /**
     * Requests to storage.
     */
    @Managed
    @Nested
    public CounterStat getReads()
    {
        return reads;
    }

    /**
     * Returns the total duration of the storage requests of each split.
     */
    @Managed
    @Nested
    public TimeStat getReadTime()
    {
        return readTime;
    }
}
