package io.albis.table.version;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The changes of other writers between two versions of a table, as far as a write may have read them. Only those
 * manifests are read that one of the versions has and the other has not.
 *
 * @param added whether rows were added
 * @param updated whether rows have new values in the same place
 * @param removed whether rows were removed
 */
record ConcurrentChanges(boolean added, boolean updated, boolean removed)
{
    /**
     * The row groups of a manifest that are in only one of the versions, or perhaps in another manifest of the other.
     *
     * @param indexes indexes of the entries in the file; empty for all that the version has
     */
    private record Part(ManifestEntry manifest, Optional<Set<Integer>> indexes)
    {
        boolean isEmpty()
        {
            return indexes.isPresent() && indexes.get().isEmpty();
        }

        boolean contains(int index)
        {
            return indexes.isPresent() ? indexes.get().contains(index) : !manifest.isRemoved(index);
        }
    }

    static ConcurrentChanges find(ManifestStorage manifests, TableVersion base, TableVersion newest, ReadSet readSet)
            throws IOException
    {
        Map<UUID, ManifestEntry> ofNewest = Maps.uniqueIndex(newest.manifests(), ManifestEntry::id);
        Map<UUID, ManifestEntry> ofBase = Maps.uniqueIndex(base.manifests(), ManifestEntry::id);
        Map<UUID, RowGroup> before = read(manifests, onlyIn(ofBase, ofNewest), readSet);
        List<Part> newParts = onlyIn(ofNewest, ofBase);
        Map<UUID, RowGroup> after = read(manifests, newParts, readSet);
        boolean added = !before.keySet().containsAll(after.keySet());
        if (!after.keySet().containsAll(before.keySet())) {
            // A row group that remains may have values now that the write would not have read
            after = read(manifests, newParts, ReadSet.wholeTable());
        }
        boolean updated = false;
        boolean removed = false;
        for (RowGroup old : before.values()) {
            RowGroup now = after.get(old.id());
            updated |= now != null && reads(readSet, old, now, replacedColumns(old, now));
            removed |= now == null || !now.deletedRows().equals(old.deletedRows());
        }
        return new ConcurrentChanges(added, updated, removed);
    }

    /**
     * Returns whether a scan that reads one of several columns may have read old values, or would read new ones.
     * Another scan may be the reason why the row group was read before.
     */
    private static boolean reads(ReadSet readSet, RowGroup old, RowGroup now, Set<Integer> columns)
    {
        return readSet.reads(old, columns) || readSet.reads(now, columns);
    }

    /**
     * Returns the ids of the columns of which a row group has other instances than before, or instances for the first
     * time.
     */
    static Set<Integer> replacedColumns(RowGroup old, RowGroup now)
    {
        if (now.columnGroups().equals(old.columnGroups())) {
            return ImmutableSet.of();
        }
        ImmutableSet.Builder<Integer> changed = ImmutableSet.builder();
        for (ColumnGroupInstance columnGroup : now.columnGroups()) {
            for (int columnId : columnGroup.columnIds()) {
                if (!isReadFrom(columnGroup, old, columnId)) {
                    changed.add(columnId);
                }
            }
        }
        return changed.build();
    }

    private static boolean isReadFrom(ColumnGroupInstance columnGroup, RowGroup rowGroup, int columnId)
    {
        return rowGroup.columnGroup(columnId).map(ColumnGroupInstance::id).equals(Optional.of(columnGroup.id()));
    }

    private static List<Part> onlyIn(Map<UUID, ManifestEntry> manifests, Map<UUID, ManifestEntry> others)
    {
        ImmutableList.Builder<Part> parts = ImmutableList.builder();
        for (ManifestEntry manifest : manifests.values()) {
            ManifestEntry other = others.get(manifest.id());
            if (other == null) {
                parts.add(new Part(manifest, Optional.empty()));
            }
            else if (!other.removed().equals(manifest.removed())) {
                parts.add(new Part(manifest, Optional.of(Sets.difference(ImmutableSet.copyOf(other.removed()), ImmutableSet.copyOf(manifest.removed())))));
            }
        }
        return parts.build();
    }

    private static Map<UUID, RowGroup> read(ManifestStorage manifests, List<Part> parts, ReadSet readSet)
            throws IOException
    {
        List<Part> overlapping = new ArrayList<>();
        for (Part part : parts) {
            if (!part.isEmpty() && readSet.overlaps(part.manifest())) {
                overlapping.add(part);
            }
        }
        List<TableRows> contents = manifests.readWithRemoved(overlapping.stream()
                .map(Part::manifest)
                .collect(toImmutableList()));
        Map<UUID, RowGroup> rowGroups = new HashMap<>();
        for (int i = 0; i < overlapping.size(); i++) {
            List<RowGroup> entries = contents.get(i).rowGroups();
            for (int index = 0; index < entries.size(); index++) {
                RowGroup rowGroup = entries.get(index);
                if (overlapping.get(i).contains(index) && readSet.overlaps(rowGroup)) {
                    rowGroups.put(rowGroup.id(), rowGroup);
                }
            }
        }
        return rowGroups;
    }
}
