package io.albis.table.row;

import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableOperation.OPTIMIZE;
import static io.albis.table.model.TableOperation.OVERWRITE;

/**
 * Finds out whether others have written rows of row groups again elsewhere. The predicate of a write need not select
 * the new rows, for example if an UPDATE has changed the column of the predicate. This reads the versions in between.
 */
final class MovedRows
{
    private final ManifestStorage manifests;
    private final Set<UUID> rowGroups;
    private final LaterVersions versions;

    private boolean found;

    /**
     * @param base version from which a write started
     * @param rowGroups row groups of this version
     */
    MovedRows(TableStorage storage, TableVersion base, Set<UUID> rowGroups)
    {
        this.manifests = storage.manifests();
        this.rowGroups = ImmutableSet.copyOf(rowGroups);
        this.versions = new LaterVersions(storage, base, this::visit);
    }

    /**
     * Returns whether an UPDATE or a MERGE may have moved rows of one of the row groups, or an optimization has moved
     * them, so that an UPDATE may have moved them afterward.
     *
     * @param next copy of the newest version with the next number
     */
    boolean mayExist(TableVersion next)
            throws IOException
    {
        return !rowGroups.isEmpty() && (!versions.readUntil(next) || found);
    }

    private void visit(TableVersion before, TableVersion version)
            throws IOException
    {
        boolean moves = version.operation().equals(OVERWRITE.label()) || version.operation().equals(OPTIMIZE.label());
        found |= moves && deletesFrom(rowGroups, manifests, before, version);
    }

    /**
     * Returns whether a version has fewer rows of one of the row groups than the version before.
     */
    static boolean deletesFrom(Set<UUID> rowGroups, ManifestStorage manifests, TableVersion before, TableVersion version)
            throws IOException
    {
        Map<UUID, RowGroup> old = ManifestPart.read(manifests, ManifestPart.onlyIn(before, version), ReadSet.wholeTable());
        Map<UUID, RowGroup> changed = ManifestPart.read(manifests, ManifestPart.onlyIn(version, before), ReadSet.wholeTable());
        for (UUID id : rowGroups) {
            RowGroup rowGroup = old.get(id);
            RowGroup now = changed.get(id);
            if (rowGroup != null && (now == null || !now.deletedRows().equals(rowGroup.deletedRows()))) {
                return true;
            }
        }
        return false;
    }
}
