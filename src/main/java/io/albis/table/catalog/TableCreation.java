package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.table.manifest.BoundsLimit;
import io.albis.table.manifest.NewManifest;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.NewTable;
import io.albis.table.model.SchemaFeatures;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableEntry;
import io.albis.table.path.Names;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.albis.table.version.Versions;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.CREATE;
import static io.albis.table.model.TableVersion.FIRST_SCHEMA_ID;
import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * Creates tables. All files are written to a new folder to which nothing refers, and the entry of the table name then
 * makes the table visible.
 */
public final class TableCreation
{
    private final SchemaKeys keys;
    private final Schemas schemas;
    private final Tables tables;
    private final NewEntries newEntries;
    private final FolderLocations folders;
    private final LocationChecks locationChecks;
    private final PutIfAbsentSelector putIfAbsent;
    private final Commits commits;

    public TableCreation(SchemaKeys keys, Schemas schemas, Tables tables, NewEntries newEntries, FolderLocations folders, LocationChecks locationChecks, PutIfAbsentSelector putIfAbsent, Commits commits)
    {
        this.keys = requireNonNull(keys, "keys is null");
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.newEntries = requireNonNull(newEntries, "newEntries is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.locationChecks = requireNonNull(locationChecks, "locationChecks is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    /**
     * Validates a definition and chooses the folder of the table. Writes nothing.
     *
     * @throws TableException SCHEMA_NOT_FOUND, INVALID_NAME; INVALID_DEFINITION, LOCATION_NOT_ALLOWED, or NOT_SUPPORTED
     *         for the location
     */
    public NewTable prepare(String schemaName, String tableName, TableDefinition definition)
            throws IOException
    {
        Names.checkTableName(tableName);
        ResolvedSchema schema = keys.resolve(schemaName)
                .orElseThrow(() -> Schemas.notFound(schemaName));
        UUID uuid = UUID.randomUUID();
        Location folder = WarehousePaths.newTableFolder(location(schema, definition), tableName, uuid);
        putIfAbsent.select(folder);
        return new NewTable(schemaName, schema.key(), tableName, uuid, folder, definition);
    }

    private Location location(ResolvedSchema schema, TableDefinition definition)
            throws IOException
    {
        if (definition.location().isEmpty()) {
            Location location = schemas.tableLocation(schema);
            locationChecks.checkAllowed(location);
            return location;
        }
        Location location = locationChecks.check(definition.location().get());
        // Fail before any row is written
        folders.checkUsable(location);
        return location;
    }

    /**
     * Makes a table visible with rows that are in its folder.
     *
     * @throws TableException SCHEMA_NOT_FOUND, ALREADY_EXISTS, OUTCOME_UNKNOWN; CONFLICT if an earlier attempt created
     *         the table and others have used it since
     */
    public AlbisTable create(NewTable newTable, TableRows rows)
            throws IOException
    {
        return commits.commitFirst(() -> makeTable(newTable, rows));
    }

    /**
     * Gives up a table that {@link #create} has not made visible. If an attempt has put a version, others may register
     * the table. This therefore commits a version without a name, after which nobody can, unless others were faster.
     *
     * @return whether the row groups can be deleted; false if others use the table or may read it
     * @throws TableException CONFLICT, OUTCOME_UNKNOWN
     */
    public boolean abandon(NewTable newTable)
            throws IOException
    {
        Versions versions = tables.open(newTable.folder(), newTable.uuid()).versions();
        // No other writer creates a first version with a name
        if (versions.isEmpty()) {
            return true;
        }
        TableVersion newest = versions.newest(FIRST_VERSION);
        if (newest.name().isEmpty()) {
            // Others may still read a table that was dropped. A first version without a name is that of vacuum
            return newest.version() == FIRST_VERSION;
        }
        if (!isAttempt(newest)) {
            return false;
        }
        try {
            return commits.commit(versions, newest.version(), next -> NewEntries.dropAfter(newest, next)).name().isEmpty();
        }
        catch (TableException e) {
            if (e.reason() == TABLE_NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private AlbisTable makeTable(NewTable newTable, TableRows rows)
            throws IOException
    {
        if (!keys.isOwned(newTable.schemaKey())) {
            throw Schemas.notFound(newTable.schemaName());
        }
        // Checked before anything is written, so that a refused statement leaves no files
        if (tables.isTaken(newTable.schemaKey(), newTable.tableName())) {
            throw NewEntries.alreadyExists(newTable.schemaName(), newTable.tableName());
        }
        StoredFolder folder = folders.toStored(newTable.folder());
        TableStorage storage = tables.open(newTable.folder(), newTable.uuid());
        TableVersion first = firstVersion(newTable, folder.warehouse(), rows.summary()).withSummary(commits.summary());
        List<NewManifest> manifests = ImmutableList.of();
        if (!rows.isEmpty()) {
            manifests = storage.manifests().write(first, rows);
        }
        TableVersion version = putVersion(newTable, storage, first, manifests);
        TableName name = version.name().orElseThrow();
        // If this fails, the version remains. No entry refers to it unless others register the table. The next attempt
        // creates another version after it, or the statement abandons the table. Deleting it is not safe: a DELETE
        // request that arrives late or is repeated could remove a file of that attempt
        newEntries.create(newTable.schemaName(), storage, version, new TableEntry(0, name.entry(), name.schemaName(), name.tableName(), newTable.uuid(), folder, name.generation(), Optional.empty(), Optional.empty()));
        return storage.table(newTable.schemaName(), newTable.tableName(), version);
    }

    /**
     * Creates the version with the rows of this attempt. It is the first version, unless an earlier attempt created
     * that one.
     */
    private static TableVersion putVersion(NewTable newTable, TableStorage storage, TableVersion first, List<NewManifest> manifests)
            throws IOException
    {
        try {
            TableVersion version = withManifests(first, manifests);
            if (storage.versions().create(version)) {
                return version;
            }
            version = withManifests(supersede(newTable, storage, first), manifests);
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
     * Returns the version after those that earlier attempts created before they failed to claim the name. No entry
     * refers to the earlier versions. If one appeared later, it would be stale because of its smaller generation.
     *
     * @throws TableException CONFLICT if others have given the table a name since, or if vacuum
     *         has removed files of this attempt; NOT_SUPPORTED if a newer version of Albis has created the version
     */
    private static TableVersion supersede(NewTable newTable, TableStorage storage, TableVersion first)
            throws IOException
    {
        TableVersion newest = storage.versions().newest(FIRST_VERSION);
        if (newest.name().isEmpty() && newest.version() == FIRST_VERSION) {
            throw new TableException(CONFLICT, "This statement ran for so long that vacuum has removed files that it has written to %s. Retry the statement", newTable.folder());
        }
        TableName name = newest.name().orElseThrow(() -> conflict(newTable));
        if (!isAttempt(newest)) {
            throw conflict(newTable);
        }
        Commits.checkWriterFeatures(newest);
        return newest.next(UUID.randomUUID(), now())
                .withName(Optional.of(newName(newTable, name.generation() + 1)))
                .withOperation(CREATE, first.summary());
    }

    /**
     * Returns whether an attempt of the statement has created a version, and all versions before it. Others only create
     * versions after the table has got a name, and an attempt follows none of these.
     */
    private static boolean isAttempt(TableVersion version)
    {
        return version.operation().equals(CREATE.label());
    }

    private static TableVersion withManifests(TableVersion version, List<NewManifest> manifests)
    {
        List<ManifestEntry> entries = manifests.stream()
                .map(manifest -> manifest.entry(version.version()))
                .collect(toImmutableList());
        return version.withManifests(BoundsLimit.apply(version.schema().columns(), entries));
    }

    private static TableException conflict(NewTable newTable)
    {
        return new TableException(CONFLICT, "An earlier attempt created the table at %s and the table was then changed, or another attempt is in progress. Retry the statement", newTable.folder());
    }

    private static TableName newName(NewTable newTable, long generation)
    {
        return new TableName(newTable.schemaKey(), newTable.tableName(), UUID.randomUUID(), generation);
    }

    private static Instant now()
    {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private static TableVersion firstVersion(NewTable newTable, Optional<UUID> warehouse, Map<String, String> summary)
    {
        TableDefinition definition = newTable.definition();
        return new TableVersion(
                newTable.uuid(),
                FIRST_VERSION,
                UUID.randomUUID(),
                Optional.empty(),
                now(),
                CREATE.label(),
                summary,
                Optional.of(newName(newTable, 1)),
                warehouse,
                definition.location().isPresent(),
                FIRST_SCHEMA_ID,
                definition.columns(),
                definition.columnGroups(),
                definition.properties(),
                definition.comment(),
                ImmutableList.of(),
                ImmutableList.of(),
                SchemaFeatures.writerFeatures(definition.columns(), definition.properties()),
                definition.columns().stream().mapToInt(TableColumn::id).max().orElseThrow(),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
