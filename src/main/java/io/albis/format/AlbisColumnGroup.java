package io.albis.format;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Columns whose values stand together in one file (Albis paper, section 3 and Table 4).
 *
 * @param columns at least one, in the order of their slots in a row
 */
public record AlbisColumnGroup(List<AlbisColumn> columns)
{
    public AlbisColumnGroup
    {
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "a column group has at least one column");
    }

    public static AlbisColumnGroup make(AlbisColumn... columns)
    {
        return new AlbisColumnGroup(ImmutableList.copyOf(columns));
    }

    public static AlbisColumnGroup make(List<AlbisColumn> columns)
    {
        return new AlbisColumnGroup(columns);
    }
}
