package io.albis.table;

import io.albis.format.type.TypeResolver;
import io.albis.table.catalog.FolderLocations;
import io.albis.table.catalog.LocationChecks;
import io.albis.table.catalog.NestedWarehouses;
import io.albis.table.catalog.NewEntries;
import io.albis.table.catalog.SchemaKeys;
import io.albis.table.catalog.SchemaRename;
import io.albis.table.catalog.Schemas;
import io.albis.table.catalog.TableCreation;
import io.albis.table.catalog.TableNaming;
import io.albis.table.catalog.TableRegistration;
import io.albis.table.catalog.Tables;
import io.albis.table.catalog.ViewCreation;
import io.albis.table.json.JsonFiles;
import io.albis.table.maintenance.WarehouseCleaning;
import io.albis.table.name.SchemaNameStorage;
import io.albis.table.name.TableNameStorage;
import io.albis.table.name.WarehouseIdentity;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.version.Commits;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;

import static io.albis.table.storage.CheckedFileSystem.checked;

/**
 * The parts of a warehouse and how they depend on each other.
 *
 * @param schemas the schemas
 * @param keys finds schemas and their keys
 * @param schemaRename the rename of schemas
 * @param names the names of tables
 * @param tables existing tables
 * @param locationChecks checks of the locations that users choose
 * @param creation the creation of tables
 * @param viewCreation the creation of views
 * @param naming the changes of the names of tables
 * @param registration the registration of tables without a name
 * @param cleaning finds and frees what no names refer to
 * @param changes all other changes of tables
 * @param exclusiveFiles creates files that do not exist yet
 * @param root folder of the warehouse
 */
record WarehouseParts(
        Schemas schemas,
        SchemaKeys keys,
        SchemaRename schemaRename,
        TableNameStorage names,
        Tables tables,
        LocationChecks locationChecks,
        TableCreation creation,
        ViewCreation viewCreation,
        TableNaming naming,
        TableRegistration registration,
        WarehouseCleaning cleaning,
        TableChanges changes,
        ExclusiveFiles exclusiveFiles,
        Location root)
{
    static WarehouseParts create(TrinoFileSystem storage, Location root, TypeResolver types, WarehouseOptions options)
    {
        TrinoFileSystem fileSystem = checked(storage);
        WarehousePaths paths = new WarehousePaths(root);
        JsonFiles json = new JsonFiles(types);
        PutIfAbsentSelector putIfAbsent = new PutIfAbsentSelector(fileSystem, options.localFolders());
        putIfAbsent.select(root);
        ExclusiveFiles exclusiveFiles = new ExclusiveFiles(fileSystem, putIfAbsent, options.probe(), options.policy());
        FolderLocations folders = new FolderLocations(paths, new WarehouseIdentity(fileSystem, paths, json, exclusiveFiles));
        TableNameStorage names = new TableNameStorage(fileSystem, paths, json, exclusiveFiles);
        Commits commits = new Commits(names, options.policy(), options.observer(), options.summary());
        SchemaNameStorage schemaNames = new SchemaNameStorage(fileSystem, paths, json, exclusiveFiles);
        SchemaKeys keys = new SchemaKeys(schemaNames);
        Tables tables = new Tables(fileSystem, paths, json, exclusiveFiles, names, keys, folders, commits, options.manifests());
        Schemas schemas = new Schemas(fileSystem, paths, schemaNames, keys, names, tables, folders);
        NewEntries newEntries = new NewEntries(keys, tables, commits);
        LocationChecks locationChecks = new LocationChecks(fileSystem, paths, putIfAbsent, options.allowedLocations());
        TableCreation creation = new TableCreation(keys, schemas, tables, newEntries, folders, locationChecks, putIfAbsent, commits);
        return new WarehouseParts(
                schemas,
                keys,
                new SchemaRename(schemaNames, keys, schemas),
                names,
                tables,
                locationChecks,
                creation,
                new ViewCreation(paths, keys, tables, creation, newEntries, folders, commits),
                new TableNaming(keys, tables, names, folders, commits),
                new TableRegistration(keys, tables, names, folders, locationChecks, new NestedWarehouses(fileSystem, paths), commits),
                new WarehouseCleaning(fileSystem, paths, schemas, keys, names, tables, folders, locationChecks, commits, options.manifests().source()),
                new TableChanges(tables, folders, commits),
                exclusiveFiles,
                paths.root());
    }

    /**
     * Checks that commits are safe on the storage of the warehouse.
     */
    void checkStorage()
            throws IOException
    {
        exclusiveFiles.check(root.appendPath("file"));
    }
}
