package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ChangedManifest;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.version.RowGroupLookup.Found;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Maps.uniqueIndex;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * Applies the deletes of a write to the entries of row groups as they are in the newest version.
 */
final class ChangedEntries
{
    private final DeletesMerge merge;
    private final ReadSet readSet;
    private final Map<UUID, ManifestEntry> baseManifests;
    private final Map<UUID, Changes> changes = new LinkedHashMap<>();

    private boolean contested;
    private boolean allFound = true;
    private long deletedRows;
    private int changedRowGroups;
    private int removedRowGroups;

    /**
     * Changes of the entries of one manifest.
     */
    private record Changes(ManifestEntry manifest, TableRows content, Map<Integer, Optional<RowGroup>> entries) {}

    private ChangedEntries(DeletesMerge merge, TableVersion base, ReadSet readSet)
    {
        this.merge = requireNonNull(merge, "merge is null");
        this.readSet = requireNonNull(readSet, "readSet is null");
        this.baseManifests = uniqueIndex(base.manifests(), ManifestEntry::id);
    }

    /**
     * Applies a change.
     *
     * @param base version from which the write started
     * @param newest version to which the commit is applied
     * @throws TableException CONFLICT if others have deleted the same rows and the write does not commute with that
     */
    static ChangedEntries find(ManifestStorage manifests, DeletesMerge merge, TableVersion base, TableVersion newest, RowChange change, ReadSet readSet)
            throws IOException
    {
        ChangedEntries entries = new ChangedEntries(merge, base, readSet);
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
        for (UUID id : ids) {
            RowGroup known = before(changedSince.contains(id) ? before : current, id, base);
            Optional<Found> found = current.get(id);
            if (found.isEmpty()) {
                entries.allFound = false;
                entries.contest();
            }
            else if (change.removedRowGroups().contains(id)) {
                entries.remove(found.get(), known.deletedRows());
            }
            else {
                entries.delete(found.get(), known.deletedRows(), change.deletes().get(id));
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

    private void remove(Found found, Optional<DeletedRows> base)
    {
        if (!found.rowGroup().deletedRows().equals(base)) {
            contest();
        }
        change(found, Optional.empty());
    }

    private void delete(Found found, Optional<DeletedRows> base, DeletedRows deletes)
            throws IOException
    {
        RowGroup current = found.rowGroup();
        checkArgument(deletes.count() > base.map(DeletedRows::count).orElse(0L), "the deletes of row group %s do not include those that it had", current.id());
        checkArgument(deletes.count() <= current.rows(), "%s of %s rows of row group %s are deleted", deletes.count(), current.rows(), current.id());
        if (current.deletedRows().equals(base)) {
            change(found, deletes.count() == current.rows() ? Optional.empty() : Optional.of(current.withDeletedRows(deletes)));
            return;
        }
        Optional<RowGroup> merged = merge.merge(current, base, deletes);
        if (merge.overlap()) {
            contest();
        }
        if (merged.isEmpty() || merged.get() != current) {
            change(found, merged);
        }
    }

    private void change(Found found, Optional<RowGroup> changed)
    {
        changes.computeIfAbsent(found.manifest().id(), _ -> new Changes(found.manifest(), found.content(), new HashMap<>()))
                .entries().put(found.index(), changed);
        deletedRows += found.rowGroup().liveRows() - changed.map(RowGroup::liveRows).orElse(0L);
        if (changed.isPresent()) {
            changedRowGroups++;
        }
        else {
            removedRowGroups++;
        }
    }

    private void contest()
    {
        contested = true;
        if (!readSet.commutesWithDeletes()) {
            throw new TableException(CONFLICT, "Another transaction has deleted or updated rows that this statement changes. Retry the statement");
        }
    }

    boolean isEmpty()
    {
        return changes.isEmpty();
    }

    /**
     * Returns the manifests with the entries that change.
     */
    List<ChangedManifest> manifests()
    {
        return changes.values().stream()
                .map(changed -> new ChangedManifest(changed.manifest(), changed.content(), changed.entries()))
                .collect(toImmutableList());
    }

    /**
     * Returns whether others have deleted rows that the write deletes too. They may have added new versions of these
     * rows.
     */
    boolean contested()
    {
        return contested;
    }

    /**
     * Returns whether the version has all row groups that the write changes.
     */
    boolean allFound()
    {
        return allFound;
    }

    Map<String, String> summary()
    {
        return ImmutableMap.of(
                "deleted-rows", String.valueOf(deletedRows),
                "changed-row-groups", String.valueOf(changedRowGroups),
                "removed-row-groups", String.valueOf(removedRowGroups));
    }
}
