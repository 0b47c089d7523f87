package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
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
 * What the sinks of a statement have written.
 *
 * @param rows new rows
 * @param deletes deleted rows; a row group is in it once
 */
record WrittenChanges(TableRows rows, List<RowGroupDeletes> deletes)
{
    WrittenChanges
    {
        requireNonNull(rows, "rows is null");
        deletes = ImmutableList.copyOf(deletes);
    }

    boolean isEmpty()
    {
        return rows.isEmpty() && deletes.isEmpty();
    }

    /**
     * Returns whether the changes are those of a DELETE, and not of an UPDATE or a MERGE.
     */
    boolean ofDelete()
    {
        return rows.isEmpty() && deletes.stream().allMatch(RowGroupDeletes::ofDelete);
    }

    /**
     * Returns the deleted rows by the id of their row group.
     *
     * @throws IllegalArgumentException if a row group is in several fragments
     */
    Map<UUID, DeletedRows> deletesByRowGroup()
    {
        return deletes.stream()
                .collect(toImmutableMap(RowGroupDeletes::rowGroup, RowGroupDeletes::deletedRows));
    }

    /**
     * Returns the ids of all row groups and deletes files.
     */
    Set<UUID> fileIds()
    {
        ImmutableSet.Builder<UUID> ids = ImmutableSet.builder();
        for (RowGroup rowGroup : rows.rowGroups()) {
            ids.add(rowGroup.id());
        }
        for (RowGroupDeletes delete : deletes) {
            ids.add(delete.deletedRows().file());
        }
        return ids.build();
    }
}
