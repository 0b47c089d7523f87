package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.handle.HiddenColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUPS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_COMPRESSIONS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_LAYOUTS;
import static io.albis.trino.config.AlbisTableProperties.INDEXED_BY;
import static io.albis.trino.config.AlbisTableProperties.LAYOUT;
import static io.albis.trino.config.AlbisTableProperties.LOCATION;
import static io.albis.trino.config.AlbisTableProperties.PARTITIONED_BY;
import static io.albis.trino.config.AlbisTableProperties.SORTED_BY;

/**
 * Describes tables and their columns with the classes of the engine.
 */
public final class TableDescriptions
{
    private TableDescriptions() {}

    /**
     * Returns the description of a table that SHOW CREATE TABLE prints.
     */
    public static ConnectorTableMetadata tableMetadata(AlbisTable table, ColumnGroupDefaults defaults)
    {
        return new ConnectorTableMetadata(
                new SchemaTableName(table.schemaName(), table.tableName()),
                allColumnMetadata(table),
                properties(table, defaults),
                table.version().comment());
    }

    /**
     * Returns the columns that the table stores.
     */
    public static List<ColumnMetadata> columnMetadata(AlbisTable table)
    {
        return table.version().columns().stream()
                .map(TableDescriptions::columnMetadata)
                .collect(toImmutableList());
    }

    private static List<ColumnMetadata> allColumnMetadata(AlbisTable table)
    {
        return ImmutableList.<ColumnMetadata>builder()
                .addAll(columnMetadata(table))
                .addAll(hiddenColumns(table).stream()
                        .map(TableDescriptions::columnMetadata)
                        .iterator())
                .build();
    }

    /**
     * Returns the hidden columns that a query can name. A column of the table with the same name hides one of them.
     */
    private static List<HiddenColumn> hiddenColumns(AlbisTable table)
    {
        Set<String> names = table.version().columns().stream()
                .map(TableColumn::name)
                .collect(toImmutableSet());
        return HiddenColumn.SELECTABLE.stream()
                .filter(column -> !names.contains(column.columnName()))
                .collect(toImmutableList());
    }

    public static ColumnMetadata columnMetadata(HiddenColumn column)
    {
        return ColumnMetadata.builder()
                .setName(column.columnName())
                .setType(column.type())
                .setNullable(false)
                .setHidden(true)
                .build();
    }

    public static ColumnMetadata columnMetadata(TableColumn column)
    {
        return ColumnMetadata.builder()
                .setName(column.name())
                .setType(column.type())
                .setNullable(column.nullable())
                .setDefaultValue(column.defaultValue())
                .setComment(column.comment())
                .build();
    }

    public static Map<String, ColumnHandle> columnHandles(AlbisTable table)
    {
        ImmutableMap.Builder<String, ColumnHandle> handles = ImmutableMap.builder();
        for (TableColumn column : table.version().columns()) {
            handles.put(column.name(), columnHandle(column));
        }
        for (HiddenColumn column : hiddenColumns(table)) {
            handles.put(column.columnName(), new HiddenColumnHandle(column));
        }
        return handles.buildOrThrow();
    }

    public static AlbisColumnHandle columnHandle(TableColumn column)
    {
        return new AlbisColumnHandle(column.id(), column.name(), column.type(), column.initial(), column.fields());
    }

    /**
     * Returns the properties with which CREATE TABLE creates the same table again.
     */
    private static Map<String, Object> properties(AlbisTable table, ColumnGroupDefaults defaults)
    {
        TableVersion version = table.version();
        ImmutableMap.Builder<String, Object> properties = ImmutableMap.builder();
        properties.putAll(columnGroupProperties(version, defaults));
        properties.putAll(StoredTableProperties.parse(version.properties()));
        List<String> sortedBy = SortFields.describe(version.properties(), version.columns());
        if (!sortedBy.isEmpty()) {
            properties.put(SORTED_BY, sortedBy);
        }
        List<String> partitionedBy = PartitionTexts.describe(version.properties(), version.columns());
        if (!partitionedBy.isEmpty()) {
            properties.put(PARTITIONED_BY, partitionedBy);
        }
        List<String> indexedBy = IndexFields.describe(version.properties(), version.columns());
        if (!indexedBy.isEmpty()) {
            properties.put(INDEXED_BY, indexedBy);
        }
        table.explicitLocation().ifPresent(location -> properties.put(LOCATION, location.toString()));
        return properties.buildOrThrow();
    }

    /**
     * Returns column groups and their layouts, without those that CREATE TABLE uses by default.
     */
    private static Map<String, Object> columnGroupProperties(TableVersion version, ColumnGroupDefaults defaults)
    {
        List<TableColumnGroup> groups = version.columnGroups();
        if (groups.stream().anyMatch(group -> group.compression().isPresent())) {
            ImmutableMap.Builder<String, Object> properties = ImmutableMap.builder();
            properties.putAll(columnGroupLayouts(version, ImmutableList.of(), defaults));
            properties.put(COLUMN_GROUP_COMPRESSIONS, StoredTableProperties.columnGroupCompressions(groups, version.properties()));
            return properties.buildOrThrow();
        }
        if (groups.equals(defaults.group(version.columns(), defaults.layout()))) {
            return ImmutableMap.of();
        }
        return columnGroupLayouts(version, defaults.group(version.columns(), groups.getFirst().layout()), defaults);
    }

    /**
     * Returns the properties that describe the column groups and their layouts.
     *
     * @param defaultGroups column groups that need not be returned
     */
    private static Map<String, Object> columnGroupLayouts(TableVersion version, List<TableColumnGroup> defaultGroups, ColumnGroupDefaults defaults)
    {
        List<TableColumnGroup> groups = version.columnGroups();
        List<AlbisLayout> layouts = groups.stream()
                .map(TableColumnGroup::layout)
                .collect(toImmutableList());
        AlbisLayout first = layouts.getFirst();
        if (!layouts.stream().allMatch(first::equals)) {
            return ImmutableMap.of(COLUMN_GROUPS, columnGroupNames(version), COLUMN_GROUP_LAYOUTS, layouts);
        }

        ImmutableMap.Builder<String, Object> properties = ImmutableMap.builder();
        if (!groups.equals(defaultGroups)) {
            properties.put(COLUMN_GROUPS, columnGroupNames(version));
        }
        if (first != defaults.layout()) {
            properties.put(LAYOUT, first);
        }
        return properties.buildOrThrow();
    }

    private static List<List<String>> columnGroupNames(TableVersion version)
    {
        Map<Integer, String> names = version.columns().stream()
                .collect(toImmutableMap(TableColumn::id, TableColumn::name));
        return version.columnGroups().stream()
                .map(group -> group.columns().stream()
                        .map(names::get)
                        .collect(toImmutableList()))
                .collect(toImmutableList());
    }
}
