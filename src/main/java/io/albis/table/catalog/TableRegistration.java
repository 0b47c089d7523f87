package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableNameStorage;
import io.albis.table.path.WarehousePaths;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableOperation.UNREGISTER;
import static java.util.Objects.requireNonNull;

/**
 * Gives a name to a table that has none: one that was unregistered, or one that has lost its name because a statement
 * or a storage failed. It works like a RENAME without an old entry, so that any client can complete it.
 */
public final class TableRegistration
{
    private final SchemaKeys keys;
    private final Tables tables;
    private final TableNameStorage names;
    private final FolderLocations folders;
    private final LocationChecks locationChecks;
    private final NestedWarehouses nestedWarehouses;
    private final Commits commits;
    private final PendingEntries pendingEntries;

    public TableRegistration(SchemaKeys keys, Tables tables, TableNameStorage names, FolderLocations folders, LocationChecks locationChecks, NestedWarehouses nestedWarehouses, Commits commits)
    {
        this.keys = requireNonNull(keys, "keys is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.names = requireNonNull(names, "names is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
        this.nestedWarehouses = requireNonNull(nestedWarehouses, "nestedWarehouses is null");
        this.commits = requireNonNull(commits, "commits is null");
        this.pendingEntries = new PendingEntries(keys, tables, commits);
    }

    /**
     * Registers a table.
     *
     * @param location folder of the table
     * @throws TableException SCHEMA_NOT_FOUND, OUTCOME_UNKNOWN; ALREADY_EXISTS if the name is taken or the table has a
     *         name; INVALID_DEFINITION if the location is not valid, has no table, or has one that was dropped;
     *         LOCATION_NOT_ALLOWED; NOT_SUPPORTED if the table belongs to another warehouse; CONFLICT if others have
     *         registered or changed the table first; TABLE_NOT_FOUND if others have dropped it
     */
    public AlbisTable register(String schemaName, String tableName, String location)
            throws IOException
    {
        Location folder = locationChecks.checkFolder(location);
        UUID uuid = WarehousePaths.tableId(folder)
                .orElseThrow(() -> new TableException(INVALID_DEFINITION, "Location '%s' is not the folder of a table. The name of such a folder ends with the id of the table", folder));
        String key = keys.resolve(schemaName).orElseThrow(() -> Schemas.notFound(schemaName)).key();
        TableVersion newest = readNewest(folder, uuid);
        TableName last = newest.name()
                .orElseThrow(() -> new TableException(INVALID_DEFINITION, "The table at %s was dropped, so it cannot be registered", folder));
        folders.checkOwner(folder, newest);
        if (nestedWarehouses.contains(folder)) {
            throw new TableException(NOT_SUPPORTED, "The table at %s belongs to another warehouse, whose folder is inside of this one. Use that warehouse, or copy the rows with CREATE TABLE AS", folder);
        }
        Commits.checkWriterFeatures(newest);
        checkWithoutName(folder, newest, last);
        StoredFolder stored = folders.toStored(folder);
        // Checked before anything is written
        if (tables.isTaken(key, tableName)) {
            throw alreadyExists(schemaName, tableName);
        }
        TableStorage storage = tables.open(folder, uuid);
        TableVersion unregistered = unregister(storage, newest, last);
        TableEntry entry = tables.claim(TableEntry.registration(key, tableName, uuid, stored, unregistered.name().orElseThrow(), TableEntry.kind(newest)))
                .orElseThrow(() -> alreadyExists(schemaName, tableName));
        TableVersion version = pendingEntries.complete(storage, entry, unregistered, next -> next.unregister(last.schemaName(), last.tableName(), entry.generation()));
        return storage.table(schemaName, tableName, version);
    }

    /**
     * Unregisters a table that has lost its name. A CREATE TABLE may still give it the name, or may have done so since
     * this was checked. A table that anybody has changed under its name keeps it.
     *
     * @return the version of the unregistered table, which is durable before an entry depends on it
     */
    private TableVersion unregister(TableStorage storage, TableVersion newest, TableName last)
            throws IOException
    {
        if (newest.isUnregistered()) {
            storage.versions().makeDurable(newest);
            return newest;
        }
        return commits.commitName(storage.versions(), newest.version(), next -> {
            if (next.version() != newest.version() + 1) {
                throw new TableException(CONFLICT, "The table at %s was changed or registered by another transaction", storage.folder());
            }
            return Optional.of(next.unregister(last.schemaName(), last.tableName(), last.generation() + 1).withOperation(UNREGISTER, ImmutableMap.of()));
        });
    }

    private static TableException alreadyExists(String schemaName, String tableName)
    {
        return new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", schemaName, tableName);
    }

    private TableVersion readNewest(Location folder, UUID uuid)
            throws IOException
    {
        // It may belong to another warehouse, so not even the hint is written
        TableStorage storage = tables.open(folder, uuid, false);
        if (storage.versions().isEmpty()) {
            throw new TableException(INVALID_DEFINITION, "Location '%s' does not contain a table", folder);
        }
        return storage.versions().newest(0);
    }

    /**
     * Checks that the name in a version does not refer to it.
     */
    private void checkWithoutName(Location folder, TableVersion newest, TableName last)
            throws IOException
    {
        // The name of a table in a schema that was dropped while the table was created refers to nothing
        if (!newest.isUnregistered() && names.refersTo(last, newest.uuid()) && keys.isOwned(last.schemaName())) {
            throw new TableException(ALREADY_EXISTS, "The table at %s already has the name '%s.%s'", folder, keys.displayName(last.schemaName()), last.tableName());
        }
    }
}
