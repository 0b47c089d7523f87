package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Row groups, and what is known of the values of all of them together.
 *
 * @param sketches of columns over all row groups, if they are known
 */
public record TableRows(List<RowGroup> rowGroups, ColumnSketches sketches)
{
    public static final TableRows NONE = withoutSketches(ImmutableList.of());

    public TableRows
    {
        rowGroups = ImmutableList.copyOf(rowGroups);
        requireNonNull(sketches, "sketches is null");
    }

    public static TableRows withoutSketches(List<RowGroup> rowGroups)
    {
        return new TableRows(rowGroups, ColumnSketches.NONE);
    }

    public boolean isEmpty()
    {
        return rowGroups.isEmpty();
    }

    public static TableRows union(List<TableRows> parts)
    {
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        parts.forEach(part -> rowGroups.addAll(part.rowGroups()));
        return new TableRows(rowGroups.build(), mergeSketches(parts));
    }

    /**
     * A column has a sketch if it has one in all parts that have the column; in others it is null in all rows.
     */
    public static ColumnSketches mergeSketches(List<TableRows> parts)
    {
        Set<Integer> columnIds = parts.stream()
                .flatMap(part -> part.sketches().columns().keySet().stream())
                .collect(toImmutableSet());
        ImmutableList.Builder<ColumnSketch> merged = ImmutableList.builder();
        for (int columnId : columnIds) {
            ImmutableList.Builder<ColumnSketch> column = ImmutableList.builder();
            boolean known = true;
            for (TableRows part : parts) {
                Optional<ColumnSketch> sketch = part.sketches().get(columnId);
                sketch.ifPresent(column::add);
                known &= sketch.isPresent() || !part.hasColumn(columnId);
            }
            if (known) {
                merged.add(ColumnSketch.merge(column.build()));
            }
        }
        return ColumnSketches.of(merged.build());
    }

    private boolean hasColumn(int columnId)
    {
        return rowGroups.stream()
                .anyMatch(rowGroup -> rowGroup.columnIds().contains(columnId));
    }
}
