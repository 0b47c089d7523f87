package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableNames;
import io.albis.table.path.Names;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * CREATE TABLE: everything is written to a folder that nobody knows, and the entry of its name makes it a table.
 */
public final class TableCreation
{
    private final Schemas schemas;
    private final Tables tables;
    private final TableNames names;
    private final StoredFolders folders;
    private final LocationChecks locationChecks;
    private final PutIfAbsentSelector putIfAbsent;
    private final Commits commits;

    public TableCreation(Schemas schemas, Tables tables, TableNames names, StoredFolders folders, LocationChecks locationChecks, PutIfAbsentSelector putIfAbsent, Commits commits)
    {
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.names = requireNonNull(names, "names is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    public NewTable prepare(String schemaName, String tableName, TableDefinition definition)
            throws IOException
    {
        Names.checkTableName(tableName);
        UUID uuid = UUID.randomUUID();
        Location folder = WarehousePaths.newTableFolder(location(schemaName, definition), tableName, uuid);
        putIfAbsent.select(folder);
        return new NewTable(schemaName, tableName, uuid, folder, definition);
    }

    private Location location(String schemaName, TableDefinition definition)
            throws IOException
    {
        if (definition.location().isEmpty()) {
            Location location = schemas.tableLocation(schemaName);
            locationChecks.checkAllowed(location);
            return location;
        }
        // What the entry of the schema says is not needed, so it may be damaged
        if (!schemas.exists(schemaName)) {
            throw schemaNotFound(schemaName);
        }
        Location location = locationChecks.check(definition.location().get());
        // Before any row is written
        folders.checkUsable(location);
        return location;
    }

    public AlbisTable create(NewTable newTable, TableRows rows)
            throws IOException
    {
        return commits.commitFirst(() -> makeTable(newTable, rows));
    }

    private AlbisTable makeTable(NewTable newTable, TableRows rows)
            throws IOException
    {
        if (!schemas.exists(newTable.schemaName())) {
            throw schemaNotFound(newTable.schemaName());
        }
        // Before anything is written: whoever is refused leaves nothing
        if (tables.isTaken(newTable.schemaName(), newTable.tableName())) {
            throw alreadyExists(newTable);
        }
        StoredFolder folder = folders.toStored(newTable.folder());
        TableStorage storage = tables.open(newTable.folder(), newTable.uuid());
        List<ManifestEntry> manifests = ImmutableList.of();
        if (!rows.isEmpty()) {
            manifests = storage.manifests().write(rows);
        }
        TableVersion version = putVersion(newTable, storage, folder.warehouse(), manifests);
        TableName name = version.name().orElseThrow();
        // If this fails, the version stays: nothing leads to it, and the next attempt puts one after it. A DELETE could
        // arrive late, or be repeated, and take the file from that attempt
        TableEntry entry = tables.claim(new TableEntry(0, name.entry(), name.schemaName(), name.tableName(), newTable.uuid(), folder, name.generation(), Optional.empty()))
                .orElseThrow(() -> alreadyExists(newTable));
        checkSchema(storage, version, entry);
        return storage.table(newTable.schemaName(), newTable.tableName(), version);
    }

    /**
     * Puts the version that leads to the rows of this attempt, which is the first one if no attempt got that far before.
     */
    private static TableVersion putVersion(NewTable newTable, TableStorage storage, Optional<UUID> warehouse, List<ManifestEntry> manifests)
            throws IOException
    {
        try {
            TableVersion version = firstVersion(newTable, warehouse, manifests);
            if (storage.versions().create(version)) {
                return version;
            }
            version = supersede(newTable, storage, manifests);
            if (storage.versions().create(version)) {
                return version;
            }
            throw conflict(newTable);
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                manifests.forEach(storage.manifests()::deleteQuietly);
            }
            throw e;
        }
        catch (IOException e) {
            manifests.forEach(storage.manifests()::deleteQuietly);
            throw e;
        }
    }

    /**
     * The version after those that earlier attempts have put before they failed to get the name. No entry leads to them, and
     * none ever will, as its generation would be too small.
     *
     * @throws TableException CONFLICT if an attempt did get the name: others may have used the table since
     */
    private static TableVersion supersede(NewTable newTable, TableStorage storage, List<ManifestEntry> manifests)
            throws IOException
    {
        TableVersion newest = storage.versions().newest(FIRST_VERSION);
        TableName name = newest.name().orElseThrow(() -> conflict(newTable));
        if (!name.schemaName().equals(newTable.schemaName()) || !name.tableName().equals(newTable.tableName())) {
            throw conflict(newTable);
        }
        return newest.next(UUID.randomUUID(), now())
                .withName(Optional.of(newName(newTable, name.generation() + 1)))
                .withManifests(manifests);
    }

    /**
     * The table has its name and others may use it. Nothing is deleted from here on: if the name is taken back, the versions
     * have to say that it leads to nothing.
     */
    private void checkSchema(TableStorage storage, TableVersion version, TableEntry entry)
    {
        try {
            if (!schemas.exists(entry.schemaName())) {
                takeBack(storage, version, entry);
            }
        }
        catch (TableException e) {
            throw e;
        }
        catch (IOException | RuntimeException e) {
            throw new TableException(OUTCOME_UNKNOWN, "Table '%s.%s' was created, and the storage failed when it was asked whether the schema is still there".formatted(entry.schemaName(), entry.tableName()), e);
        }
    }

    /**
     * Drops the table again, as its schema is gone, unless somebody else has done anything with it.
     */
    private void takeBack(TableStorage storage, TableVersion version, TableEntry entry)
            throws IOException
    {
        TableVersion newest;
        try {
            newest = commits.commit(storage.versions(), version.version(), next -> {
                // It may have been renamed into a schema that is there, or hold rows that others were told are in it
                return next.version() == version.version() + 1 ? Optional.of(next.withName(Optional.empty())) : Optional.empty();
            });
        }
        catch (TableException e) {
            if (e.reason() == TABLE_NOT_FOUND) {
                throw schemaNotFound(entry.schemaName());
            }
            throw e.reason() == OUTCOME_UNKNOWN ? e : new TableException(OUTCOME_UNKNOWN, e.getMessage(), e);
        }
        if (newest.name().isPresent()) {
            if (newest.name().get().entry().equals(entry.id())) {
                throw new TableException(OUTCOME_UNKNOWN, "Schema '%s' was dropped while table '%s' was created and others changed it: create the schema again to get at the table", entry.schemaName(), entry.tableName());
            }
            return;
        }
        names.endQuietly(entry.schemaName(), entry.tableName(), entry.number());
        throw schemaNotFound(entry.schemaName());
    }

    private static TableException schemaNotFound(String schemaName)
    {
        return new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
    }

    private static TableException alreadyExists(NewTable newTable)
    {
        return new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", newTable.schemaName(), newTable.tableName());
    }

    private static TableException conflict(NewTable newTable)
    {
        return new TableException(CONFLICT, "The table at %s was begun before, and it was given up or others use it: run the statement again", newTable.folder());
    }

    private static TableName newName(NewTable newTable, long generation)
    {
        return new TableName(newTable.schemaName(), newTable.tableName(), UUID.randomUUID(), generation);
    }

    private static Instant now()
    {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private static TableVersion firstVersion(NewTable newTable, Optional<UUID> warehouse, List<ManifestEntry> manifests)
    {
        TableDefinition definition = newTable.definition();
        return new TableVersion(
                newTable.uuid(),
                FIRST_VERSION,
                UUID.randomUUID(),
                now(),
                Optional.of(newName(newTable, 1)),
                warehouse,
                definition.location().isPresent(),
                definition.columns(),
                definition.columnGroups(),
                definition.properties(),
                definition.comment(),
                manifests,
                ImmutableList.of(),
                definition.columns().stream().mapToInt(TableColumn::id).max().orElseThrow());
    }
}
