package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.airlift.log.Logger;
import io.airlift.slice.Slice;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.ReaderMetrics;
import io.albis.format.scan.StoredIndexes;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RewritePlan;
import io.albis.format.update.RowUpdates;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.trino.fragment.WriteFragments;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.ColumnRewriteHandle;
import io.albis.trino.handle.IndexHandle;
import io.albis.trino.handle.RegroupHandle;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Writes columns of the row groups of a unit again, in other column groups or with other indexes, one row group after
 * the other.
 */
public final class UnitRewriter
        implements Closeable
{
    private static final Logger log = Logger.get(UnitRewriter.class);

    private final TrinoFileSystem fileSystem;
    private final ColumnRewriteHandle handle;
    private final Location tableFolder;
    private final Function<RowGroup, RewritePlan> planner;
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

    UnitRewriter(TrinoFileSystem fileSystem, ColumnRewriteHandle handle, List<RowGroup> rowGroups, WriteStats stats)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.handle = requireNonNull(handle, "handle is null");
        this.tableFolder = Location.of(handle.target().folder());
        this.planner = handle.planner();
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
            RowGroup next = rowGroups.next();
            if (isNecessary(next)) {
                open(next);
            }
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
            log.debug(e, "The row group keeps its files");
            rewriter.abort(e);
            closeRewriter();
        }
        return true;
    }

    /**
     * Returns whether a row group of the plan is written. Its entry does not contain its indexes, so the plan may
     * contain row groups that need no change.
     */
    private boolean isNecessary(RowGroup rowGroup)
            throws IOException
    {
        return switch (handle) {
            case IndexHandle index -> !index.isTooLarge(rowGroup) && !hasIndexes(rowGroup, index);
            case RegroupHandle _ -> true;
        };
    }

    /**
     * Returns whether a row group already has the requested indexes, or none that it must not have.
     */
    private boolean hasIndexes(RowGroup rowGroup, IndexHandle index)
            throws IOException
    {
        List<AlbisColumn> columns = index.target().columns().stream()
                .filter(column -> index.columnIds().contains(column.id()))
                .map(AlbisColumnHandle::toColumn)
                .collect(toImmutableList());
        StoredIndexes indexes = StoredIndexes.read(fileSystem, tableFolder, rowGroup, columns);
        if (index.drop()) {
            return indexes.columnIds().isEmpty();
        }
        return indexes.usable().containsAll(Sets.intersection(index.columnIds(), ImmutableSet.copyOf(rowGroup.columnIds())));
    }

    private void open(RowGroup rowGroup)
            throws IOException
    {
        partition = rowGroup.partition();
        RewritePlan plan = planner.apply(rowGroup);
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
