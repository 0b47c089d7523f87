package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.maintenance.ManifestUses.Use;
import io.albis.table.model.ExpiredVersions;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.version.ExpiredVersion;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.table.maintenance.StorageReads.BATCH_SIZE;
import static io.albis.table.maintenance.StorageReads.callAll;
import static java.util.Objects.requireNonNull;

/**
 * Deletes the files that only expired versions use, and replaces the expired versions by stubs. All of these files have
 * unique ids, so each deletion can be repeated at any time. Files are deleted before the manifest that names them, and
 * manifests before the version that names them. What a crash leaves can therefore be found again.
 */
final class ExpiredFiles
{
    private final TableStorage storage;
    private final TrinoFileSystem fileSystem;
    private final TableVersion newest;
    private final ExpiredVersions expired;

    /**
     * @param newest a version that was the newest one when its commit announced what has expired, or later
     */
    ExpiredFiles(TableStorage storage, TableVersion newest)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.fileSystem = storage.fileSystem();
        this.newest = requireNonNull(newest, "newest is null");
        this.expired = newest.expired().orElse(ExpiredVersions.NONE);
    }

    /**
     * @throws AlbisDataException if a file of a version that remains is missing or damaged, possibly because that
     *         version has expired in the meantime. Nothing that remains is deleted
     */
    ExpiryResult delete()
            throws IOException
    {
        List<Long> candidates = new ArrayList<>();
        for (long version = expired.collected(); version < expired.before(); version++) {
            if (expired.contains(version)) {
                candidates.add(version);
            }
        }
        // A later version can use more of a manifest than an earlier one, so all uses are known before one is deleted
        ManifestUses uses = new ManifestUses();
        List<ExpiredVersion> versions = new ArrayList<>();
        for (List<Long> batch : Lists.partition(candidates, BATCH_SIZE)) {
            for (TableVersion version : readExpired(batch)) {
                uses.add(version);
                versions.add(ExpiredVersion.of(version));
            }
        }
        return versions.isEmpty() ? ExpiryResult.NOTHING : delete(versions, uses, ManifestUses.ofRemaining(storage, 0, newest.version(), newest));
    }

    /**
     * Returns those of the versions that are not stubs.
     */
    private List<TableVersion> readExpired(List<Long> numbers)
            throws IOException
    {
        return callAll(storage, numbers, storage.versions()::readUnlessDamaged).stream()
                .flatMap(Optional::stream)
                .collect(toImmutableList());
    }

    private ExpiryResult delete(List<ExpiredVersion> versions, ManifestUses uses, ManifestUses remaining)
            throws IOException
    {
        List<Use> candidates = uses.all().values().stream()
                .filter(use -> !remaining.find(use.entry().id()).map(use::isPartOf).orElse(false))
                .collect(toImmutableList());
        ReferencedFiles garbage = new ReferencedFiles();
        for (List<Use> batch : Lists.partition(candidates, BATCH_SIZE)) {
            List<Optional<TableRows>> contents = callAll(storage, batch, this::readExpired);
            for (int i = 0; i < batch.size(); i++) {
                Use use = batch.get(i);
                contents.get(i).ifPresent(content -> garbage.add(use, content));
            }
        }
        if (!garbage.isEmpty()) {
            for (List<Use> batch : Lists.partition(ImmutableList.copyOf(remaining.all().values()), BATCH_SIZE)) {
                List<TableRows> remainingContents = callAll(storage, batch, this::read);
                for (int i = 0; i < batch.size(); i++) {
                    garbage.remove(batch.get(i), remainingContents.get(i));
                }
            }
        }
        List<UUID> manifests = uses.all().keySet().stream()
                .filter(manifest -> remaining.find(manifest).isEmpty())
                .collect(toImmutableList());
        return delete(versions, garbage, manifests);
    }

    private ExpiryResult delete(List<ExpiredVersion> versions, ReferencedFiles garbage, List<UUID> manifests)
            throws IOException
    {
        Location folder = storage.folder();
        fileSystem.deleteFiles(garbage.deletes().stream()
                .map(file -> DeletedRows.location(folder, file))
                .collect(toImmutableList()));
        long rowGroups = 0;
        long columnGroups = 0;
        for (Map.Entry<UUID, Set<UUID>> rowGroup : garbage.columnGroups().entrySet()) {
            Location rowGroupFolder = RowGroup.folder(folder, rowGroup.getKey());
            if (!garbage.remains(rowGroup.getKey())) {
                fileSystem.deleteDirectory(rowGroupFolder);
                rowGroups++;
                continue;
            }
            for (UUID columnGroup : rowGroup.getValue()) {
                fileSystem.deleteDirectory(rowGroupFolder.appendPath(ColumnGroupInstance.folderName(columnGroup)));
                columnGroups++;
            }
        }
        TablePaths paths = new TablePaths(folder);
        fileSystem.deleteFiles(manifests.stream()
                .map(paths::manifest)
                .collect(toImmutableList()));
        for (ExpiredVersion version : versions) {
            storage.versions().replaceByStub(version);
        }
        return new ExpiryResult(versions.size(), rowGroups, columnGroups, garbage.deletes().size(), manifests.size());
    }

    private Optional<TableRows> readExpired(Use use)
            throws IOException
    {
        try {
            return Optional.of(read(use));
        }
        catch (AlbisDataException e) {
            if (e.reason() != DAMAGED) {
                throw e;
            }
            // An earlier expiry has deleted what it names, and then the manifest itself
            return Optional.empty();
        }
    }

    private TableRows read(Use use)
            throws IOException
    {
        return storage.manifests().readWithRemoved(ImmutableList.of(use.entry())).getFirst();
    }
}
