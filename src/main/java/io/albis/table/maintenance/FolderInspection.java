package io.albis.table.maintenance;

import io.albis.format.io.AlbisDataException;
import io.albis.table.catalog.FolderLocations;
import io.albis.table.catalog.Tables;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * Finds out what is in folders that have the names of table folders. It changes nothing, not even a hint.
 */
final class FolderInspection
{
    private final TrinoFileSystem fileSystem;
    private final Tables tables;
    private final FolderLocations locations;

    FolderInspection(TrinoFileSystem fileSystem, Tables tables, FolderLocations locations)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.locations = requireNonNull(locations, "locations is null");
    }

    FolderContent inspect(TableFolder folder)
            throws IOException
    {
        TableStorage storage = open(folder);
        if (storage.versions().isEmpty()) {
            FolderFiles files = list(folder);
            return files.isLoad() ? new FolderContent.Load(files) : new FolderContent.Other();
        }
        TableVersion newest;
        try {
            newest = storage.versions().newest(0);
        }
        catch (AlbisDataException e) {
            return new FolderContent.Damaged();
        }
        if (!locations.isOwn(folder.location(), newest) || !Commits.knowsWriterFeatures(newest)) {
            return new FolderContent.Other();
        }
        return newest.name().isPresent() ? new FolderContent.Table(newest, newest.name().get()) : new FolderContent.Dropped(newest);
    }

    FolderFiles list(TableFolder folder)
            throws IOException
    {
        return FolderFiles.list(fileSystem, folder.location());
    }

    /**
     * Returns the last name of a table that was dropped.
     *
     * @param dropped the newest version. The version before it has the name
     * @return empty if a stub has replaced the version before, if there is none, or if it is damaged
     */
    Optional<TableName> lastName(TableFolder folder, TableVersion dropped)
            throws IOException
    {
        if (dropped.version() == FIRST_VERSION) {
            return Optional.empty();
        }
        return open(folder).versions().readUnlessDamaged(dropped.version() - 1)
                .flatMap(TableVersion::name);
    }

    TableStorage open(TableFolder folder)
    {
        return tables.open(folder.location(), folder.uuid(), false);
    }
}
