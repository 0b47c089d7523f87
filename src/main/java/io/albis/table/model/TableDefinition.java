package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What a user asks for in CREATE TABLE.
 *
 * @param columns in the order of the table; at least one
 * @param columnGroups every column is in exactly one
 * @param properties by name, as they are to be kept in the versions of the table
 * @param location absolute folder for the files of the table; empty for one that is picked in the folder of the schema
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
}
