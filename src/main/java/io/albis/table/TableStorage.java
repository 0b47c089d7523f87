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

    TableStorage(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, Location folder, UUID uuid, ManifestOptions manifestOptions)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = new TableLayout(folder);
        this.versions = new Versions(fileSystem, json, exclusiveFiles, layout, uuid);
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
     * Removes a table that never was visible, but for its row groups. Its folder may be one that the user gave: what
     * others may have put there is left alone.
     */
    void deleteNewTable()
            throws IOException
    {
        fileSystem.deleteDirectory(layout.versionsFolder());
        fileSystem.deleteDirectory(layout.manifestsFolder());
        if (!fileSystem.listFiles(WarehouseLayout.asDirectory(folder())).hasNext()) {
            fileSystem.deleteDirectory(folder());
        }
    }
}
