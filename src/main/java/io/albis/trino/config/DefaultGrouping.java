package io.albis.trino.config;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * How columns are grouped that the table property {@code column_groups} does not name.
 */
public enum DefaultGrouping
{
    /**
     * Each column is a group of its own, with files of its own.
     */
    COLUMN,
    /**
     * All of them are one group: few files, of which a query still reads just what it names in the block layout.
     */
    TABLE,
    /**/;

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
