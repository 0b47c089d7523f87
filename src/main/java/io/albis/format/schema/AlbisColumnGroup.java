package io.albis.format.schema;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Columns whose values are stored together in one file (Albis paper, section 3 and Table 4).
 *
 * @param layout how the values are arranged in the file
 * @param columns at least one column, in the order in which they are stored
 */
public record AlbisColumnGroup(AlbisLayout layout, List<AlbisColumn> columns)
{
    public AlbisColumnGroup
    {
        requireNonNull(layout, "layout is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "a column group must have at least one column");
        for (AlbisColumn column : columns) {
            checkArgument(!column.isPart(), "%s is a part of a column, which is only stored together with the others", column.name());
        }
    }

    /**
     * Creates a column group in the block layout.
     */
    public static AlbisColumnGroup make(AlbisColumn... columns)
    {
        return make(ImmutableList.copyOf(columns));
    }

    /**
     * Creates a column group in the block layout.
     */
    public static AlbisColumnGroup make(List<AlbisColumn> columns)
    {
        return make(AlbisLayout.BLOCK, columns);
    }

    /**
     * Creates a column group in the given layout.
     */
    public static AlbisColumnGroup make(AlbisLayout layout, AlbisColumn... columns)
    {
        return make(layout, ImmutableList.copyOf(columns));
    }

    /**
     * Creates a column group in the given layout.
     */
    public static AlbisColumnGroup make(AlbisLayout layout, List<AlbisColumn> columns)
    {
        return new AlbisColumnGroup(layout, columns);
    }
}
