package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;

import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Columns of a table that stand together in one file.
 *
 * @param layout how their values stand there
 * @param columns ids of at least one column, in the order in which they stand there
 */
public record TableColumnGroup(AlbisLayout layout, List<Integer> columns)
{
    public TableColumnGroup
    {
        requireNonNull(layout, "layout is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "a column group has at least one column");
    }

    /**
     * @param columnsById all columns of the table
     */
    public AlbisColumnGroup toAlbisColumnGroup(Map<Integer, AlbisColumn> columnsById)
    {
        ImmutableList.Builder<AlbisColumn> group = ImmutableList.builderWithExpectedSize(columns.size());
        for (Integer id : columns) {
            group.add(columnsById.get(id));
        }
        return AlbisColumnGroup.make(layout, group.build());
    }
}
