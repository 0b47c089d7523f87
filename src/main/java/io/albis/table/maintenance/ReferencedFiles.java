package io.albis.table.maintenance;

import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.maintenance.ManifestUses.Use;
import io.albis.table.model.TableRows;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Files to which entries of manifests refer.
 */
final class ReferencedFiles
{
    private final Map<UUID, Set<UUID>> columnGroups = new HashMap<>();
    private final Set<UUID> remainingRowGroups = new HashSet<>();
    private final Set<UUID> deletes = new HashSet<>();

    /**
     * Adds the files of a manifest.
     *
     * @param content the content of the manifest with all of its entries
     */
    void add(Use use, TableRows content)
    {
        List<RowGroup> rowGroups = content.rowGroups();
        for (int index = 0; index < rowGroups.size(); index++) {
            if (use.isUsed(index)) {
                RowGroup rowGroup = rowGroups.get(index);
                Set<UUID> ids = columnGroups.computeIfAbsent(rowGroup.id(), _ -> new HashSet<>());
                for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                    ids.add(columnGroup.id());
                }
                rowGroup.deletedRows().ifPresent(deletedRows -> deletes.add(deletedRows.file()));
            }
        }
    }

    /**
     * Removes the files of a manifest, because they are needed.
     */
    void remove(Use use, TableRows content)
    {
        List<RowGroup> rowGroups = content.rowGroups();
        for (int index = 0; index < rowGroups.size(); index++) {
            if (use.isUsed(index)) {
                RowGroup rowGroup = rowGroups.get(index);
                Set<UUID> ids = columnGroups.get(rowGroup.id());
                if (ids != null) {
                    remainingRowGroups.add(rowGroup.id());
                    for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                        ids.remove(columnGroup.id());
                    }
                }
                rowGroup.deletedRows().ifPresent(deletedRows -> deletes.remove(deletedRows.file()));
            }
        }
    }

    boolean isEmpty()
    {
        return columnGroups.isEmpty() && deletes.isEmpty();
    }

    /**
     * Returns the column groups by row group.
     */
    Map<UUID, Set<UUID>> columnGroups()
    {
        return columnGroups;
    }

    /**
     * Returns whether some column groups of a row group were removed from this object, so its folder remains.
     */
    boolean remains(UUID rowGroup)
    {
        return remainingRowGroups.contains(rowGroup);
    }

    Set<UUID> deletes()
    {
        return deletes;
    }
}
