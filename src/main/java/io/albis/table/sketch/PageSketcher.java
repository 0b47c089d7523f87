package io.albis.table.sketch;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.NestedTypes;
import io.trino.spi.Page;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Builds the sketches of all columns for one writer, except those of nested types, which have none. It is not
 * thread-safe.
 */
public final class PageSketcher
{
    private final HashBatch batch = new HashBatch();
    // empty for a column of a nested type
    private final List<Optional<ColumnSketcher>> columns;

    public PageSketcher(List<AlbisColumn> columns)
    {
        this.columns = columns.stream()
                .map(column -> NestedTypes.isNested(column.type()) ? Optional.<ColumnSketcher>empty() : Optional.of(new ColumnSketcher(column, batch)))
                .collect(toImmutableList());
    }

    /**
     * Adds the rows of a page.
     *
     * @param page page with one channel for each column, in the order of the columns
     */
    public void append(Page page)
    {
        checkArgument(page.getChannelCount() == columns.size(), "the page has %s channels, but %s columns were expected", page.getChannelCount(), columns.size());
        for (int channel = 0; channel < columns.size(); channel++) {
            if (columns.get(channel).isPresent()) {
                columns.get(channel).get().append(page.getBlock(channel));
            }
        }
    }

    /**
     * Returns the sketches of all rows that were added.
     */
    public ColumnSketches finish()
    {
        return ColumnSketches.of(columns.stream()
                .flatMap(Optional::stream)
                .map(ColumnSketcher::finish)
                .collect(toImmutableList()));
    }

    /**
     * Returns the size in memory, in bytes.
     */
    public long retainedSize()
    {
        long size = batch.retainedSize();
        for (Optional<ColumnSketcher> column : columns) {
            size += column.map(ColumnSketcher::retainedSize).orElse(0L);
        }
        return size;
    }
}
