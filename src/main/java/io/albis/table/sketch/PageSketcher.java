package io.albis.table.sketch;

import io.albis.format.schema.AlbisColumn;
import io.trino.spi.Page;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Makes the sketches of all columns of one writer.
 */
public final class PageSketcher
{
    private final HashBatch batch = new HashBatch();
    private final List<ColumnSketcher> columns;

    public PageSketcher(List<AlbisColumn> columns)
    {
        this.columns = columns.stream()
                .map(column -> new ColumnSketcher(column, batch))
                .collect(toImmutableList());
    }

    /**
     * @param page a channel for each column, in their order
     */
    public void append(Page page)
    {
        checkArgument(page.getChannelCount() == columns.size(), "the page has %s channels for %s columns", page.getChannelCount(), columns.size());
        for (int channel = 0; channel < columns.size(); channel++) {
            columns.get(channel).append(page.getBlock(channel));
        }
    }

    public ColumnSketches finish()
    {
        return ColumnSketches.of(columns.stream()
                .map(ColumnSketcher::finish)
                .collect(toImmutableList()));
    }

    public long retainedSize()
    {
        long size = batch.retainedSize();
        for (ColumnSketcher column : columns) {
            size += column.retainedSize();
        }
        return size;
    }
}
