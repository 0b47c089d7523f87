package io.albis.trino.read;

import io.airlift.stats.CounterStat;
import io.airlift.stats.TimeStat;
import io.albis.format.scan.ReaderMetrics;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * What was read and what could be left out by the scans of this node, counted when a split has been read.
 */
public class ScanStats
{
    private final CounterStat splits = new CounterStat();
    private final CounterStat segments = new CounterStat();
    private final CounterStat segmentsSkipped = new CounterStat();
    private final CounterStat rows = new CounterStat();
    private final CounterStat rowsSkipped = new CounterStat();
    private final CounterStat bytesRead = new CounterStat();
    private final CounterStat reads = new CounterStat();
    private final TimeStat readTime = new TimeStat(MILLISECONDS);

    public void add(ReaderMetrics metrics)
    {
        splits.update(1);
        segments.update(metrics.segments());
        segmentsSkipped.update(metrics.segmentsSkipped());
        rows.update(metrics.rows());
        rowsSkipped.update(metrics.rowsSkipped());
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
     * Segments of which anything was looked at.
     */
    @Managed
    @Nested
    public CounterStat getSegments()
    {
        return segments;
    }

    /**
     * Segments that bounds excluded.
     */
    @Managed
    @Nested
    public CounterStat getSegmentsSkipped()
    {
        return segmentsSkipped;
    }

    /**
     * Rows of the segments that were looked at.
     */
    @Managed
    @Nested
    public CounterStat getRows()
    {
        return rows;
    }

    /**
     * Those of them that filters took out.
     */
    @Managed
    @Nested
    public CounterStat getRowsSkipped()
    {
        return rowsSkipped;
    }

    @Managed
    @Nested
    public CounterStat getBytesRead()
    {
        return bytesRead;
    }

    /**
     * Requests to the storage.
     */
    @Managed
    @Nested
    public CounterStat getReads()
    {
        return reads;
    }

    /**
     * How long the storage took for the requests of a split, all of them together.
     */
    @Managed
    @Nested
    public TimeStat getReadTime()
    {
        return readTime;
    }
}
