package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RowUpdates;
import io.albis.format.update.SegmentTooLargeException;
import io.albis.format.update.UpdatedRows;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.PageSketcher;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.UpdateOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;

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
 * Writes new instances of the column groups that a statement updates, and decides for which row groups this is better
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
     *
     * @param rowGroup the row group as the statement has read it
     * @param columnGroups the column groups that must be written
     * @param writerOptions options for these column groups
     * @param bytes size of their old instances; 0 for columns that the row group does not store yet
     */
    record Candidate(RowGroup rowGroup, List<AlbisColumnGroup> columnGroups, WriterOptions writerOptions, long bytes) {}

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
     * Returns a row group, unless its updated columns are in column groups that the table no longer has. Columns that
     * were added to the table later get a new column group.
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
        ImmutableList.Builder<AlbisColumnGroup> columnGroups = ImmutableList.builder();
        ImmutableList.Builder<Compression> compressions = ImmutableList.builder();
        long bytes = 0;
        for (int i = 0; i < schema.columnGroups().size(); i++) {
            AlbisColumnGroup columnGroup = schema.columnGroups().get(i);
            List<Integer> ids = columnGroup.columns().stream().map(AlbisColumn::id).collect(toImmutableList());
            if (ids.stream().noneMatch(options.columns()::contains)) {
                continue;
            }
            List<ColumnGroupInstance> instances = rowGroup.columnGroupsWith(ids);
            if (!instances.isEmpty() && !hasColumns(instances, ids)) {
                return Optional.empty();
            }
            columnGroups.add(columnGroup);
            compressions.add(target.writerOptions().compression(i));
            for (ColumnGroupInstance instance : instances) {
                bytes += instance.dataBytes() + instance.metadataBytes();
            }
        }
        return Optional.of(new Candidate(rowGroup, columnGroups.build(), target.writerOptions().withColumnGroupCompressions(compressions.build()), bytes));
    }

    /**
     * Returns whether a row group stores columns together and without others, apart from those that were dropped.
     */
    private boolean hasColumns(List<ColumnGroupInstance> instances, List<Integer> columnIds)
    {
        return instances.size() == 1 && instances.getFirst().columnIds().stream()
                .filter(id -> schema.columns().stream().anyMatch(column -> column.id() == id))
                .collect(toImmutableList())
                .equals(columnIds);
    }

    /**
     * Returns whether a statement that updates at least a number of rows should write new instances: if it updates
     * enough rows, and if this writes no more bytes than new rows with all columns.
     */
    boolean isBetter(Candidate candidate, long updatedRows)
    {
        double share = (double) updatedRows / candidate.rowGroup().liveRows();
        return share > options.rewriteThreshold() && candidate.bytes() <= share * candidate.rowGroup().bytes();
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
                    candidate.rowGroup(),
                    candidate.columnGroups(),
                    candidate.writerOptions(),
                    options.columns(),
                    updates,
                    target.writeId()::newId);
        }
        catch (SegmentTooLargeException e) {
            log.debug(e, "The updated rows are written as new rows");
            return false;
        }
        rewritten.add(written);
        updates.forEach((_, columns) -> sketcher.append(new Page(columns)));
        return true;
    }

    /**
     * Passes the updated rows with all columns of the table on.
     *
     * @param updates new values of the updated columns
     */
    void readUpdated(Candidate candidate, RowUpdates updates, RowUpdates.BatchConsumer consumer)
            throws IOException
    {
        UpdatedRows.read(fileSystem, tableFolder, candidate.rowGroup(), schema.columns(), options.columns(), updates, consumer);
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
        try {
            fileSystem.deleteFiles(RollingRowGroupWriter.files(tableFolder, rewritten));
        }
        catch (IOException | RuntimeException e) {
            // not thrown: the files belong to no table, and the user needs the reason why the query failed
            log.warn(e, "Cannot remove the column groups of a failed write");
        }
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
