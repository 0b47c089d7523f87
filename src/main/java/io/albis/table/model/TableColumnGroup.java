package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Compression;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Columns of a table whose values are stored together in one file.
 *
 * @param layout layout of the rows in the file
 * @param columns ids of the columns in storage order, at least one
 * @param compression compression of the file; empty if the properties of the table determine it
 */
public record TableColumnGroup(AlbisLayout layout, List<Integer> columns, Optional<Compression> compression)
{
    public TableColumnGroup
    {
        requireNonNull(layout, "layout is null");
        columns = ImmutableList.copyOf(columns);
        requireNonNull(compression, "compression is null");
        checkArgument(!columns.isEmpty(), "a column group must have at least one column");
    }

    public TableColumnGroup(AlbisLayout layout, List<Integer> columns)
    {
        this(layout, columns, Optional.empty());
    }

    /**
     * Returns the column group with another column.
     *
     * @param previous id of the column of this group before it; empty if it is the first one
     */
    public TableColumnGroup with(int columnId, Optional<Integer> previous)
    {
        List<Integer> all = new ArrayList<>(columns);
        all.add(previous.map(id -> all.indexOf(id) + 1).orElse(0), columnId);
        return new TableColumnGroup(layout, all, compression);
    }

    /**
     * Returns the column group without a column.
     *
     * @return empty if no column remains
     */
    public Optional<TableColumnGroup> without(int columnId)
    {
        List<Integer> remaining = columns.stream()
                .filter(id -> id != columnId)
                .collect(toImmutableList());
        return remaining.isEmpty() ? Optional.empty() : Optional.of(new TableColumnGroup(layout, remaining, compression));
    }

    /**
     * Returns the column group as the format defines it.
     *
     * @param columnsById all columns of the table by id
     */
    public AlbisColumnGroup toAlbisColumnGroup(Map<Integer, AlbisColumn> columnsById)
    {
        ImmutableList.Builder<AlbisColumn> group = ImmutableList.builderWithExpectedSize(columns.size());
        for (Integer id : columns) {
            group.add(columnsById.get(id));
        }
        return AlbisColumnGroup.make(layout, group.build());
    }
}
