package io.albis.table.row;

import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

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
    static ConcurrentChanges find(ManifestStorage manifests, TableVersion base, TableVersion newest, ReadSet readSet, CopiedColumns copied)
            throws IOException
    {
        Map<UUID, RowGroup> before = ManifestPart.read(manifests, ManifestPart.onlyIn(base, newest), readSet);
        List<ManifestPart> newParts = ManifestPart.onlyIn(newest, base);
        Map<UUID, RowGroup> after = ManifestPart.read(manifests, newParts, readSet);
        boolean added = !before.keySet().containsAll(after.keySet());
        if (!after.keySet().containsAll(before.keySet())) {
            // A row group that remains may have values now that the write would not have read
            after = ManifestPart.read(manifests, newParts, ReadSet.wholeTable());
        }
        boolean updated = false;
        boolean removed = false;
        for (RowGroup old : before.values()) {
            RowGroup now = after.get(old.id());
            updated |= now != null && reads(readSet, old, now, copied.replacedColumns(old, now));
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
}
