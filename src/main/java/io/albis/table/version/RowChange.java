package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
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
 * The rows that one commit removes from a table, adds to it, and changes in place.
 *
 * @param added row groups that are already in the folder of the table
 * @param deletes by the id of each row group of which rows are deleted, all its deleted rows: those that the write
 *         deletes, and those that were deleted in the version from which the write started. The files exist already
 * @param removedRowGroups ids of row groups of which all rows are deleted
 * @param rewritten row groups with only the new instances of column groups that replace others, and sketches of the new
 *         values. The files exist already
 * @param operation what the commit does, for the history of the table
 */
public record RowChange(TableRows added, Map<UUID, DeletedRows> deletes, Set<UUID> removedRowGroups, TableRows rewritten, TableOperation operation)
{
    public RowChange
    {
        requireNonNull(added, "added is null");
        deletes = ImmutableMap.copyOf(deletes);
        removedRowGroups = ImmutableSet.copyOf(removedRowGroups);
        requireNonNull(rewritten, "rewritten is null");
        requireNonNull(operation, "operation is null");
        checkArgument(intersection(deletes.keySet(), removedRowGroups).isEmpty(), "a row group is removed and has deleted rows");
        checkArgument(intersection(rewrittenById(rewritten).keySet(), removedRowGroups).isEmpty(), "a row group is removed and has new values");
    }

    /**
     * Returns a change that rewrites no column groups.
     */
    public RowChange(TableRows added, Map<UUID, DeletedRows> deletes, Set<UUID> removedRowGroups, TableOperation operation)
    {
        this(added, deletes, removedRowGroups, TableRows.NONE, operation);
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
        return added.isEmpty() && affectedRowGroups().isEmpty();
    }

    /**
     * Returns the ids of the files that the statement has written.
     */
    Set<UUID> fileIds()
    {
        ImmutableSet.Builder<UUID> ids = ImmutableSet.builder();
        ids.addAll(added.fileIds());
        deletes.values().forEach(deletedRows -> ids.add(deletedRows.file()));
        for (RowGroup rowGroup : rewritten.rowGroups()) {
            rowGroup.columnGroups().forEach(columnGroup -> ids.add(columnGroup.id()));
        }
        return ids.build();
    }

    /**
     * Returns the rewritten row groups by their ids.
     */
    Map<UUID, RowGroup> rewrittenById()
    {
        return rewrittenById(rewritten);
    }

    private static Map<UUID, RowGroup> rewrittenById(TableRows rewritten)
    {
        return Maps.uniqueIndex(rewritten.rowGroups(), RowGroup::id);
    }

    /**
     * Returns the ids of the row groups that lose rows or get new values.
     */
    Set<UUID> affectedRowGroups()
    {
        return ImmutableSet.<UUID>builder()
                .addAll(deletes.keySet())
                .addAll(removedRowGroups)
                .addAll(rewrittenById().keySet())
                .build();
    }
}
