package io.albis.table.version;

import io.albis.table.json.JsonFiles;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.put.ExclusiveFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Access to the files of one table, except for its row groups.
 */
public final class TableStorage
{
    private final TrinoFileSystem fileSystem;
    private final TablePaths paths;
    private final Versions versions;
    private final ManifestStorage manifests;

    /**
     * Creates an object for the files of a table. It accesses no storage.
     *
     * @param folder folder of the table
     * @param uuid id of the table
     * @param writable whether this warehouse may change the table
     */
    public TableStorage(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, Location folder, UUID uuid, boolean writable, ManifestOptions manifestOptions)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = new TablePaths(folder);
        this.versions = new Versions(fileSystem, json, exclusiveFiles, paths, uuid, writable);
        this.manifests = new ManifestStorage(fileSystem, paths, uuid, manifestOptions);
    }

    public Location folder()
    {
        return paths.folder();
    }

    public Versions versions()
    {
        return versions;
    }

    public ManifestStorage manifests()
    {
        return manifests;
    }

    /**
     * Returns the file system on which the table is.
     */
    public TrinoFileSystem fileSystem()
    {
        return fileSystem;
    }

    /**
     * Returns the table at a version.
     */
    public AlbisTable table(String schemaName, String tableName, TableVersion version)
    {
        return new AlbisTable(schemaName, tableName, folder(), version, manifests);
    }
}
