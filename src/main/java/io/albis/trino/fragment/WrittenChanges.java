package io.albis.trino.fragment;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.TableRows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * The files that the sinks of a statement have written.
 *
 * @param rows new rows
 * @param deletes deleted rows; a row group is in it once
 * @param rewritten row groups with only the new instances of column groups, and sketches of the new values; a row group
 *         is in it once
 */
public record WrittenChanges(TableRows rows, List<RowGroupDeletes> deletes, TableRows rewritten)
{
    public WrittenChanges
    {
        requireNonNull(rows, "rows is null");
        deletes = ImmutableList.copyOf(deletes);
        requireNonNull(rewritten, "rewritten is null");
    }

    public boolean isEmpty()
    {
        return rows.isEmpty() && deletes.isEmpty() && rewritten.isEmpty();
    }

    /**
     * Returns the deleted rows by the id of their row group.
     *
     * @throws IllegalArgumentException if a row group is in several fragments
     */
    public Map<UUID, DeletedRows> deletesByRowGroup()
    {
        return deletes.stream()
                .collect(toImmutableMap(RowGroupDeletes::rowGroup, RowGroupDeletes::deletedRows));
    }

    /**
     * Returns the row groups with only their new instances by their ids.
     *
     * @throws IllegalArgumentException if a row group is in several fragments
     */
    public Map<UUID, RowGroup> rewrittenById()
    {
        return Maps.uniqueIndex(rewritten.rowGroups(), RowGroup::id);
    }

    /**
     * Returns the ids of all row groups, new instances of column groups, and deletes files.
     */
    public Set<UUID> fileIds()
    {
        ImmutableSet.Builder<UUID> ids = ImmutableSet.builder();
        for (RowGroup rowGroup : rows.rowGroups()) {
            ids.add(rowGroup.id());
        }
        for (RowGroupDeletes delete : deletes) {
            ids.add(delete.deletedRows().file());
        }
        for (RowGroup rowGroup : rewritten.rowGroups()) {
            rowGroup.columnGroups().forEach(columnGroup -> ids.add(columnGroup.id()));
        }
        return ids.build();
    }
}
