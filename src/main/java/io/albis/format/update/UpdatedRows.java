package io.albis.format.update;

import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * Reads all columns of updated rows: the new values of the updated columns, and the old values of the others.
 */
public final class UpdatedRows
{
    private final List<AlbisColumn> columns;
    private final List<Integer> updatedColumns;
    private final RowUpdates.Ordered updates;
    private final RowUpdates.BatchConsumer consumer;
    private int nextUpdate;

    private UpdatedRows(List<AlbisColumn> columns, List<Integer> updatedColumns, RowUpdates updates, RowUpdates.BatchConsumer consumer)
    {
        this.columns = columns;
        this.updatedColumns = updatedColumns;
        this.updates = updates.ordered();
        this.consumer = consumer;
    }

    /**
     * Passes the updated rows on, in the order of their positions.
     *
     * @param rowGroup the row group with its deleted rows
     * @param columns the columns to pass on; one that the row group does not have is null
     * @param updatedColumns ids of the columns of the updates
     * @param updates new values of rows that are not deleted
     */
    public static void read(
            TrinoFileSystem fileSystem,
            Location tableFolder,
            RowGroup rowGroup,
            List<AlbisColumn> columns,
            List<Integer> updatedColumns,
            RowUpdates updates,
            RowUpdates.BatchConsumer consumer)
            throws IOException
    {
        UpdatedRows rows = new UpdatedRows(columns, updatedColumns, updates, consumer);
        List<AlbisColumn> others = columns.stream()
                .filter(column -> !updatedColumns.contains(column.id()))
                .collect(toImmutableList());
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, tableFolder, rowGroup, RowGroupScan.of(others, TupleDomain.all()), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                rows.read(batch);
            }
        }
        checkState(rows.nextUpdate == updates.count(), "%s of %s updated rows are deleted or do not exist", updates.count() - rows.nextUpdate, updates.count());
    }

    private void read(AlbisBatch batch)
            throws IOException
    {
        Block positions = batch.positions();
        int first = nextUpdate;
        int[] selected = new int[batch.positionCount()];
        int[] updatedPositions = new int[batch.positionCount()];
        int size = 0;
        for (int row = 0; row < selected.length && nextUpdate < updates.count(); row++) {
            if (updates.position(nextUpdate) == BIGINT.getLong(positions, row)) {
                selected[size] = row;
                updatedPositions[size] = (int) updates.position(nextUpdate);
                size++;
                nextUpdate++;
            }
        }
        if (size == 0) {
            return;
        }
        batch.selectPositions(selected, 0, size);
        List<Block> blocks = new ArrayList<>();
        int channel = 0;
        for (AlbisColumn column : columns) {
            int updatedColumn = updatedColumns.indexOf(column.id());
            blocks.add(updatedColumn < 0 ? batch.block(channel++) : newValues(column, updatedColumn, first, size));
        }
        consumer.accept(Arrays.copyOf(updatedPositions, size), blocks.toArray(Block[]::new));
    }

    private Block newValues(AlbisColumn column, int updatedColumn, int first, int size)
    {
        BlockBuilder builder = column.type().createBlockBuilder(null, size);
        for (int i = 0; i < size; i++) {
            updates.append(first + i, updatedColumn, builder);
        }
        return builder.build();
    }
}
