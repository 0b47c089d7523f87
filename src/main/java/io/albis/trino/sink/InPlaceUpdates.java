package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RewritePlan;
import io.albis.format.update.RowUpdates;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.format.update.UpdatedRows;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.UpdateOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Suppliers.memoize;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Writes new instances of the columns that a statement updates, and decides for which row groups this is better
 * than to write the updated rows as new rows.
 */
final class InPlaceUpdates
{
    private static final Logger log = Logger.get(InPlaceUpdates.class);

    private final TrinoFileSystem fileSystem;
    private final AlbisWritableTableHandle target;
    private final Location tableFolder;
    private final RowGroupSchema schema;
    private final UpdateOptions options;
    private final Supplier<Map<UUID, RowGroup>> rowGroups;
    private final WriteStats stats;
    private final PageSketcher sketcher;
    private final List<RowGroup> rewritten = new ArrayList<>();

    /**
     * A row group whose columns can be updated in place.
     */
    static final class Candidate
    {
        private final RowGroup rowGroup;
        // made only if enough rows are updated, because this may read metadata
        @Nullable
        private RewritePlan plan;

        private Candidate(RowGroup rowGroup)
        {
            this.rowGroup = requireNonNull(rowGroup, "rowGroup is null");
        }

        /**
         * Returns the number of rows that the statement can update.
         */
        long liveRows()
        {
            return rowGroup.liveRows();
        }
    }

    /**
     * @param rowGroups the row groups that the statement reads, by their ids
     */
    InPlaceUpdates(TrinoFileSystem fileSystem, AlbisWritableTableHandle target, UpdateOptions options, Supplier<Map<UUID, RowGroup>> rowGroups, WriteStats stats)
    {
        this.stats = requireNonNull(stats, "stats is null");
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.target = requireNonNull(target, "target is null");
        this.tableFolder = Location.of(target.folder());
        this.schema = target.schema();
        this.options = requireNonNull(options, "options is null");
        this.rowGroups = memoize(rowGroups::get);
        this.sketcher = new PageSketcher(updatedColumns());
    }

    private List<AlbisColumn> updatedColumns()
    {
        return options.columns().stream()
                .map(id -> schema.columns().get(channel(id)))
                .collect(toImmutableList());
    }

    /**
     * Returns the channels of the columns that the statement may change.
     */
    int[] updatedChannels()
    {
        return options.columns().stream()
                .mapToInt(this::channel)
                .toArray();
    }

    private int channel(int columnId)
    {
        for (int channel = 0; channel < schema.columns().size(); channel++) {
            if (schema.columns().get(channel).id() == columnId) {
                return channel;
            }
        }
        throw new IllegalArgumentException("%s has no column with the id %s".formatted(target, columnId));
    }

    /**
     * Returns a row group, or empty if all updated rows are written as new rows.
     */
    Optional<Candidate> find(UUID rowGroupId)
    {
        if (!options.canRewrite()) {
            return Optional.empty();
        }
        RowGroup rowGroup = rowGroups.get().get(rowGroupId);
        if (rowGroup == null) {
            throw new IllegalArgumentException("row group %s is not in the version that the statement reads".formatted(rowGroupId));
        }
        return Optional.of(new Candidate(rowGroup));
    }

    /**
     * Returns whether a statement that updates at least a number of rows should write new instances: if it updates
     * enough rows, and if this writes no more bytes than new rows with all columns.
     */
    boolean isBetter(Candidate candidate, long updatedRows)
            throws IOException
    {
        double share = (double) updatedRows / candidate.liveRows();
        return share > options.rewriteThreshold() && plan(candidate).bytes() <= share * candidate.rowGroup.currentBytes();
    }

    private RewritePlan plan(Candidate candidate)
            throws IOException
    {
        if (candidate.plan == null) {
            candidate.plan = RewritePlan.of(fileSystem, tableFolder, candidate.rowGroup, schema, target.writerOptions(), options.columns());
        }
        return candidate.plan;
    }

    /**
     * Writes new instances.
     *
     * @param updates new values of the updated columns
     * @return false if segments would get too large. Nothing was written then
     */
    boolean rewrite(Candidate candidate, RowUpdates updates)
            throws IOException
    {
        RowGroup written;
        try {
            written = ColumnRewriter.rewrite(
                    fileSystem,
                    tableFolder,
                    candidate.rowGroup,
                    plan(candidate).columnGroups(),
                    plan(candidate).options(),
                    options.columns(),
                    updates,
                    target.writeId()::newId);
        }
        catch (SegmentTooLargeException e) {
            log.debug(e, "The updated rows are written as new rows");
            return false;
        }
        rewritten.add(written.withPartition(partition(candidate.rowGroup)));
        updates.forEach((_, columns) -> sketcher.append(new Page(columns)));
        return true;
    }

    /**
     * Returns the values of the partition that the rows still have. The columns of which they were made can be among
     * the columns that are written again without a change.
     */
    private List<PartitionValue> partition(RowGroup rowGroup)
    {
        boolean moves = rowGroup.partition().stream().anyMatch(value -> options.columns().contains(value.columnId()));
        return moves ? ImmutableList.of() : rowGroup.partition();
    }

    /**
     * Passes the updated rows with all columns of the table on.
     *
     * @param updates new values of the updated columns
     */
    void readUpdated(Candidate candidate, RowUpdates updates, RowUpdates.BatchConsumer consumer)
            throws IOException
    {
        UpdatedRows.read(fileSystem, tableFolder, candidate.rowGroup, schema.columns(), options.columns(), updates, consumer);
    }

    /**
     * Returns the row groups with only their new instances, and sketches of the new values.
     */
    TableRows finish()
    {
        stats.rewritten(rewritten.size(), writtenBytes());
        return new TableRows(rewritten, sketcher.finish());
    }

    /**
     * Removes the files that were written.
     */
    void abort()
    {
        RewrittenFiles.remove(fileSystem, tableFolder, rewritten);
    }

    long writtenBytes()
    {
        long bytes = 0;
        for (RowGroup rowGroup : rewritten) {
            bytes += rowGroup.bytes();
        }
        return bytes;
    }
}
