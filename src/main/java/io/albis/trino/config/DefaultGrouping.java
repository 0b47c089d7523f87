package io.albis.trino.config;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Grouping of the columns that the table property {@code column_groups} does not name.
 */
public enum DefaultGrouping
{
    /**
     * Each column is a group of its own, and has its own files.
     */
    COLUMN,
    /**
     * All columns are one group. The table has few files, and in the block layout a query still reads only the columns
     * that it needs.
     */
    TABLE,
    /**/;

    /**
     * Splits columns into groups, in their order.
     *
     * @return no group if there are no columns
     */
    public <T> List<List<T>> group(List<T> columns)
    {
        if (columns.isEmpty()) {
            return ImmutableList.of();
        }
        return switch (this) {
            case COLUMN -> columns.stream()
                    .map(ImmutableList::of)
                    .collect(toImmutableList());
            case TABLE -> ImmutableList.of(ImmutableList.copyOf(columns));
        };
    }
}
