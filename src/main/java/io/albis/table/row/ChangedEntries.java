package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ChangedManifest;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableException;
import io.albis.table.model.TableOperation;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.row.RowGroupLookup.Found;
import io.albis.table.sketch.ColumnSketches;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Maps.uniqueIndex;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static java.util.Objects.requireNonNull;

/**
 * Applies the deletes and the new column groups of a write to the entries of row groups as they are in the newest
 * version.
 */
final class ChangedEntries
{
    private static final String DELETED_ROWS = "deleted or updated rows";
    private static final String REMOVED_ROW_GROUPS = "removed or rewritten row groups";

    private final DeletesMerge merge;
    private final ReadSet readSet;
    private final CopiedColumns copied;
    private final String versions;
    private final Map<UUID, ManifestEntry> baseManifests;
    private final Set<Integer> columnIds;
    private final Set<Integer> columnsWithInitialValue;
    private final Map<UUID, Changes> changes = new LinkedHashMap<>();

    private boolean contested;
    private boolean allFound = true;
    // row groups with rows that the write deletes, and others have deleted too
    private final Set<UUID> deletedByOthers = new LinkedHashSet<>();
    private long rowsDeletedByOthers;
    // row groups that the write updates in place, and from which others have deleted rows
    private final Set<UUID> updatedBesideDeletes = new LinkedHashSet<>();
    private long deletedRows;
    private int changedRowGroups;
    private int removedRowGroups;
    private int rewrittenRowGroups;
    private long rewrittenBytes;
    private long removedBytes;

    /**
     * Changes of the entries of one manifest.
     */
    private record Changes(ManifestEntry manifest, TableRows content, Map<Integer, Optional<RowGroup>> entries) {}

    /**
     * The entry of a row group.
     *
     * @param base the entry in the version from which the write started
     */
    private record Entry(Found found, RowGroup base)
    {
        RowGroup current()
        {
            return found.rowGroup();
        }

        boolean hasSameDeletes()
        {
            return current().deletedRows().equals(base.deletedRows());
        }
    }

    private ChangedEntries(DeletesMerge merge, TableVersion base, TableVersion newest, ReadSet readSet, CopiedColumns copied)
    {
        this.merge = requireNonNull(merge, "merge is null");
        this.readSet = requireNonNull(readSet, "readSet is null");
        this.copied = requireNonNull(copied, "copied is null");
        this.versions = "versions %s to %s".formatted(base.version() + 1, newest.version() - 1);
        this.baseManifests = uniqueIndex(base.manifests(), ManifestEntry::id);
        // The newest version has the same ones, because the write is refused otherwise
        this.columnIds = base.columns().stream().map(TableColumn::id).collect(toImmutableSet());
        this.columnsWithInitialValue = base.columns().stream().filter(column -> column.initial().isPresent()).map(TableColumn::id).collect(toImmutableSet());
    }

    /**
     * Applies a change.
     *
     * @param base version from which the write started
     * @param newest copy of the version to which the commit is applied, with the next number
     * @param copied columns with the same values in both versions
     * @throws TableException CONFLICT if others have deleted the same rows and the write does not commute with that, or
     *         if others have replaced column groups on which the write depends
     */
    static ChangedEntries find(ManifestStorage manifests, DeletesMerge merge, TableVersion base, TableVersion newest, RowChange change, ReadSet readSet, CopiedColumns copied)
            throws IOException
    {
        ChangedEntries entries = new ChangedEntries(merge, base, newest, readSet, copied);
        Set<UUID> ids = change.affectedRowGroups();
        if (ids.isEmpty()) {
            return entries;
        }
        RowGroupLookup current = new RowGroupLookup(manifests, newest, ids, readSet);
        Set<UUID> changedSince = new HashSet<>();
        for (UUID id : ids) {
            if (!current.get(id).map(entries::isSameInBase).orElse(false)) {
                changedSince.add(id);
            }
        }
        RowGroupLookup before = changedSince.isEmpty() ? current : new RowGroupLookup(manifests, base, changedSince, readSet);
        Map<UUID, RowGroup> rewritten = change.rewrittenById();
        for (UUID id : ids) {
            RowGroup known = before(changedSince.contains(id) ? before : current, id, base);
            Optional<Found> found = current.get(id);
            if (found.isEmpty()) {
                entries.lose(known, change.deletes().get(id));
                continue;
            }
            Entry entry = new Entry(found.get(), known);
            Optional<RowGroup> changed = Optional.of(entry.current());
            if (change.removedRowGroups().contains(id)) {
                changed = entries.remove(entry, change.operation());
            }
            else if (change.deletes().containsKey(id)) {
                changed = entries.delete(entry, change.deletes().get(id));
            }
            if (rewritten.containsKey(id)) {
                entries.checkRewrite(entry, rewritten.get(id));
                changed = changed.map(rowGroup -> entries.rewrite(rowGroup, rewritten.get(id)));
            }
            if (changed.isEmpty() || changed.get() != entry.current()) {
                entries.change(entry.found(), changed);
            }
        }
        return entries;
    }

