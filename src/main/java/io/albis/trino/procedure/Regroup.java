package io.albis.trino.procedure;

import io.albis.table.model.TableColumnGroup;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisTableProperties;
import io.albis.trino.config.DefaultGrouping;
import io.albis.trino.relation.NewColumnGroups;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.type.ArrayType;

import java.util.List;
import java.util.Map;

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

    static List<TableColumnGroup> columnGroups(AlbisTable table, Map<String, Object> arguments, DefaultGrouping grouping)
    {
        List<List<String>> namedGroups = AlbisTableProperties.getColumnGroups(arguments)
                .orElseThrow(() -> new TrinoException(INVALID_PROCEDURE_ARGUMENT, "The procedure regroup requires the argument column_groups, such as column_groups => ARRAY[ARRAY['a', 'b'], ARRAY['c']]"));
        return NewColumnGroups.of(
                table.version(),
                namedGroups,
                AlbisTableProperties.getColumnGroupLayouts(arguments),
                AlbisTableProperties.getColumnGroupCompressions(arguments),
                grouping);
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
