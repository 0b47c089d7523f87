package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.DeletedRows;
import io.albis.table.model.TableOperation;
import io.albis.table.model.TableRows;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.Sets.intersection;
import static io.albis.table.model.TableOperation.APPEND;
import static java.util.Objects.requireNonNull;

/**
 * The rows that one commit removes from a table and adds to it.
 *
 * @param added row groups that are already in the folder of the table
 * @param deletes by the id of each row group of which rows are deleted, all its deleted rows: those that the write
 *         deletes, and those that were deleted in the version from which the write started. The files exist already
 * @param removedRowGroups ids of row groups of which all rows are deleted
 * @param operation what the commit does, for the history of the table
 */
public record RowChange(TableRows added, Map<UUID, DeletedRows> deletes, Set<UUID> removedRowGroups, TableOperation operation)
{
    public RowChange
    {
        requireNonNull(added, "added is null");
        deletes = ImmutableMap.copyOf(deletes);
        removedRowGroups = ImmutableSet.copyOf(removedRowGroups);
        requireNonNull(operation, "operation is null");
        checkArgument(intersection(deletes.keySet(), removedRowGroups).isEmpty(), "a row group is removed and has deleted rows");
    }

    /**
     * Returns a change that only adds rows.
     */
    public static RowChange append(TableRows added)
    {
        return new RowChange(added, ImmutableMap.of(), ImmutableSet.of(), APPEND);
    }

    public boolean isEmpty()
    {
        return added.isEmpty() && deletes.isEmpty() && removedRowGroups.isEmpty();
    }

    /**
     * Returns the ids of the files that the statement has written.
     */
    Set<UUID> fileIds()
    {
        ImmutableSet.Builder<UUID> ids = ImmutableSet.builder();
        ids.addAll(added.fileIds());
        deletes.values().forEach(deletedRows -> ids.add(deletedRows.file()));
        return ids.build();
    }

    /**
     * Returns the ids of the row groups that lose rows.
     */
    Set<UUID> affectedRowGroups()
    {
        return ImmutableSet.<UUID>builder()
                .addAll(deletes.keySet())
                .addAll(removedRowGroups)
                .build();
    }
}
