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
import static io.albis.table.TableException.Reason.INVALID_DEFINITION;
import static io.albis.table.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * CREATE TABLE: everything is written to a folder that nobody knows, and the pointer makes it a table.
 */
final class TableCreation
{
    private final Schemas schemas;
    private final Tables tables;
    private final Pointers pointers;
    private final LocationChecks locationChecks;
    private final PutIfAbsentSelector putIfAbsent;
    private final Commits commits;

    TableCreation(Schemas schemas, Tables tables, Pointers pointers, LocationChecks locationChecks, PutIfAbsentSelector putIfAbsent, Commits commits)
    {
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.pointers = requireNonNull(pointers, "pointers is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    NewTable prepare(String schemaName, String tableName, TableDefinition definition)
            throws IOException
    {
        Names.checkTableName(tableName);
        SchemaInfo schema = schemas.get(schemaName)
                .orElseThrow(() -> new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName));
        UUID uuid = UUID.randomUUID();
        Location folder;
        if (definition.location().isPresent()) {
            folder = locationChecks.checkTableLocation(definition.location().get());
        }
        else {
            folder = WarehouseLayout.newTableFolder(schema.location(), tableName, uuid);
            putIfAbsent.select(folder);
        }
        return new NewTable(schemaName, tableName, uuid, folder, definition);
    }

    AlbisTable create(NewTable newTable, TableRows rows)
            throws IOException
    {
        return commits.commitFirst(() -> makeTable(newTable, rows));
    }

    private AlbisTable makeTable(NewTable newTable, TableRows rows)
            throws IOException
    {
        TableStorage storage = tables.open(newTable.folder(), newTable.uuid());
        PointerReference reference = new PointerReference(UUID.randomUUID(), 1);
        ImmutableList.Builder<ManifestEntry> manifests = ImmutableList.builder();
        if (!rows.isEmpty()) {
            manifests.add(storage.manifests().write(rows));
        }
        TableVersion version = firstVersion(newTable, reference, manifests.build());
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
            // Two tables were given the same location at the same time, and the other one was first
            throw new TableException(INVALID_DEFINITION, "Location %s is that of another table", newTable.folder());
        }
        try {
            makeVisible(newTable, reference);
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                deleteQuietly(storage, e);
            }
            throw e;
        }
        catch (IOException e) {
            deleteQuietly(storage, e);
            throw e;
        }
        return storage.table(newTable.schemaName(), newTable.tableName(), version);
    }

    /**
     * @throws IOException if the table is not visible
     */
    private void makeVisible(NewTable newTable, PointerReference reference)
            throws IOException
    {
        Pointer pointer = new Pointer(newTable.schemaName(), newTable.tableName(), reference, newTable.uuid(), pointers.toFolder(newTable.folder()), Optional.empty());
        if (!tables.claim(pointer)) {
            throw new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", newTable.schemaName(), newTable.tableName());
        }
        checkSchema(pointer);
    }

    private static void deleteQuietly(TableStorage storage, Exception failure)
    {
        try {
            storage.deleteNewTable();
        }
        catch (IOException | RuntimeException e) {
            // What is left is garbage: why the table could not be created matters more
            failure.addSuppressed(e);
        }
    }

    private void checkSchema(Pointer pointer)
    {
        try {
            schemas.checkExistsOrRemove(pointer);
        }
        catch (IOException e) {
            throw new TableException(OUTCOME_UNKNOWN, "Table '%s.%s' was created, and the storage failed when it was asked whether the schema is still there".formatted(pointer.schemaName(), pointer.tableName()), e);
        }
    }

    private static TableVersion firstVersion(NewTable newTable, PointerReference reference, List<ManifestEntry> manifests)
    {
        TableDefinition definition = newTable.definition();
        return new TableVersion(
                newTable.uuid(),
                FIRST_VERSION,
                UUID.randomUUID(),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                Optional.of(reference),
                definition.columns(),
                definition.columnGroups(),
                definition.properties(),
                definition.comment(),
                manifests,
                ImmutableList.of(),
                definition.columns().stream().mapToInt(TableColumn::id).max().orElseThrow());
    }
}
