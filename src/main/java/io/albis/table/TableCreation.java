package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.TableException.Reason.CONFLICT;
import static io.albis.table.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * CREATE TABLE: everything is written to a folder that nobody knows, and the entry of its name makes it a table.
 */
final class TableCreation
{
    private final Schemas schemas;
    private final Tables tables;
    private final TableNames names;
    private final StoredFolders folders;
    private final LocationChecks locationChecks;
    private final PutIfAbsentSelector putIfAbsent;
    private final Commits commits;

    TableCreation(Schemas schemas, Tables tables, TableNames names, StoredFolders folders, LocationChecks locationChecks, PutIfAbsentSelector putIfAbsent, Commits commits)
    {
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.names = requireNonNull(names, "names is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    NewTable prepare(String schemaName, String tableName, TableDefinition definition)
            throws IOException
    {
        Names.checkTableName(tableName);
        UUID uuid = UUID.randomUUID();
        Location folder = WarehouseLayout.newTableFolder(location(schemaName, definition), tableName, uuid);
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
        return locationChecks.check(definition.location().get());
    }

    AlbisTable create(NewTable newTable, TableRows rows)
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
        StoredFolder folder = folders.toStored(newTable.folder());
        TableStorage storage = tables.open(newTable.folder(), newTable.uuid());
        ImmutableList.Builder<ManifestEntry> manifests = ImmutableList.builder();
        if (!rows.isEmpty()) {
            manifests.addAll(storage.manifests().write(rows));
        }
        TableEntry entry = new TableEntry(0, UUID.randomUUID(), newTable.schemaName(), newTable.tableName(), newTable.uuid(), folder, 1, Optional.empty());
        TableVersion version = firstVersion(newTable, entry, manifests.build());
        boolean created = false;
        try {
            created = storage.versions().create(version);
        }
        finally {
            if (!created) {
                version.manifests().forEach(storage.manifests()::deleteQuietly);
            }
        }
        if (!created) {
            throw new TableException(CONFLICT, "The table at %s was begun before and given up: run the statement again", newTable.folder());
        }
        TableEntry claimed = claim(storage, version, entry);
        checkSchema(storage, claimed);
        return storage.table(newTable.schemaName(), newTable.tableName(), version);
    }

    /**
     * @throws IOException if the table is not visible
     */
    private TableEntry claim(TableStorage storage, TableVersion version, TableEntry entry)
            throws IOException
    {
        try {
            return tables.claim(entry)
                    .orElseThrow(() -> new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", entry.schemaName(), entry.tableName()));
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                deleteQuietly(storage, version, e);
            }
            throw e;
        }
        catch (IOException e) {
            deleteQuietly(storage, version, e);
            throw e;
        }
    }

    private static void deleteQuietly(TableStorage storage, TableVersion version, Exception failure)
    {
        try {
            storage.deleteNewTable(version);
        }
        catch (IOException | RuntimeException e) {
            // What is left is garbage: why the table could not be created matters more
            failure.addSuppressed(e);
        }
    }

    /**
     * The table has its name and others may use it. Nothing is deleted from here on: if the name is taken back, the versions
     * have to say that it leads to nothing.
     */
    private void checkSchema(TableStorage storage, TableEntry entry)
    {
        try {
            if (!schemas.exists(entry.schemaName())) {
                takeBack(storage, entry);
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
    private void takeBack(TableStorage storage, TableEntry entry)
            throws IOException
    {
        TableVersion newest;
        try {
            newest = commits.commit(storage.versions(), FIRST_VERSION, next -> {
                // It may have been renamed into a schema that is there, or hold rows that others were told are in it
                return next.version() == FIRST_VERSION + 1 ? Optional.of(next.withName(Optional.empty())) : Optional.empty();
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

    private static TableVersion firstVersion(NewTable newTable, TableEntry entry, List<ManifestEntry> manifests)
    {
        TableDefinition definition = newTable.definition();
        return new TableVersion(
                newTable.uuid(),
                FIRST_VERSION,
                UUID.randomUUID(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                Optional.of(entry.name()),
                entry.folder().warehouse(),
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
