package io.albis.format.schema;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Columns whose values stand together in one file (Albis paper, section 3 and Table 4).
 *
 * @param layout how the values stand there
 * @param columns at least one, in the order in which they stand there
 */
public record AlbisColumnGroup(AlbisLayout layout, List<AlbisColumn> columns)
{
    public AlbisColumnGroup
    {
        requireNonNull(layout, "layout is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "a column group has at least one column");
    }

    /**
     * A group in the block layout.
     */
    public static AlbisColumnGroup make(AlbisColumn... columns)
    {
        return make(ImmutableList.copyOf(columns));
    }

    /**
     * A group in the block layout.
     */
    public static AlbisColumnGroup make(List<AlbisColumn> columns)
    {
        return make(AlbisLayout.BLOCK, columns);
    }

    public static AlbisColumnGroup make(AlbisLayout layout, AlbisColumn... columns)
    {
        return make(layout, ImmutableList.copyOf(columns));
    }

    public static AlbisColumnGroup make(AlbisLayout layout, List<AlbisColumn> columns)
    {
        return new AlbisColumnGroup(layout, columns);
    }
}
