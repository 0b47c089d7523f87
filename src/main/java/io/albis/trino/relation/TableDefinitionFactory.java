package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.ScalarType;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.trino.handle.HiddenColumn;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_COMPRESSIONS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_LAYOUTS;
import static io.albis.trino.config.AlbisTableProperties.COMPRESSION;
import static io.albis.trino.config.AlbisTableProperties.getColumnGroupCompressions;
import static io.albis.trino.config.AlbisTableProperties.getColumnGroupLayouts;
import static io.albis.trino.config.AlbisTableProperties.getColumnGroups;
import static io.albis.trino.config.AlbisTableProperties.getLayout;
import static io.albis.trino.config.AlbisTableProperties.getLocation;
import static io.trino.spi.StandardErrorCode.COLUMN_ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.DUPLICATE_COLUMN_NAME;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Makes the definition of a table from the columns and properties of {@code CREATE TABLE}, and checks them.
 */
public class TableDefinitionFactory
{
    private static final String SUPPORTED_TYPES = Arrays.stream(ScalarType.values())
            .map(ScalarType::baseName)
            .collect(joining(", "));

    private static final Set<String> HIDDEN_COLUMNS = HiddenColumn.SELECTABLE.stream()
            .map(HiddenColumn::columnName)
            .collect(toImmutableSet());

    private final ColumnGroupDefaults columnGroupDefaults;

    public TableDefinitionFactory(ColumnGroupDefaults columnGroupDefaults)
    {
        this.columnGroupDefaults = requireNonNull(columnGroupDefaults, "columnGroupDefaults is null");
    }

    public ColumnGroupDefaults columnGroupDefaults()
    {
        return columnGroupDefaults;
    }

    /**
     * Makes the definition of a new table. Columns get the ids 1, 2, and so on.
     *
     * @throws TrinoException with code NOT_SUPPORTED if a column has a type that Albis does not store, with code
     *         COLUMN_ALREADY_EXISTS if a column has the name of a hidden column, with code DUPLICATE_COLUMN_NAME if two
     *         columns have the same name, or with code INVALID_TABLE_PROPERTY if properties contradict the columns or
     *         each other
     */
    public TableDefinition create(ConnectorTableMetadata metadata)
    {
        ImmutableList.Builder<TableColumn> columns = ImmutableList.builder();
        int id = 0;
        Set<String> names = new HashSet<>();
        for (ColumnMetadata column : metadata.getColumns()) {
            checkName(column.getName());
            if (!names.add(column.getName())) {
                // the engine compares the names of columns of a query before they are in lower case
                throw new TrinoException(DUPLICATE_COLUMN_NAME, "Column name '%s' specified more than once".formatted(column.getName()));
            }
            checkType(column.getName(), column.getType());
            id++;
            columns.add(new TableColumn(id, column.getName(), column.getType(), column.isNullable(), column.getComment(), column.getDefaultValue(), Optional.empty()));
        }

        Map<String, Object> properties = metadata.getProperties();
        AlbisLayout layout = getLayout(properties).orElse(columnGroupDefaults.layout());
        List<List<String>> namedGroups = getColumnGroups(properties).orElse(ImmutableList.of());
        ColumnGroupLists lists = new ColumnGroupLists(INVALID_TABLE_PROPERTY, columns.build());
        Optional<List<AlbisLayout>> layouts = getColumnGroupLayouts(properties);
        lists.checkSize(layouts, COLUMN_GROUP_LAYOUTS, "layout", namedGroups.size());
        Optional<List<Compression>> compressions = getColumnGroupCompressions(properties);
        lists.checkSize(compressions, COLUMN_GROUP_COMPRESSIONS, "compression", namedGroups.size());
        ImmutableList.Builder<TableColumnGroup> groups = ImmutableList.builder();
        for (int group = 0; group < namedGroups.size(); group++) {
            int index = group;
            List<TableColumn> grouped = lists.take(namedGroups.get(group));
            groups.add(new TableColumnGroup(
                    layouts.map(list -> list.get(index)).orElse(layout),
                    grouped.stream().map(TableColumn::id).collect(toImmutableList()),
                    compressions.map(list -> list.get(index))));
        }
        groups.addAll(columnGroupDefaults.group(lists.remaining(), layout));

        return new TableDefinition(columns.build(), groups.build(), StoredTableProperties.write(withDefaults(properties), columns.build()), metadata.getComment(), getLocation(properties));
    }

    /**
     * Adds the default compression. It becomes a property of the table, so that catalogs with other defaults write to
     * the table in the same way.
     */
    private Map<String, Object> withDefaults(Map<String, Object> properties)
    {
        if (columnGroupDefaults.compression() == Compression.NONE) {
            return properties;
        }
        Map<String, Object> all = new HashMap<>(properties);
        all.putIfAbsent(COMPRESSION, columnGroupDefaults.compression());
        return all;
    }

    /**
     * Checks that a column does not have the name of a hidden one.
     *
     * @throws TrinoException with code COLUMN_ALREADY_EXISTS if it has
     */
    public static void checkName(String column)
    {
        if (HIDDEN_COLUMNS.contains(column)) {
            throw new TrinoException(COLUMN_ALREADY_EXISTS, "Column '%s' has the name of a hidden column, which every table has. A column must not have one of the names %s".formatted(
                    column,
                    String.join(", ", HIDDEN_COLUMNS)));
        }
    }

    /**
     * Checks that Albis stores the type of a column. No unsupported type is replaced by a similar one here
     * (getSupportedType). Scalar types are supported in all their precisions, and the engine accepts only a replacement
     * to which it would coerce by itself, which the remaining types do not have.
     *
     * @throws TrinoException with code NOT_SUPPORTED if Albis does not store it
     */
    public static void checkType(String column, Type type)
    {
        if (!NestedTypes.hasStorableValues(type)) {
            throw new TrinoException(NOT_SUPPORTED, "Column '%s' has type %s, which an Albis table cannot hold. Supported types: %s, and row, array, and map of these types".formatted(
                    column,
                    type.getDisplayName(),
                    SUPPORTED_TYPES));
        }
        if (!NestedTypes.isWithinLimits(type)) {
            throw new TrinoException(NOT_SUPPORTED, "Column '%s' has a type that consists of %s types in %s levels. An Albis table can hold types that consist of at most %s types in %s levels".formatted(
                    column,
                    NestedTypes.nodes(type),
                    NestedTypes.depth(type),
                    NestedTypes.MAX_NODES,
                    NestedTypes.MAX_DEPTH));
        }
    }
}
