package io.albis.trino.changes;

import com.google.common.collect.ImmutableList;
import io.albis.format.delete.DeletedPositions;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * The rows of one row group that a version has deleted or inserted.
 */
final class RowGroupChanges
        implements Closeable
{
    private final ConnectorPageSource source;
    private final int columns;
    private final Optional<DeletedPositions> selected;
    private final List<Block> changeValues;

    /**
     * @param source rows with the columns of the table and, if positions are selected, the positions after them
     * @param columns number of columns of the table
     * @param selected positions of the rows to return; empty for all rows of the source
     * @param changeValues values of the columns that describe the change
     */
    RowGroupChanges(ConnectorPageSource source, int columns, Optional<DeletedPositions> selected, List<Block> changeValues)
    {
        this.source = requireNonNull(source, "source is null");
        this.columns = columns;
        this.selected = requireNonNull(selected, "selected is null");
        this.changeValues = ImmutableList.copyOf(changeValues);
    }

    /**
     * Returns the next rows.
     *
     * @return null if there are no more rows, or none yet
     */
    @Nullable
    Page next()
    {
        SourcePage page = source.getNextSourcePage();
        if (page == null || !select(page)) {
            return null;
        }
        Block[] blocks = new Block[columns + changeValues.size()];
        for (int column = 0; column < columns; column++) {
            blocks[column] = page.getBlock(column);
        }
        ChangeColumns.fill(blocks, changeValues, page.getPositionCount());
        return new Page(page.getPositionCount(), blocks);
    }

    /**
     * Selects rows before their other columns are read.
     *
     * @return whether there are any
     */
    private boolean select(SourcePage page)
    {
        if (selected.isEmpty()) {
            return true;
        }
        DeletedPositions wanted = selected.get();
        Block positions = page.getBlock(columns);
        int[] rows = new int[positions.getPositionCount()];
        int count = 0;
        for (int row = 0; row < rows.length; row++) {
            if (wanted.contains(toIntExact(BIGINT.getLong(positions, row)))) {
                rows[count] = row;
                count++;
            }
        }
        if (count > 0 && count < rows.length) {
            page.selectPositions(rows, 0, count);
        }
        return count > 0;
    }

    boolean isFinished()
    {
        return source.isFinished();
    }

    CompletableFuture<?> isBlocked()
    {
        return source.isBlocked();
    }

    @Override
    public void close()
            throws IOException
    {
        source.close();
    }
}
