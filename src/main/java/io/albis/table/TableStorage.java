package io.albis.table;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The files of one table.
 */
final class TableStorage
{
    private final TrinoFileSystem fileSystem;
    private final TableLayout layout;
    private final Versions versions;
    private final Manifests manifests;

    /**
     * @param writable whether anything may be changed from this warehouse
     */
    TableStorage(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, Location folder, UUID uuid, boolean writable, ManifestOptions manifestOptions)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = new TableLayout(folder);
        this.versions = new Versions(fileSystem, json, exclusiveFiles, layout, uuid, writable);
        this.manifests = new Manifests(fileSystem, layout, uuid, manifestOptions);
    }

    Location folder()
    {
        return layout.folder();
    }

    Versions versions()
    {
        return versions;
    }

    Manifests manifests()
    {
        return manifests;
    }

    AlbisTable table(String schemaName, String tableName, TableVersion version)
    {
        return new AlbisTable(schemaName, tableName, folder(), version, manifests);
    }

    /**
     * Removes a table that no name has led to, but for its row groups: the files that this attempt has written, each by its
     * name. The folder goes if nothing is left in it, as it has the id of the table in its name.
     */
    void deleteNewTable(TableVersion first)
            throws IOException
    {
        first.manifests().forEach(manifests::deleteQuietly);
        fileSystem.deleteFile(layout.version(first.version()));
        if (SmallFiles.exists(fileSystem, layout.hint())) {
            fileSystem.deleteFile(layout.hint());
        }
        if (!fileSystem.listFiles(WarehouseLayout.asDirectory(folder())).hasNext()) {
            fileSystem.deleteDirectory(folder());
        }
    }
}
