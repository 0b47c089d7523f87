package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.TableOperation;
import io.albis.table.model.TableRows;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Sets.intersection;
import static io.albis.table.model.TableOperation.APPEND;
import static java.util.Objects.requireNonNull;

/**
 * The rows that one commit removes from a table, adds to it, and changes in place.
 */
public final class RowChange
{
    private final TableRows added;
    private final Map<UUID, DeletedRows> deletes;
    private final Set<UUID> removedRowGroups;
    private final TableRows rewritten;
    private final TableOperation operation;
    private final Map<String, String> summary;
    private final Set<Integer> updatedColumns;
    // each attempt of a commit needs them
    private final Map<UUID, RowGroup> rewrittenById;
    private final Set<UUID> affectedRowGroups;

    /**
     * @param added row groups that are already in the folder of the table
     * @param deletes by the id of each row group of which rows are deleted, all its deleted rows: those that the write
     *         deletes, and those that were deleted in the version from which the write started. The files exist already
     * @param removedRowGroups ids of row groups of which all rows are deleted
     * @param rewritten row groups with only the new instances of column groups that replace others, and sketches of the
     *         new values. The files exist already
     * @param operation what the commit does, for the history of the table
     */
    public RowChange(TableRows added, Map<UUID, DeletedRows> deletes, Set<UUID> removedRowGroups, TableRows rewritten, TableOperation operation)
    {
        this(added, deletes, removedRowGroups, rewritten, operation, ImmutableMap.of(), storedColumns(rewritten));
    }

    private RowChange(TableRows added, Map<UUID, DeletedRows> deletes, Set<UUID> removedRowGroups, TableRows rewritten, TableOperation operation, Map<String, String> summary, Set<Integer> updatedColumns)
    {
        this.added = requireNonNull(added, "added is null");
        this.deletes = ImmutableMap.copyOf(deletes);
        this.removedRowGroups = ImmutableSet.copyOf(removedRowGroups);
        this.rewritten = requireNonNull(rewritten, "rewritten is null");
        this.operation = requireNonNull(operation, "operation is null");
        this.summary = ImmutableMap.copyOf(summary);
        this.updatedColumns = ImmutableSet.copyOf(updatedColumns);
        this.rewrittenById = Maps.uniqueIndex(rewritten.rowGroups(), RowGroup::id);
        checkArgument(intersection(deletes.keySet(), removedRowGroups).isEmpty(), "a row group is removed and has deleted rows");
        checkArgument(intersection(rewrittenById.keySet(), removedRowGroups).isEmpty(), "a row group is removed and has new values");
        this.affectedRowGroups = ImmutableSet.<UUID>builder()
                .addAll(deletes.keySet())
                .addAll(removedRowGroups)
                .addAll(rewrittenById.keySet())
                .build();
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

    /**
     * Returns the same change with more strings for the summary of the version, besides the numbers of rows and files.
     */
    public RowChange withSummary(Map<String, String> summary)
    {
        return new RowChange(added, deletes, removedRowGroups, rewritten, operation, summary, updatedColumns);
    }

    /**
     * Returns the same change with the ids of the columns of which the statement may have changed values, in place or
     * in new rows. Without them, these are all columns of the rewritten column groups, of which some may have the same
     * values as before.
     */
    public RowChange withUpdatedColumns(Collection<Integer> columnIds)
    {
        return new RowChange(added, deletes, removedRowGroups, rewritten, operation, summary, ImmutableSet.copyOf(columnIds));
    }

    private static Set<Integer> storedColumns(TableRows rewritten)
    {
        return rewritten.rowGroups().stream()
                .flatMap(rowGroup -> rowGroup.columnIds().stream())
                .collect(toImmutableSet());
    }

    public TableRows added()
    {
        return added;
    }

    public Map<UUID, DeletedRows> deletes()
    {
        return deletes;
    }

    public Set<UUID> removedRowGroups()
    {
        return removedRowGroups;
    }

    public TableRows rewritten()
    {
        return rewritten;
    }

    public TableOperation operation()
    {
        return operation;
    }

    Map<String, String> summary()
    {
        return summary;
    }

    public boolean isEmpty()
    {
        return added.isEmpty() && affectedRowGroups.isEmpty();
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
        return rewrittenById;
    }

    /**
     * Returns the ids of the columns that an UPDATE may have changed.
     */
    Set<Integer> updatedColumns()
    {
        return updatedColumns;
    }

    /**
     * Returns the ids of the row groups that lose rows or get new values.
     */
    Set<UUID> affectedRowGroups()
    {
        return affectedRowGroups;
    }
}
