package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The definition of a table in CREATE TABLE.
 *
 * @param columns columns in the order of the table, at least one
 * @param columnGroups column groups; every column is in exactly one
 * @param properties properties by name, as the versions of the table store them
 * @param comment comment of the user; empty if there is none
 * @param location absolute folder in which the folder of the table is created; empty for the folder of the schema
 */
public record TableDefinition(
        List<TableColumn> columns,
        List<TableColumnGroup> columnGroups,
        Map<String, String> properties,
        Optional<String> comment,
        Optional<String> location)
{
    public TableDefinition
    {
        columns = ImmutableList.copyOf(columns);
        columnGroups = ImmutableList.copyOf(columnGroups);
        properties = ImmutableMap.copyOf(properties);
        requireNonNull(comment, "comment is null");
        requireNonNull(location, "location is null");
        ColumnChecks.check(columns, columnGroups);
    }

    /**
     * Returns the definition with other column ids, in the same order.
     *
     * @param lastColumnId number by which each id increases
     */
    public TableDefinition withColumnIdsAfter(int lastColumnId)
    {
        return new TableDefinition(
                columns.stream()
                        .map(column -> column.withId(column.id() + lastColumnId))
                        .collect(toImmutableList()),
                columnGroups.stream()
                        .map(group -> new TableColumnGroup(
                                group.layout(),
                                group.columns().stream()
                                        .map(id -> id + lastColumnId)
                                        .collect(toImmutableList()),
                                group.compression()))
                        .collect(toImmutableList()),
                IndexedColumns.withIncreasedIds(PartitionFields.withIncreasedIds(SortColumns.withIncreasedIds(properties, lastColumnId), lastColumnId), lastColumnId),
                comment,
                location);
    }
}
