package io.albis.trino.sink;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.log.Logger;
import io.albis.format.delete.DeletesWriter;
import io.trino.spi.connector.ConnectorPageSink;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * The files of one merge sink. A {@link java.lang.ref.Cleaner} runs this after the engine has dropped the sink, so it
 * must not refer to the sink.
 */
final class MergeSinkFiles
        implements Runnable
{
    private static final Logger log = Logger.get(MergeSinkFiles.class);

    private final ConnectorPageSink inserts;
    private final DeletesWriter deletes;
    private final InPlaceUpdates inPlace;

    @GuardedBy("this")
    private boolean finished;
    @GuardedBy("this")
    private boolean aborted;

    /**
     * @param inserts writes new rows
     * @param deletes writes the deleted rows
     * @param inPlace writes new instances of column groups
     */
    MergeSinkFiles(ConnectorPageSink inserts, DeletesWriter deletes, InPlaceUpdates inPlace)
    {
        this.inserts = requireNonNull(inserts, "inserts is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
        this.inPlace = requireNonNull(inPlace, "inPlace is null");
    }

    ConnectorPageSink inserts()
    {
        return inserts;
    }

    DeletesWriter deletes()
    {
        return deletes;
    }

    InPlaceUpdates inPlace()
    {
        return inPlace;
    }

    /**
     * Keeps the files, because the commit may refer to them.
     */
    synchronized void finish()
    {
        finished = true;
    }

    /**
     * Closes and removes the files of a sink that did not finish.
     */
    @Override
    public synchronized void run()
    {
        if (!finished) {
            abort();
        }
    }

    /**
     * Closes and removes the files.
     */
    synchronized void abort()
    {
        if (aborted) {
            return;
        }
        aborted = true;
        inserts.abort();
        inPlace.abort();
        try {
            deletes.abort();
        }
        catch (IOException | RuntimeException e) {
            // not thrown: the file belongs to no table, and the user needs the reason why the query failed
            log.warn(e, "Cannot remove the deletes file of a failed write");
        }
    }
}
