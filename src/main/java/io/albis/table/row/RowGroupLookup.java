package io.albis.table.row;

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

/**
 * Finds the entries of row groups in the manifests of a version.
 */
final class RowGroupLookup
{
    private final Map<UUID, Found> found = new HashMap<>();

    /**
     * The entry of a row group.
     *
     * @param content all entries of the manifest, including those that are not in the version
     * @param index index of the entry among them
     */
    record Found(ManifestEntry manifest, TableRows content, int index)
    {
        RowGroup rowGroup()
        {
            return content.rowGroups().get(index);
        }
    }

    /**
     * Searches those manifests first from which the write has read.
     *
     * @param ids ids of the row groups, of which some may not exist in the version
     */
    RowGroupLookup(ManifestStorage manifests, TableVersion version, Set<UUID> ids, ReadSet readSet)
            throws IOException
    {
        List<ManifestEntry> probable = new ArrayList<>();
        List<ManifestEntry> others = new ArrayList<>();
        for (ManifestEntry manifest : version.manifests()) {
            if (readSet.isBlind() || readSet.overlaps(manifest)) {
                probable.add(manifest);
            }
            else {
                others.add(manifest);
            }
        }
        for (List<ManifestEntry> searched : List.of(probable, others)) {
            if (found.size() < ids.size()) {
                search(manifests, searched, ids);
            }
        }
    }

    private void search(ManifestStorage manifests, List<ManifestEntry> searched, Set<UUID> ids)
            throws IOException
    {
        List<TableRows> contents = manifests.readWithRemoved(searched);
        for (int i = 0; i < searched.size(); i++) {
            List<RowGroup> rowGroups = contents.get(i).rowGroups();
            for (int index = 0; index < rowGroups.size(); index++) {
                if (ids.contains(rowGroups.get(index).id()) && !searched.get(i).isRemoved(index)) {
                    found.put(rowGroups.get(index).id(), new Found(searched.get(i), contents.get(i), index));
                }
            }
        }
    }

    Optional<Found> get(UUID rowGroupId)
    {
        return Optional.ofNullable(found.get(rowGroupId));
    }
}