    /**
     * Returns whether the entry is in the version from which the write started. A manifest never changes.
     */
    private boolean isSameInBase(Found found)
    {
        ManifestEntry inBase = baseManifests.get(found.manifest().id());
        return inBase != null && !inBase.isRemoved(found.index());
    }

    private static RowGroup before(RowGroupLookup lookup, UUID id, TableVersion base)
    {
        return lookup.get(id)
                .orElseThrow(() -> new IllegalArgumentException("version %s of the table does not have the row group %s".formatted(base.version(), id)))
                .rowGroup();
    }

    /**
     * @param deletes rows that the write deletes, and those that were deleted before; null if there are none
     */
    private void lose(RowGroup rowGroup, @Nullable DeletedRows deletes)
    {
        allFound = false;
        contest(rowGroup.id(), readSet.onlyDeletes(), REMOVED_ROW_GROUPS);
        if (deletes != null) {
            addDeletedByOthers(rowGroup.id(), deletes.count() - rowGroup.deletedRows().map(DeletedRows::count).orElse(0L));
        }
    }

    private void addDeletedByOthers(UUID rowGroup, long rows)
    {
        deletedByOthers.add(rowGroup);
        rowsDeletedByOthers += rows;
    }

    private Optional<RowGroup> remove(Entry entry, TableOperation operation)
            throws IOException
    {
        checkValues(entry);
        if (operation == OPTIMIZE && !instanceIds(entry.current()).equals(instanceIds(entry.base()))) {
            // The new row groups have the column groups of the old ones, and would undo a regrouping
            throw new TableException(CONFLICT, "Another transaction has written new columns of row groups that this statement replaces. Retry the statement");
        }
        if (!entry.hasSameDeletes()) {
            contest(entry.current().id(), readSet.onlyDeletes(), DELETED_ROWS);
        }
        return Optional.empty();
    }

    private Set<UUID> instanceIds(RowGroup rowGroup)
    {
        // A commit that writes the manifest again leaves out column groups of which all columns were dropped
        return rowGroup.withColumns(columnIds).columnGroups().stream().map(ColumnGroupInstance::id).collect(toImmutableSet());
    }

    private Optional<RowGroup> delete(Entry entry, DeletedRows deletes)
            throws IOException
    {
        checkValues(entry);
        RowGroup current = entry.current();
        Optional<DeletedRows> base = entry.base().deletedRows();
        checkArgument(deletes.count() > base.map(DeletedRows::count).orElse(0L), "the deletes of row group %s do not include those that it had", current.id());
        checkArgument(deletes.count() <= current.rows(), "%s of %s rows of row group %s are deleted", deletes.count(), current.rows(), current.id());
        if (entry.hasSameDeletes()) {
            return deletes.count() == current.rows() ? Optional.empty() : Optional.of(current.withDeletedRows(deletes));
        }
        long overlapBefore = merge.overlap();
        Optional<RowGroup> merged = merge.merge(current, base, deletes);
        if (merge.overlap() > overlapBefore) {
            contest(current.id(), readSet.onlyDeletes(), DELETED_ROWS);
            addDeletedByOthers(current.id(), merge.overlap() - overlapBefore);
        }
        return merged;
    }

    /**
     * Checks that others have not changed values of a row group from which the write deletes rows. It may add these
     * rows again with the values that it has read. If it only deletes them, this matters only for the columns that it
     * has read, because it may not have to delete the rows any more.
     */
    private void checkValues(Entry entry)
            throws IOException
    {
        Set<Integer> replaced = copied.replacedColumns(entry.base(), entry.current());
        if (!replaced.isEmpty() && (!readSet.onlyDeletes() || readSet.reads(entry.base(), replaced))) {
            throw new TableException(CONFLICT, "Another transaction has updated row groups in which this statement deletes or updates rows. Retry the statement");
        }
    }

