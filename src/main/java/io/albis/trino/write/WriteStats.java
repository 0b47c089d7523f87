package io.albis.trino.write;

import io.airlift.stats.CounterStat;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

/**
 * What the writers of this node wrote, whether or not it was committed.
 */
public class WriteStats
{
    private final CounterStat rowGroups = new CounterStat();
    private final CounterStat bytesWritten = new CounterStat();
    private final CounterStat abortedWriters = new CounterStat();

    public void finished(int newRowGroups, long bytes)
    {
        rowGroups.update(newRowGroups);
        bytesWritten.update(bytes);
    }

    public void aborted()
    {
        abortedWriters.update(1);
    }

    @Managed
    @Nested
    public CounterStat getRowGroups()
    {
        return rowGroups;
    }

    @Managed
    @Nested
    public CounterStat getBytesWritten()
    {
        return bytesWritten;
    }

    /**
     * Writers of queries that failed or of tasks that were tried again; what they wrote was removed.
     */
    @Managed
    @Nested
    public CounterStat getAbortedWriters()
    {
        return abortedWriters;
    }
}
