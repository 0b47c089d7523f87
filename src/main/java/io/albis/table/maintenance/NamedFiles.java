package io.albis.table.maintenance;

import com.google.common.collect.Lists;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.maintenance.ManifestUses.Use;
import io.albis.table.model.CondemnedWrites;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.maintenance.StorageReads.BATCH_SIZE;
import static java.util.Objects.requireNonNull;

/**
 * The files that all versions of a table name that have not expired, up to some version.
 */
final class NamedFiles
{
    private final TableStorage storage;

    private final ManifestUses manifests = new ManifestUses();
    private final Set<UUID> rowGroups = new HashSet<>();
    private final Set<UUID> columnGroups = new HashSet<>();
    private final Set<UUID> deletes = new HashSet<>();
    // The last version that was read, and 0 before the first call has succeeded
    private long last;

    NamedFiles(TableStorage storage)
    {
        this.storage = requireNonNull(storage, "storage is null");
    }

    /**
     * Adds the files of all versions up to one, as far as they are not included yet. This can be called again after a
     * failure.
     *
     * @param number number of the version
     * @param newest the version, or a copy of it
     * @throws io.albis.format.io.AlbisDataException if a file is missing or damaged, possibly because a version has
     *         expired in the meantime
     */
    void readTo(long number, TableVersion newest)
            throws IOException
    {
        if (number == last) {
            return;
        }
        ManifestUses added = ManifestUses.ofRemaining(storage, last, number, newest);
        // An earlier version may have been restored, but it has not expired, so its uses are known
        List<Use> unknown = added.all().values().stream()
                .filter(use -> !manifests.find(use.entry().id()).map(use::isPartOf).orElse(false))
                .collect(toImmutableList());
        for (List<Use> batch : Lists.partition(unknown, BATCH_SIZE)) {
            List<TableRows> contents = storage.manifests().readWithRemoved(batch.stream()
                    .map(Use::entry)
                    .collect(toImmutableList()));
            for (int i = 0; i < batch.size(); i++) {
                add(batch.get(i), contents.get(i));
            }
        }
        manifests.addAll(added);
        last = number;
    }

    private void add(Use use, TableRows content)
    {
        List<RowGroup> entries = content.rowGroups();
        for (int index = 0; index < entries.size(); index++) {
            if (use.isUsed(index)) {
                RowGroup rowGroup = entries.get(index);
                rowGroups.add(rowGroup.id());
                for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                    columnGroups.add(columnGroup.id());
                }
                rowGroup.deletedRows().ifPresent(deletedRows -> deletes.add(deletedRows.file()));
            }
        }
    }

    boolean contains(TableFile file)
    {
        return switch (file.kind()) {
            case COLUMN_GROUP -> columnGroups.contains(file.id());
            case DELETES -> deletes.contains(file.id());
            case MANIFEST -> manifests.find(file.id()).isPresent();
        };
    }

    boolean containsRowGroup(UUID rowGroup)
    {
        return rowGroups.contains(rowGroup);
    }

    /**
     * Returns the write that has created a file. A whole row group belongs to one write, and a column group of a row
     * group that versions name may belong to a later one.
     */
    String writeOf(TableFile file)
    {
        return CondemnedWrites.writeOf(file.rowGroup()
                .filter(rowGroup -> !containsRowGroup(rowGroup))
                .orElse(file.id()));
    }

    long manifestCount()
    {
        return manifests.all().size();
    }

    /**
     * Returns the number of files.
     */
    long count()
    {
        return manifests.all().size() + deletes.size() + 2L * columnGroups.size();
    }
}
