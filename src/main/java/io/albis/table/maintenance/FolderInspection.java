package io.albis.table.maintenance;

import io.albis.format.io.AlbisDataException;
import io.albis.table.catalog.FolderLocations;
import io.albis.table.catalog.Tables;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
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

    enum Kind
    {
        /**
         * The newest version has a name, which need not lead to it.
         */
        TABLE,
        /**
         * The newest version has no name.
         */
        DROPPED,
        /**
         * The newest version cannot be read.
         */
        DAMAGED,
        /**
         * Row groups of a load that runs or has failed before its first version.
         */
        LOAD,
        /**
         * The folder contains none of these, or belongs to another warehouse or to a newer version of Albis.
         */
        OTHER,
    }

    /**
     * @param newest the newest version of a table, or of one that was dropped
     * @param files the files of a load
     */
    record Inspected(TableFolder folder, Kind kind, Optional<TableVersion> newest, Optional<FolderFiles> files)
    {
        private static Inspected of(TableFolder folder, Kind kind)
        {
            return new Inspected(folder, kind, Optional.empty(), Optional.empty());
        }
    }

    Inspected inspect(TableFolder folder)
            throws IOException
    {
        TableStorage storage = open(folder);
        if (storage.versions().isEmpty()) {
            FolderFiles files = list(folder);
            return files.isLoad() ? new Inspected(folder, Kind.LOAD, Optional.empty(), Optional.of(files)) : Inspected.of(folder, Kind.OTHER);
        }
        TableVersion newest;
        try {
            newest = storage.versions().newest(0);
        }
        catch (AlbisDataException e) {
            return Inspected.of(folder, Kind.DAMAGED);
        }
        if (!locations.isOwn(folder.location(), newest) || !Commits.knowsWriterFeatures(newest)) {
            return Inspected.of(folder, Kind.OTHER);
        }
        return new Inspected(folder, newest.name().isPresent() ? Kind.TABLE : Kind.DROPPED, Optional.of(newest), Optional.empty());
    }

    FolderFiles list(TableFolder folder)
            throws IOException
    {
        return FolderFiles.list(fileSystem, folder.location());
    }

    /**
     * Returns the version before that which has dropped a table, which has its last name.
     *
     * @return empty if a stub has replaced it, if there is none, or if it is damaged
     */
    Optional<TableVersion> lastNamed(TableFolder folder, TableVersion dropped)
            throws IOException
    {
        if (dropped.version() == FIRST_VERSION) {
            return Optional.empty();
        }
        try {
            return open(folder).versions().read(dropped.version() - 1);
        }
        catch (AlbisDataException e) {
            if (e.reason() != DAMAGED) {
                throw e;
            }
            // Perhaps a stub that was not written completely
            return Optional.empty();
        }
    }

    TableStorage open(TableFolder folder)
    {
        return tables.open(folder.location(), folder.uuid(), false);
    }
}
