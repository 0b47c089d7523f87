package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.airlift.slice.Slice;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.ReaderMetrics;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RewritePlan;
import io.albis.format.update.RowUpdates;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.trino.fragment.WriteFragments;
import io.albis.trino.handle.RegroupHandle;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Writes the columns of some row groups again in other column groups, one row group after the other.
 */
public final class RowGroupRegrouper
        implements Closeable
{
    private static final Logger log = Logger.get(RowGroupRegrouper.class);

    private final TrinoFileSystem fileSystem;
    private final RegroupHandle handle;
    private final Location tableFolder;
    private final RowGroupSchema schema;
    private final Iterator<RowGroup> rowGroups;
    private final WriteStats stats;
    private final List<RowGroup> written = new ArrayList<>();

    // null between two row groups
    private ColumnRewriter rewriter;
    private List<PartitionValue> partition = ImmutableList.of();
    private long completedRows;
    private long completedBytes;
    private long readNanos;
    private boolean finished;

    RowGroupRegrouper(TrinoFileSystem fileSystem, RegroupHandle handle, List<RowGroup> rowGroups, WriteStats stats)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.handle = requireNonNull(handle, "handle is null");
        this.tableFolder = Location.of(handle.target().folder());
        this.schema = handle.target().schema();
        this.rowGroups = ImmutableList.copyOf(rowGroups).iterator();
        this.stats = requireNonNull(stats, "stats is null");
    }

    /**
     * Writes the rows of one batch. The caller can do other work before the next one.
     *
     * @return false if all row groups are written
     */
    public boolean advance()
            throws IOException
    {
        if (rewriter == null) {
            if (!rowGroups.hasNext()) {
                return false;
            }
            open(rowGroups.next());
            return true;
        }
        try {
            if (!rewriter.copyNext()) {
                // the columns keep their values, so the row group keeps its partition
                RowGroup result = rewriter.finish().withPartition(partition);
                // known before anything else can fail, so that close() removes the files
                written.add(result);
                completedRows += result.rows();
                closeRewriter();
            }
        }
        catch (SegmentTooLargeException e) {
            log.debug(e, "The row group keeps its column groups");
            rewriter.abort(e);
            closeRewriter();
        }
        return true;
    }

    private void open(RowGroup rowGroup)
            throws IOException
    {
        partition = rowGroup.partition();
        RewritePlan plan = RewritePlan.ofGrouping(rowGroup, schema, handle.target().writerOptions(), handle.all());
        rewriter = ColumnRewriter.open(
                fileSystem,
                tableFolder,
                rowGroup,
                plan.columnGroups(),
                plan.options(),
                ImmutableList.of(),
                new RowUpdates(),
                handle.target().writeId()::newId);
    }

    private void closeRewriter()
            throws IOException
    {
        ColumnRewriter open = rewriter;
        rewriter = null;
        ReaderMetrics metrics = open.metrics();
        completedBytes += metrics.bytesRead();
        readNanos += metrics.readNanos();
        open.close();
    }

    /**
     * Returns fragments with the new column groups. The files remain.
     */
    public List<Slice> finish()
    {
        finished = true;
        TableRows regrouped = new TableRows(written, ColumnSketches.NONE);
        stats.rewritten(written.size(), regrouped.bytes());
        return WriteFragments.encodeRewritten(regrouped);
    }

    public long completedRows()
    {
        return completedRows;
    }

    public long completedBytes()
    {
        return completedBytes + (rewriter == null ? 0 : rewriter.metrics().bytesRead());
    }

    public long readNanos()
    {
        return readNanos + (rewriter == null ? 0 : rewriter.metrics().readNanos());
    }

    public long memoryUsage()
    {
        return rewriter == null ? 0 : rewriter.memoryUsage();
    }

    /**
     * Removes the files as far as possible, unless the work is finished.
     */
    @Override
    public void close()
            throws IOException
    {
        if (finished) {
            return;
        }
        finished = true;
        stats.aborted();
        try {
            if (rewriter != null) {
                IOException reason = new IOException("The files of a row group are not complete");
                rewriter.abort(reason);
                if (reason.getSuppressed().length > 0) {
                    log.warn(reason, "Cannot remove files of row groups that are not written");
                }
                closeRewriter();
            }
        }
        finally {
            RewrittenFiles.remove(fileSystem, tableFolder, written);
        }
    }
}
