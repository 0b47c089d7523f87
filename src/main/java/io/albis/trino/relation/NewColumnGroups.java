package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableVersion;
import io.albis.trino.config.DefaultGrouping;
import io.trino.spi.TrinoException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUPS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_COMPRESSIONS;
import static io.albis.trino.config.AlbisTableProperties.COLUMN_GROUP_LAYOUTS;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static java.util.Locale.ENGLISH;

/**
 * Groups the columns of an existing table in another way. Each column keeps the layout and the compression of its
 * group, unless the statement sets them.
 */
public final class NewColumnGroups
{
    private final TableVersion version;
    private final Map<Integer, TableColumnGroup> current = new HashMap<>();

    /**
     * @param compression empty if the properties of the table determine it
     */
    private record Form(AlbisLayout layout, Optional<Compression> compression) {}

    private NewColumnGroups(TableVersion version)
    {
        this.version = version;
        version.columnGroups().forEach(group -> group.columns().forEach(column -> current.put(column, group)));
    }

    /**
     * Returns column groups of all columns of a table.
     *
     * @param namedGroups names of the columns of each group
     * @param layouts layout of each of these groups; empty to keep the layouts of their columns
     * @param compressions compression of each of these groups; empty to keep the compressions of their columns
     * @param grouping how the other columns are grouped
     * @throws TrinoException with code INVALID_PROCEDURE_ARGUMENT if the arguments contradict the columns or each other
     */
    public static List<TableColumnGroup> of(
            TableVersion version,
            List<List<String>> namedGroups,
            Optional<List<AlbisLayout>> layouts,
            Optional<List<Compression>> compressions,
            DefaultGrouping grouping)
    {
        return new NewColumnGroups(version).group(namedGroups, layouts, compressions, grouping);
    }

    private List<TableColumnGroup> group(List<List<String>> namedGroups, Optional<List<AlbisLayout>> layouts, Optional<List<Compression>> compressions, DefaultGrouping grouping)
    {
        ColumnGroupLists lists = new ColumnGroupLists(INVALID_PROCEDURE_ARGUMENT, version.columns());
        lists.checkSize(layouts, COLUMN_GROUP_LAYOUTS, "layout", namedGroups.size());
        lists.checkSize(compressions, COLUMN_GROUP_COMPRESSIONS, "compression", namedGroups.size());
        ImmutableList.Builder<TableColumnGroup> groups = ImmutableList.builder();
        for (int i = 0; i < namedGroups.size(); i++) {
            int index = i;
            List<TableColumn> columns = lists.take(namedGroups.get(i));
            groups.add(new TableColumnGroup(
                    layouts.map(list -> list.get(index)).orElseGet(() -> commonLayout(columns)),
                    ids(columns),
                    compressions.map(list -> Optional.of(list.get(index))).orElseGet(() -> commonCompression(columns))));
        }
        // Columns of different layouts or compressions are not grouped together
        Map<Form, List<TableColumn>> alike = new LinkedHashMap<>();
        for (TableColumn column : lists.remaining()) {
            TableColumnGroup group = current.get(column.id());
            alike.computeIfAbsent(new Form(group.layout(), group.compression()), _ -> new ArrayList<>()).add(column);
        }
        alike.forEach((form, columns) -> grouping.group(columns).forEach(grouped ->
                groups.add(new TableColumnGroup(form.layout(), ids(grouped), form.compression()))));
        return groups.build();
    }

    private AlbisLayout commonLayout(List<TableColumn> columns)
    {
        AlbisLayout layout = current.get(columns.getFirst().id()).layout();
        for (TableColumn column : columns) {
            AlbisLayout other = current.get(column.id()).layout();
            if (other != layout) {
                throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "Column '%s' has the layout '%s' and column '%s' the layout '%s', but they are in one group in %s. Set a layout for each group with %s".formatted(
                        columns.getFirst().name(),
                        layout.name().toLowerCase(ENGLISH),
                        column.name(),
                        other.name().toLowerCase(ENGLISH),
                        COLUMN_GROUPS,
                        COLUMN_GROUP_LAYOUTS));
            }
        }
        return layout;
    }

    private Optional<Compression> commonCompression(List<TableColumn> columns)
    {
        int first = columns.getFirst().id();
        Optional<Compression> compression = current.get(first).compression();
        Map<Integer, Compression> effective = effectiveCompressions();
        for (TableColumn column : columns) {
            if (effective.get(column.id()) != effective.get(first)) {
                throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "Column '%s' has the compression '%s' and column '%s' the compression '%s', but they are in one group in %s. Set a compression for each group with %s".formatted(
                        columns.getFirst().name(),
                        effective.get(first),
                        column.name(),
                        effective.get(column.id()),
                        COLUMN_GROUPS,
                        COLUMN_GROUP_COMPRESSIONS));
            }
            if (!current.get(column.id()).compression().equals(compression)) {
                // some of the groups would follow the property of the table, and others would not
                compression = Optional.of(effective.get(first));
            }
        }
        return compression;
    }

    private Map<Integer, Compression> effectiveCompressions()
    {
        List<Compression> compressions = StoredTableProperties.columnGroupCompressions(version.columnGroups(), version.properties());
        Map<TableColumnGroup, Compression> byGroup = new HashMap<>();
        for (int i = 0; i < compressions.size(); i++) {
            byGroup.put(version.columnGroups().get(i), compressions.get(i));
        }
        return Maps.transformValues(current, byGroup::get);
    }

    private static List<Integer> ids(List<TableColumn> columns)
    {
        return columns.stream().map(TableColumn::id).collect(toImmutableList());
    }
}
