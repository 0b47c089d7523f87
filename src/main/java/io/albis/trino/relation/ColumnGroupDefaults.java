package io.albis.trino.relation;

import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.trino.config.DefaultGrouping;

import java.util.List;

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
     * Groups columns, in their order.
     *
     * @param columns columns that are in no group yet
     */
    public List<TableColumnGroup> group(List<TableColumn> columns, AlbisLayout layout)
    {
        return grouping.group(columns).stream()
                .map(group -> new TableColumnGroup(layout, group.stream().map(TableColumn::id).collect(toImmutableList())))
                .collect(toImmutableList());
    }
}
