package io.albis.table.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Validates the columns and column groups of a table, whether they come from a user or from storage.
 */
final class ColumnChecks
{
    private ColumnChecks() {}

    /**
     * Checks that ids and names of the columns are unique, and that each column is in exactly one column group.
     *
     * @throws IllegalArgumentException if the columns or column groups are not valid
     */
    static void check(List<TableColumn> columns, List<TableColumnGroup> columnGroups)
    {
        checkArgument(!columns.isEmpty(), "a table must have at least one column");
        Map<Integer, TableColumn> ids = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (TableColumn column : columns) {
            checkArgument(ids.put(column.id(), column) == null, "two columns have the id %s", column.id());
            checkArgument(names.add(column.name()), "two columns have the name %s", column.name());
        }
        Set<Integer> grouped = new HashSet<>();
        for (TableColumnGroup group : columnGroups) {
            for (int id : group.columns()) {
                checkArgument(ids.containsKey(id), "a column group has the column with id %s, which the table does not have", id);
                checkArgument(grouped.add(id), "the column with id %s is in column groups twice", id);
            }
        }
        List<String> ungrouped = columns.stream()
                .filter(column -> !grouped.contains(column.id()))
                .map(TableColumn::name)
                .collect(toImmutableList());
        checkArgument(ungrouped.isEmpty(), "columns %s are not in any column group", ungrouped);
    }
}
