package io.albis.format.update;

import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * Writes new instances of some column groups of a row group, in which some rows have new values. The other values come
 * from the old instances. The rows keep their positions, and the segments their rows, so that the new instances fit to
 * the column groups that are not written. A deleted row is null in the new instances, because nobody reads its values
 * any more.
 */
public final class ColumnRewriter
{
    private static final int DELETED = -1;
    private static final int UNCHANGED = -1;

    private final List<AlbisColumn> columns;
    // for each column, its index in the updates, or UNCHANGED
    private final int[] updatedColumns;
    private final long rows;
    private final RowUpdates.Ordered updates;

    // The rows that are written next: the row of the batch or DELETED, and the index of the update or UNCHANGED
    private final int[] oldRows = new int[Run.MAX_ROWS];
    private final int[] newRows = new int[Run.MAX_ROWS];
    private int size;
    // position of the next row, and index of the next update
    private long position;
    private int nextUpdate;

    private ColumnRewriter(RowGroup rowGroup, List<AlbisColumn> columns, List<Integer> updatedColumns, RowUpdates updates)
    {
        this.columns = columns;
        this.updatedColumns = columns.stream()
                .mapToInt(column -> updatedColumns.indexOf(column.id()))
                .toArray();
        this.rows = rowGroup.rows();
        this.updates = updates.ordered();
    }

    /**
     * Writes new instances. If this fails, it deletes them as far as possible.
     *
     * @param rowGroup the row group with its deleted rows
     * @param columnGroups the column groups to write, each with the columns and the layout of one of the row group
     * @param options options of the writer, with the compressions of these column groups
     * @param updatedColumns ids of the columns of the updates
     * @param updates new values of rows that are not deleted
     * @param ids supplies ids of column groups that are never used again
     * @return the row group with only the new instances and the statistics of their columns
     */
    public static RowGroup rewrite(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            RowGroup rowGroup,
            List<AlbisColumnGroup> columnGroups,
            WriterOptions options,
            List<Integer> updatedColumns,
            RowUpdates updates,
            Supplier<UUID> ids)
            throws IOException
    {
        List<AlbisColumn> columns = columnGroups.stream()
                .flatMap(group -> group.columns().stream())
                .collect(toImmutableList());
        List<Integer> columnIds = columns.stream().map(AlbisColumn::id).collect(toImmutableList());
        checkArgument(columnIds.containsAll(updatedColumns), "columns %s do not include all updated columns: %s", columnIds, updatedColumns);
        ColumnRewriter rewriter = new ColumnRewriter(rowGroup, columns, updatedColumns, updates);
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, tableFolder, rowGroup, RowGroupScan.of(columns, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            RowGroupWriter writer = RowGroupWriter.ofExisting(fileSystem, tableFolder, rowGroup.id(), reader.segmentRows(), new RowGroupSchema(columns, columnGroups), options, ids);
            try {
                rewriter.copy(reader, writer);
                return writer.finish();
            }
            catch (Throwable e) {
                writer.abort(e);
                throw e;
            }
        }
    }

    private void copy(RowGroupReader reader, RowGroupWriter writer)
            throws IOException
    {
        for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
            Block positions = batch.positions();
            for (int row = 0; row < batch.positionCount(); row++) {
                long live = BIGINT.getLong(positions, row);
                while (position < live) {
                    add(DELETED, batch, writer);
                }
                add(row, batch, writer);
            }
            flush(batch, writer);
        }
        while (position < rows) {
            add(DELETED, null, writer);
        }
        flush(null, writer);
        checkState(nextUpdate == updates.count(), "%s of %s updated rows are deleted or do not exist", updates.count() - nextUpdate, updates.count());
    }

    private void add(int oldRow, AlbisBatch batch, RowGroupWriter writer)
            throws IOException
    {
        boolean updated = nextUpdate < updates.count() && updates.position(nextUpdate) == position;
        checkState(!updated || oldRow != DELETED, "the updated row at position %s is deleted", position);
        oldRows[size] = oldRow;
        newRows[size] = updated ? nextUpdate++ : UNCHANGED;
        size++;
        position++;
        if (size == oldRows.length) {
            flush(batch, writer);
        }
    }

    private void flush(AlbisBatch batch, RowGroupWriter writer)
            throws IOException
    {
        if (size == 0) {
            return;
        }
        ValueBlock[] blocks = new ValueBlock[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = merge(column, batch);
        }
        int written = writer.append(blocks, 0, size);
        checkState(written == size, "%s of %s rows were written", written, size);
        size = 0;
    }

    private ValueBlock merge(int column, AlbisBatch batch)
            throws IOException
    {
        BlockBuilder builder = columns.get(column).type().createBlockBuilder(null, size);
        int updatedColumn = updatedColumns[column];
        // The column is not read from storage if all of its rows have new values
        Block old = null;
        for (int i = 0; i < size; i++) {
            if (oldRows[i] == DELETED) {
                builder.appendNull();
            }
            else if (updatedColumn != UNCHANGED && newRows[i] != UNCHANGED) {
                updates.append(newRows[i], updatedColumn, builder);
            }
            else {
                if (old == null) {
                    old = batch.block(column);
                }
                builder.append(old.getUnderlyingValueBlock(), old.getUnderlyingValuePosition(oldRows[i]));
            }
        }
        return builder.buildValueBlock();
    }
}
