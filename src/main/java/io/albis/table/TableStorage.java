package io.albis.table;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.util.UUID;

/**
 * The files of one table.
 */
final class TableStorage
{
    private final TableLayout layout;
    private final Versions versions;
    private final Manifests manifests;

    /**
     * @param writable whether anything may be changed from this warehouse
     */
    TableStorage(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, Location folder, UUID uuid, boolean writable, ManifestOptions manifestOptions)
    {
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
}
