package io.albis.trino.procedure;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisTableProperties;
import io.albis.trino.config.DefaultGrouping;
import io.albis.trino.relation.NewColumnGroups;
import io.albis.trino.usage.ColumnUsage;
import io.albis.trino.usage.GroupProposal;
import io.albis.trino.usage.UsedColumns;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.ArrayType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUPS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_COMPRESSIONS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_LAYOUTS;
import static io.albis.trino.config.AlbisTableProperties.arrayProperty;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The arguments of the procedure regroup, which are those table properties that describe column groups.
 */
final class Regroup
{
    private static final String EXAMPLE = "column_groups => ARRAY[ARRAY['a', 'b'], ARRAY['c']]";

    private Regroup() {}

    static PropertyMetadata<?>[] arguments()
    {
        return new PropertyMetadata<?>[] {
                arrayProperty(
                        COLUMN_GROUPS,
                        "Groups of columns; the columns of a group are stored in one file",
                        new ArrayType(VARCHAR),
                        value -> AlbisTableProperties.decodeColumnGroups(INVALID_PROCEDURE_ARGUMENT, value),
                        value -> value),
                arrayProperty(
                        COLUMN_GROUP_LAYOUTS,
                        "Layout of each group in column_groups; the default is that of its columns",
                        VARCHAR,
                        value -> AlbisTableProperties.decodeColumnGroupLayouts(INVALID_PROCEDURE_ARGUMENT, value),
                        value -> value),
                arrayProperty(
                        COLUMN_GROUP_COMPRESSIONS,
                        "Compression of each group in column_groups; the default is that of its columns",
                        VARCHAR,
                        value -> AlbisTableProperties.decodeColumnGroupCompressions(INVALID_PROCEDURE_ARGUMENT, value),
                        value -> value),
        };
    }

    /**
     * @throws TrinoException with code INVALID_PROCEDURE_ARGUMENT if the arguments contradict the columns or each
     *         other, or if there are none and no query has read the table
     */
    static List<TableColumnGroup> columnGroups(AlbisTable table, Map<String, Object> arguments, DefaultGrouping grouping, ColumnUsage usage)
    {
        return NewColumnGroups.of(
                table.version(),
                AlbisTableProperties.getColumnGroups(arguments).orElseGet(() -> proposedGroups(table, arguments, usage)),
                AlbisTableProperties.getColumnGroupLayouts(arguments),
                AlbisTableProperties.getColumnGroupCompressions(arguments),
                grouping);
    }

    private static List<List<String>> proposedGroups(AlbisTable table, Map<String, Object> arguments, ColumnUsage usage)
    {
        if (all(arguments)) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "%s and %s of the procedure regroup require the argument column_groups, such as %s".formatted(COLUMN_GROUP_LAYOUTS, COLUMN_GROUP_COMPRESSIONS, EXAMPLE));
        }
        Map<Integer, String> names = new LinkedHashMap<>();
        table.version().columns().forEach(column -> names.put(column.id(), column.name()));
        List<UsedColumns> used = usage.find(table.uuid(), names.keySet());
        if (used.isEmpty()) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "Without the argument column_groups, the procedure regroup groups the columns that queries read together, and this coordinator has recorded no query on table %s.%s since it was started. Run some queries, or set column_groups, such as %s".formatted(
                    table.schemaName(),
                    table.tableName(),
                    EXAMPLE));
        }
        return GroupProposal.of(ImmutableList.copyOf(names.keySet()), table.version().columnGroups(), used).stream()
                .map(group -> group.stream().map(names::get).collect(toImmutableList()))
                .collect(toImmutableList());
    }

    /**
     * Returns whether row groups whose columns are already in the right groups are written again, too. Their entries do
     * not contain their layouts and compressions.
     */
    static boolean all(Map<String, Object> arguments)
    {
        return AlbisTableProperties.getColumnGroupLayouts(arguments).isPresent() || AlbisTableProperties.getColumnGroupCompressions(arguments).isPresent();
    }
}
