package io.albis.format.schema;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The columns of a row group and how they are grouped into files (Albis paper, section 3).
 *
 * @param columns at least one column, in the order of the table, with unique names and ids
 * @param columnGroups column groups that contain each column exactly once
 */
public record RowGroupSchema(List<AlbisColumn> columns, List<AlbisColumnGroup> columnGroups)
{
    public RowGroupSchema
    {
        columns = ImmutableList.copyOf(columns);
        columnGroups = ImmutableList.copyOf(columnGroups);
        checkArgument(!columns.isEmpty(), "a schema must have at least one column");
        Set<String> names = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (AlbisColumn column : columns) {
            checkArgument(names.add(column.name()), "duplicate column name: %s", column.name());
            checkArgument(column.id() != AlbisColumn.UNASSIGNED, "column %s has no id", column.name());
            checkArgument(ids.add(column.id()), "duplicate column id: %s", column.id());
        }
        List<AlbisColumn> grouped = columnGroups.stream()
                .flatMap(group -> group.columns().stream())
                .collect(toImmutableList());
        checkArgument(
                grouped.size() == columns.size() && ImmutableSet.copyOf(grouped).equals(ImmutableSet.copyOf(columns)),
                "column groups %s must contain each of the columns %s exactly once",
                columnGroups,
                columns);
    }
}
