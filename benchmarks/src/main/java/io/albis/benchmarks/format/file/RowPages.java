package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Builds pages from rows that are read one by one.
 */
abstract class RowPages
        implements Pages
{
    private final NumberColumn[] columns;

    protected RowPages(List<Column> columns, Scan scan)
    {
        checkArgument(scan.equals(Scan.all(columns.size())), "only whole tables can be read");
        this.columns = columns.stream()
                .map(column -> new NumberColumn(column.type()))
                .toArray(NumberColumn[]::new);
    }

    /**
     * Appends a value or a null to each column.
     *
     * @return false if there are no more rows
     */
    protected abstract boolean readRow(NumberColumn[] columns)
            throws IOException;

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        int rows = 0;
        while (rows < NumberColumn.PAGE_ROWS && readRow(columns)) {
            rows++;
        }
        if (rows == 0) {
            return null;
        }
        Block[] blocks = new Block[columns.length];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = columns[channel].build();
        }
        return new Page(rows, blocks);
    }
}
