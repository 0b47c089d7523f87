package io.albis.table.maintenance;

import io.albis.table.catalog.FolderLocations;
import io.albis.table.catalog.LocationChecks;
import io.albis.table.catalog.NestedWarehouses;
import io.albis.table.catalog.SchemaKeys;
import io.albis.table.catalog.Schemas;
import io.albis.table.catalog.Tables;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.name.TableNameStorage;
import io.albis.table.path.WarehousePaths;
import io.albis.table.version.Commits;
import io.trino.filesystem.TrinoFileSystem;

import static java.util.Objects.requireNonNull;

/**
 * Creates what finds and frees the folders of a warehouse to which no names refer. Each result is for one run, because
 * it remembers which names exist.
 */
public final class WarehouseCleaning
{
    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final Schemas schemas;
    private final SchemaKeys keys;
    private final TableNameStorage names;
    private final Tables tables;
    private final FolderLocations locations;
    private final LocationChecks locationChecks;
    private final Commits commits;
    private final ConcurrentReads reads;

    public WarehouseCleaning(TrinoFileSystem fileSystem, WarehousePaths paths, Schemas schemas, SchemaKeys keys, TableNameStorage names, Tables tables, FolderLocations locations, LocationChecks locationChecks, Commits commits, ConcurrentReads reads)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.names = requireNonNull(names, "names is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.locations = requireNonNull(locations, "locations is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
        this.commits = requireNonNull(commits, "commits is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    public LostTables lostTables()
    {
        WarehouseFolders folders = folders();
        return new LostTables(folders, inspection(), named(folders), reads);
    }

    public Vacuum vacuum()
    {
        WarehouseFolders folders = folders();
        NamedTables named = named(folders);
        return new Vacuum(fileSystem, folders, tables, locations, new GarbageSearch(fileSystem, paths, inspection(), named), named, commits, reads);
    }

    private NamedTables named(WarehouseFolders folders)
    {
        return new NamedTables(folders, names, keys, reads);
    }

    private WarehouseFolders folders()
    {
        return new WarehouseFolders(new NestedWarehouses(fileSystem, paths), paths, schemas, locationChecks);
    }

    private FolderInspection inspection()
    {
        return new FolderInspection(fileSystem, tables, locations);
    }
}
