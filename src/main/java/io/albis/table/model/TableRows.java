package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Row groups and the sketches of their columns.
 *
 * @param sketches sketches over all row groups together, for those columns that have one
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

    /**
     * Returns the ids of the row groups, their column groups, and their deletes files.
     */
    public Set<UUID> fileIds()
    {
        ImmutableSet.Builder<UUID> ids = ImmutableSet.builder();
        for (RowGroup rowGroup : rowGroups) {
            ids.add(rowGroup.id());
            rowGroup.columnGroups().forEach(columnGroup -> ids.add(columnGroup.id()));
            rowGroup.deletedRows().ifPresent(deletedRows -> ids.add(deletedRows.file()));
        }
        return ids.build();
    }

    /**
     * Returns a copy in which row groups without a version were added by {@code version}.
     */
    public TableRows addedBy(long version)
    {
        return new TableRows(rowGroups.stream().map(rowGroup -> rowGroup.addedBy(version)).collect(toImmutableList()), sketches);
    }

    /**
     * Returns the summary of a commit that adds these row groups.
     */
    public Map<String, String> summary()
    {
        long rows = 0;
        long files = 0;
        for (RowGroup rowGroup : rowGroups) {
            rows += rowGroup.rows();
            files += 2L * rowGroup.columnGroups().size();
        }
        return ImmutableMap.of(
                "added-records", String.valueOf(rows),
                "added-data-files", String.valueOf(rowGroups.size()),
                "added-files", String.valueOf(files),
                "added-files-size", String.valueOf(bytes()));
    }

    /**
     * Returns the size of the row groups on storage in bytes.
     */
    public long bytes()
    {
        long bytes = 0;
        for (RowGroup rowGroup : rowGroups) {
            bytes += rowGroup.bytes();
        }
        return bytes;
    }

    /**
     * Returns the row groups of all parts in order, with their merged sketches.
     */
    public static TableRows union(List<TableRows> parts)
    {
        ImmutableList.Builder<RowGroup> rowGroups = ImmutableList.builder();
        parts.forEach(part -> rowGroups.addAll(part.rowGroups()));
        return new TableRows(rowGroups.build(), mergeSketches(parts));
    }

    /**
     * Merges the sketches of several parts. A column has a merged sketch if every part that has the column has a sketch
     * of it. In parts without the column, it is null in all rows or has a single value, which is not counted.
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

    /**
     * Returns whether a row group stores the column.
     */
    public boolean hasColumn(int columnId)
    {
        return rowGroups.stream()
                .anyMatch(rowGroup -> rowGroup.columnIds().contains(columnId));
    }
}
