package io.albis.trino.relation;

import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.trino.config.DefaultGrouping;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Column groups, layout, and compression of a table whose properties do not set them.
 */
public record ColumnGroupDefaults(DefaultGrouping grouping, AlbisLayout layout, Compression compression)
{
    public ColumnGroupDefaults
    {
        requireNonNull(grouping, "grouping is null");
        requireNonNull(layout, "layout is null");
        requireNonNull(compression, "compression is null");
    }

    /**
     * Groups columns, in their order. Those that the layout cannot store are in further groups in the block layout.
     *
     * @param columns columns that are in no group yet
     * @param layout of the groups with columns that it can store
     */
    public List<TableColumnGroup> group(List<TableColumn> columns, AlbisLayout layout)
    {
        List<TableColumn> others = columns.stream()
                .filter(column -> !layout.canStore(column.type()))
                .collect(toImmutableList());
        List<TableColumn> storable = columns.stream()
                .filter(column -> layout.canStore(column.type()))
                .collect(toImmutableList());
        return Stream.concat(grouping.group(storable).stream(), grouping.group(others).stream())
                .map(group -> new TableColumnGroup(possibleLayout(group, layout), group.stream().map(TableColumn::id).collect(toImmutableList())))
                .collect(toImmutableList());
    }

    /**
     * Returns a layout if it can store all columns, and the block layout otherwise.
     */
    static AlbisLayout possibleLayout(List<TableColumn> columns, AlbisLayout layout)
    {
        return columns.stream().allMatch(column -> layout.canStore(column.type())) ? layout : AlbisLayout.BLOCK;
    }
}