    /**
     * Checks that the columns have the values that the write has copied where it did not change them, and that nobody
     * else has stored new columns in the meantime. Other columns do not matter, even if they were in the same files.
     * Rows that others have deleted in the meantime may exist again in row groups that they have added, which the write
     * has not updated. This matters also if no row is left of the row group.
     */
    private void checkRewrite(Entry entry, RowGroup rewritten)
            throws IOException
    {
        for (int columnId : rewritten.columnIds()) {
            checkArgument(columnIds.contains(columnId), "row group %s has new values of column %s, which the table does not have", rewritten.id(), columnId);
            if (!copied.hasSameValues(entry.base(), entry.current(), columnId)) {
                throw new TableException(CONFLICT, "Another transaction has updated columns that this statement writes again, in the same row groups. Retry the statement");
            }
        }
        if (!entry.hasSameDeletes()) {
            contest(rewritten.id(), readSet.commutesWithDeletes(), DELETED_ROWS);
            if (!readSet.onlyDeletes()) {
                updatedBesideDeletes.add(rewritten.id());
            }
        }
    }

    private RowGroup rewrite(RowGroup changed, RowGroup rewritten)
    {
        rewrittenRowGroups++;
        rewrittenBytes += rewritten.bytes();
        // The row group in the next version includes them, but they replace others
        removedBytes += rewritten.bytes();
        return changed.withRewritten(rewritten);
    }

    private void change(Found found, Optional<RowGroup> changed)
    {
        removedBytes += found.rowGroup().bytes() - changed.map(RowGroup::bytes).orElse(0L);
        changes.computeIfAbsent(found.manifest().id(), _ -> new Changes(found.manifest(), found.content(), new HashMap<>()))
                .entries().put(found.index(), changed);
        long deleted = found.rowGroup().liveRows() - changed.map(RowGroup::liveRows).orElse(0L);
        deletedRows += deleted;
        if (changed.isPresent()) {
            changedRowGroups += deleted > 0 ? 1 : 0;
        }
        else {
            removedRowGroups++;
        }
    }

    /**
     * @param commutes whether the write does not depend on the rows that others have deleted, unless they have added
     *         them again
     * @param what what others have done
     */
    private void contest(UUID rowGroup, boolean commutes, String what)
    {
        contested = true;
        if (!commutes) {
            throw new TableException(CONFLICT, "Another transaction has %s that this statement changes (row group %s), in %s. Retry the statement", what, rowGroup, versions);
        }
    }

    boolean isEmpty()
    {
        return changes.isEmpty();
    }

    /**
     * Returns the manifests with the entries that change.
     *
     * @param rewritten sketches of the values that the write has changed in place
     */
    List<ChangedManifest> manifests(ColumnSketches rewritten)
    {
        return changes.values().stream()
                .map(changed -> new ChangedManifest(changed.manifest(), changed.content(), changed.entries(), rewritten, columnsWithInitialValue))
                .collect(toImmutableList());
    }

    /**
     * Returns whether others have deleted rows that the write deletes too, or may have updated in place. They may have
     * added new versions of these rows.
     */
    boolean contested()
    {
        return contested;
    }

    /**
     * Returns the ids of the row groups with rows that a DELETE deletes, and others have deleted too. It leaves out the
     * row groups that the DELETE removes as a whole, because it counts their rows when it commits.
     */
    Set<UUID> deletedByOthers()
    {
        return deletedByOthers;
    }

    /**
     * Returns how many such rows there are.
     */
    long rowsDeletedByOthers()
    {
        return rowsDeletedByOthers;
    }

    /**
     * Returns the ids of the row groups that an UPDATE changes in place, and from which others have deleted rows. It
     * may have counted these rows.
     */
    Set<UUID> updatedBesideDeletes()
    {
        return updatedBesideDeletes;
    }

    /**
     * Returns how many rows the version has that the write removes.
     */
    long deletedRows()
    {
        return deletedRows;
    }

    /**
     * Returns whether the version has all row groups that the write changes.
     */
    boolean allFound()
    {
        return allFound;
    }

    /**
     * Returns the summary of a commit of these changes.
     *
     * @param addedBytes size of the row groups that the same commit adds
     */
    Map<String, String> summary(long addedBytes)
    {
        return ImmutableMap.of(
                "deleted-records", String.valueOf(deletedRows),
                "deleted-data-files", String.valueOf(removedRowGroups),
                "added-files-size", String.valueOf(addedBytes + rewrittenBytes),
                "removed-files-size", String.valueOf(removedBytes),
                "changed-row-groups", String.valueOf(changedRowGroups),
                "rewritten-row-groups", String.valueOf(rewrittenRowGroups),
                "rewritten-bytes", String.valueOf(rewrittenBytes));
    }
}
