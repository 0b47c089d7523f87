package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The row groups of a manifest that are in only one of two versions, or perhaps in another manifest of the other.
 *
 * @param indexes indexes of the entries in the file; empty for all that the version has
 */
record ManifestPart(ManifestEntry manifest, Optional<Set<Integer>> indexes)
{
    ManifestPart
    {
        requireNonNull(manifest, "manifest is null");
        indexes = indexes.map(ImmutableSet::copyOf);
    }

    /**
     * Returns what a version has and another has not, or has in another manifest. Reads no manifest.
     */
    static List<ManifestPart> onlyIn(TableVersion version, TableVersion other)
    {
        Map<UUID, ManifestEntry> others = Maps.uniqueIndex(other.manifests(), ManifestEntry::id);
        ImmutableList.Builder<ManifestPart> parts = ImmutableList.builder();
        for (ManifestEntry manifest : version.manifests()) {
            ManifestEntry same = others.get(manifest.id());
            if (same == null) {
                parts.add(new ManifestPart(manifest, Optional.empty()));
            }
            else if (!same.removed().equals(manifest.removed())) {
                parts.add(new ManifestPart(manifest, Optional.of(Sets.difference(ImmutableSet.copyOf(same.removed()), ImmutableSet.copyOf(manifest.removed())))));
            }
        }
        return parts.build();
    }

    /**
     * Reads the row groups of some parts that a write may have read, in the order of the parts.
     */
    static Map<UUID, RowGroup> read(ManifestStorage manifests, List<ManifestPart> parts, ReadSet readSet)
            throws IOException
    {
        List<ManifestPart> overlapping = new ArrayList<>();
        for (ManifestPart part : parts) {
            if (!part.isEmpty() && readSet.overlaps(part.manifest())) {
                overlapping.add(part);
            }
        }
        List<TableRows> contents = manifests.readWithRemoved(overlapping.stream()
                .map(ManifestPart::manifest)
                .collect(toImmutableList()));
        Map<UUID, RowGroup> rowGroups = new LinkedHashMap<>();
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

    private boolean isEmpty()
    {
        return indexes.isPresent() && indexes.get().isEmpty();
    }

    private boolean contains(int index)
    {
        return indexes.isPresent() ? indexes.get().contains(index) : !manifest.isRemoved(index);
    }
}
