package io.albis.trino.relation;

import com.google.common.base.Joiner;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUPS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_COMPRESSIONS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_LAYOUTS;
import static io.albis.trino.config.AlbisTableProperties.COMPRESSION;
import static io.albis.trino.config.AlbisTableProperties.getColumnGroupCompressions;
import static io.albis.trino.config.AlbisTableProperties.getColumnGroupLayouts;
import static io.albis.trino.config.AlbisTableProperties.getColumnGroups;
import static io.albis.trino.config.AlbisTableProperties.getLayout;
import static io.albis.trino.config.AlbisTableProperties.getLocation;
import static io.trino.spi.StandardErrorCode.COLUMN_ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Collections.nCopies;
import static java.util.Locale.ENGLISH;
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
     *         COLUMN_ALREADY_EXISTS if a column has the name of a hidden column, or with code INVALID_TABLE_PROPERTY if
     *         properties contradict the columns or each other
     */
    public TableDefinition create(ConnectorTableMetadata metadata)
    {
        ImmutableList.Builder<TableColumn> columns = ImmutableList.builder();
        // in the order of the table; a column is removed when it becomes part of a group
        Map<String, TableColumn> ungrouped = new LinkedHashMap<>();
        int id = 0;
        for (ColumnMetadata column : metadata.getColumns()) {
            checkName(column.getName());
            checkType(column.getName(), column.getType());
            id++;
            TableColumn tableColumn = new TableColumn(id, column.getName(), column.getType(), column.isNullable(), column.getComment(), column.getDefaultValue(), Optional.empty());
            columns.add(tableColumn);
            ungrouped.put(column.getName(), tableColumn);
        }

        Map<String, Object> properties = metadata.getProperties();
        AlbisLayout layout = getLayout(properties).orElse(columnGroupDefaults.layout());
        List<List<String>> namedGroups = getColumnGroups(properties).orElse(ImmutableList.of());
        List<AlbisLayout> layouts = namedGroupLayouts(properties, namedGroups.size(), layout);
        Optional<List<Compression>> compressions = namedGroupCompressions(properties, namedGroups.size());
        ImmutableList.Builder<TableColumnGroup> groups = ImmutableList.builder();
        for (int group = 0; group < namedGroups.size(); group++) {
            int index = group;
            List<TableColumn> grouped = takeGroup(namedGroups.get(group), ungrouped, metadata.getColumns());
            boolean chosen = getColumnGroupLayouts(properties).isPresent() || getLayout(properties).isPresent();
            groups.add(new TableColumnGroup(
                    chosen ? checkLayout(grouped, layouts.get(group)) : ColumnGroupDefaults.possibleLayout(grouped, layout),
                    grouped.stream().map(TableColumn::id).collect(toImmutableList()),
                    compressions.map(list -> list.get(index))));
        }
        if (getLayout(properties).isPresent()) {
            checkLayout(ungrouped.values(), layout);
        }
        groups.addAll(columnGroupDefaults.group(ImmutableList.copyOf(ungrouped.values()), layout));

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

    private static List<AlbisLayout> namedGroupLayouts(Map<String, Object> properties, int groups, AlbisLayout tableLayout)
    {
        List<AlbisLayout> layouts = getColumnGroupLayouts(properties).orElse(nCopies(groups, tableLayout));
        if (layouts.size() != groups) {
            throw new TrinoException(INVALID_TABLE_PROPERTY, "%s must have one layout for each group in %s; layouts: %s, groups: %s".formatted(
                    COLUMN_GROUP_LAYOUTS,
                    COLUMN_GROUPS,
                    layouts.size(),
                    groups));
        }
        return layouts;
    }

    private static Optional<List<Compression>> namedGroupCompressions(Map<String, Object> properties, int groups)
    {
        Optional<List<Compression>> compressions = getColumnGroupCompressions(properties);
        if (compressions.isPresent() && compressions.get().size() != groups) {
            throw new TrinoException(INVALID_TABLE_PROPERTY, "%s must have one compression for each group in %s; compressions: %s, groups: %s".formatted(
                    COLUMN_GROUP_COMPRESSIONS,
                    COLUMN_GROUPS,
                    compressions.get().size(),
                    groups));
        }
        return compressions;
    }

    private static AlbisLayout checkLayout(Collection<TableColumn> columns, AlbisLayout layout)
    {
        for (TableColumn column : columns) {
            if (!layout.canStore(column.type())) {
                throw new TrinoException(INVALID_TABLE_PROPERTY, "Column '%s' has type %s, which the layout '%s' cannot store. Name the column in %s, and the layout '%s' for its group in %s".formatted(
                        column.name(),
                        column.type().getDisplayName(),
                        layout.name().toLowerCase(ENGLISH),
                        COLUMN_GROUPS,
                        AlbisLayout.BLOCK.name().toLowerCase(ENGLISH),
                        COLUMN_GROUP_LAYOUTS));
            }
        }
        return layout;
    }

    private static List<TableColumn> takeGroup(List<String> names, Map<String, TableColumn> ungrouped, List<ColumnMetadata> columns)
    {
        ImmutableList.Builder<TableColumn> grouped = ImmutableList.builder();
        for (String name : names) {
            TableColumn column = ungrouped.remove(name);
            if (column == null) {
                boolean exists = columns.stream().anyMatch(metadata -> metadata.getName().equals(name));
                if (exists) {
                    throw new TrinoException(INVALID_TABLE_PROPERTY, "%s names column '%s' twice; a column can be in one group only".formatted(COLUMN_GROUPS, name));
                }
                throw new TrinoException(INVALID_TABLE_PROPERTY, "%s names column '%s', which the table does not have; its columns are: %s".formatted(
                        COLUMN_GROUPS,
                        name,
                        Joiner.on(", ").join(columns.stream().map(ColumnMetadata::getName).iterator())));
            }
            grouped.add(column);
        }
        return grouped.build();
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
