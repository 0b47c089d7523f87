package io.albis.trino.sink;

import io.airlift.stats.CounterStat;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

/**
 * Statistics about the row groups that this node has written, whether or not they were committed.
 */
public class WriteStats
{
    private final CounterStat rowGroups = new CounterStat();
    private final CounterStat bytesWritten = new CounterStat();
    private final CounterStat rewrittenRowGroups = new CounterStat();
    private final CounterStat rewrittenBytes = new CounterStat();
    private final CounterStat abortedWriters = new CounterStat();

    public void finished(int newRowGroups, long bytes)
    {
        rowGroups.update(newRowGroups);
        bytesWritten.update(bytes);
    }

    /**
     * Counts new instances of column groups of row groups that exist.
     */
    public void rewritten(int changedRowGroups, long bytes)
    {
        rewrittenRowGroups.update(changedRowGroups);
        rewrittenBytes.update(bytes);
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
     * Returns the counter of the row groups of which columns were updated in place or regrouped.
     */
    @Managed
    @Nested
    public CounterStat getRewrittenRowGroups()
    {
        return rewrittenRowGroups;
    }

    /**
     * Returns the counter of the bytes of their new column groups.
     */
    @Managed
    @Nested
    public CounterStat getRewrittenBytes()
    {
        return rewrittenBytes;
    }

    /**
     * Returns the counter of the writers of failed queries and retried tasks, whose files were removed.
     */
    @Managed
    @Nested
    public CounterStat getAbortedWriters()
    {
        return abortedWriters;
    }
}
