package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;
import io.albis.format.io.AlbisDataException;
import io.albis.table.json.JsonFiles;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableException;
import io.albis.table.name.EntryLog;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableNameStorage;
import io.albis.table.name.Tombstone;
import io.albis.table.path.Names;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.SCHEMA;
import static io.albis.table.json.JsonKind.TOMBSTONE;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_EMPTY;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static io.albis.table.put.Interruptions.isInterrupted;
import static java.util.Objects.requireNonNull;

/**
 * The schemas of a warehouse. A schema exists if the last entry of its log is live, regardless of the content of the
 * entry: object stores have no empty folders, and a schema with a damaged entry still has its tables and can be
 * dropped.
 * <p>
 * CREATE TABLE and RENAME create the entry of the table and then check that the schema exists. DROP SCHEMA ends the
 * schema and then checks that it has no tables. At least one of two concurrent statements therefore sees the other and
 * reverts its own change, and both may do so. If a writer dies in between, a table remains in a schema that no longer
 * exists. The table is visible again after the schema is created again.
 */
public final class Schemas
{
    private static final Logger log = Logger.get(Schemas.class);

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final TableNameStorage tableNames;
    private final FolderLocations folders;

    public Schemas(TrinoFileSystem fileSystem, WarehousePaths paths, JsonFiles json, ExclusiveFiles exclusiveFiles, TableNameStorage tableNames, FolderLocations folders)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.tableNames = requireNonNull(tableNames, "tableNames is null");
        this.folders = requireNonNull(folders, "folders is null");
    }

    /**
     * A live entry in the log of a schema name.
     *
     * @param number number of the entry, repeated from the file name so that a copied file is detected
     * @param id id of the entry
     * @param name name of the schema, repeated from the file name
     * @param location location of the schema; empty for the folder that contains the log
     * @param properties properties by name, as specified in CREATE SCHEMA
     */
    public record SchemaEntry(long number, UUID id, String name, Optional<StoredFolder> location, Map<String, String> properties)
    {
        public SchemaEntry
        {
            checkArgument(number > 0, "number is not positive: %s", number);
            requireNonNull(id, "id is null");
            requireNonNull(name, "name is null");
            requireNonNull(location, "location is null");
            requireNonNull(properties, "properties is null");
        }
    }

    /**
     * Lists the names of all schemas in no particular order.
     */
    public List<String> list()
            throws IOException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (Location folder : fileSystem.listDirectories(asDirectory(paths.root()))) {
            Optional<String> name = Names.decode(WarehousePaths.withoutTrailingSlash(folder).fileName());
            if (name.isPresent() && isListed(name.get())) {
                names.add(name.get());
            }
        }
        return names.build();
    }

    /**
     * Returns whether a schema exists. A schema that cannot be checked is skipped with a warning, so that the others
     * can be listed.
     *
     * @throws IOException if the query is canceled, because a partial listing must not look complete
     */
    private boolean isListed(String name)
            throws IOException
    {
        try {
            return exists(name);
        }
        catch (IOException e) {
            if (isInterrupted(e)) {
                throw e;
            }
            log.warn(e, "Skipping schema %s in a listing, because its entries cannot be listed", name);
            return false;
        }
    }

    public boolean exists(String name)
            throws IOException
    {
        return EntryLog.isLive(entries(name).last());
    }

    /**
     * Returns a schema; empty if it does not exist.
     *
     * @throws io.albis.format.io.AlbisDataException if its entry is damaged
     */
    public Optional<SchemaInfo> get(String name)
            throws IOException
    {
        Optional<SchemaEntry> entry = find(name);
        return entry.isPresent() ? Optional.of(toSchema(entry.get())) : Optional.empty();
    }

    private Optional<SchemaEntry> find(String name)
            throws IOException
    {
        EntryLog entries = entries(name);
        long last = entries.last();
        return EntryLog.isLive(last) ? Optional.of(read(name, last)) : Optional.empty();
    }

    /**
     * Returns the locations of schemas that are outside of the warehouse and belong to it. Skips damaged schemas.
     */
    public Set<Location> outsideLocations()
            throws IOException
    {
        ImmutableSet.Builder<Location> locations = ImmutableSet.builder();
        for (String name : list()) {
            try {
                Optional<StoredFolder> folder = find(name).flatMap(SchemaEntry::location);
                if (folder.isPresent() && folder.get().warehouse().isPresent()) {
                    Location location = folders.toLocation(folder.get(), paths.schemaEntries(name));
                    if (!folders.isForeign(folder.get(), location)) {
                        locations.add(location);
                    }
                }
            }
            catch (AlbisDataException e) {
                log.warn(e, "Skipping the location of schema %s, because its entry is damaged", name);
            }
        }
        return locations.build();
    }

    private SchemaEntry read(String name, long number)
            throws IOException
    {
        EntryLog entries = entries(name);
        Location location = entries.location(number);
        JsonFiles.Framed<SchemaEntry> framed = json.read(location, SCHEMA, SchemaEntry.class, entries.read(number));
        SchemaEntry entry = framed.body();
        if (!framed.id().equals(entry.id()) || entry.number() != number || !entry.name().equals(name)) {
            throw damaged("Damaged Albis file %s: it is entry %s of another schema, %s", location, entry.number(), entry.name());
        }
        return entry;
    }

    /**
     * Creates a schema.
     *
     * @param location location of the schema, already validated; empty for a folder of the warehouse
     * @throws TableException ALREADY_EXISTS, NOT_SUPPORTED, OUTCOME_UNKNOWN
     */
    public SchemaInfo create(String name, Optional<Location> location, Map<String, String> properties)
            throws IOException
    {
        Optional<StoredFolder> folder = Optional.empty();
        if (location.isPresent()) {
            folder = Optional.of(folders.toStored(location.get()));
        }
        EntryLog entries = entries(name);
        while (true) {
            long last = entries.last();
            if (EntryLog.isLive(last)) {
                throw new TableException(ALREADY_EXISTS, "Schema '%s' already exists", name);
            }
            SchemaEntry entry = new SchemaEntry(last + 1, UUID.randomUUID(), name, folder, properties);
            if (entries.put(entry.number(), json.write(SCHEMA, entry.id(), entry))) {
                return toSchema(entry);
            }
        }
    }

    /**
     * Drops a schema without tables.
     *
     * @param isTable tests whether a name that has a live entry refers to a table
     * @throws TableException SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY, OUTCOME_UNKNOWN
     */
    public void drop(String name, TableLookup isTable)
            throws IOException
    {
        EntryLog entries = entries(name);
        long last = entries.last();
        if (!EntryLog.isLive(last)) {
            throw notFound(name);
        }
        byte[] live = entries.read(last);
        Optional<String> table = findTable(name, isTable);
        if (table.isPresent()) {
            throw notEmpty(name, table.get());
        }
        Tombstone tombstone = new Tombstone(last + 1, UUID.randomUUID(), name, Optional.empty());
        if (!entries.put(tombstone.number(), json.write(TOMBSTONE, tombstone.id(), tombstone))) {
            throw notFound(name);
        }
        boolean empty = false;
        try {
            table = findTable(name, isTable);
            empty = table.isEmpty();
        }
        finally {
            // Restore the schema even if the storage failed, because a table may exist
            if (!empty) {
                entries.put(last + 2, copy(name, last, live));
            }
        }
        if (table.isPresent()) {
            throw notEmpty(name, table.get());
        }
    }

    private Optional<String> findTable(String name, TableLookup isTable)
            throws IOException
    {
        for (String tableName : tableNames.list(name)) {
            if (isTable.test(name, tableName)) {
                return Optional.of(tableName);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the bytes of a live entry with the content of an earlier one. If that one is damaged, the copy is damaged
     * too.
     */
    private byte[] copy(String name, long number, byte[] file)
    {
        try {
            SchemaEntry entry = json.read(entries(name).location(number), SCHEMA, SchemaEntry.class, file).body();
            UUID id = UUID.randomUUID();
            return json.write(SCHEMA, id, new SchemaEntry(number + 2, id, entry.name(), entry.location(), entry.properties()));
        }
        catch (IOException e) {
            return file;
        }
    }

    /**
     * Tests whether a name refers to a table.
     */
    @FunctionalInterface
    public interface TableLookup
    {
        boolean test(String schemaName, String tableName)
                throws IOException;
    }

    /**
     * Returns the location for tables for which the user does not specify one.
     *
     * @throws TableException SCHEMA_NOT_FOUND; NOT_SUPPORTED if the location belongs to another warehouse
     */
    Location tableLocation(String name)
            throws IOException
    {
        SchemaEntry entry = find(name)
                .orElseThrow(() -> notFound(name));
        if (entry.location().isPresent()) {
            folders.checkWritable(entry.location().get(), "The location of schema '%s'".formatted(name));
        }
        return toSchema(entry).location();
    }

    private static TableException notFound(String name)
    {
        return new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", name);
    }

    private static TableException notEmpty(String name, String tableName)
    {
        return new TableException(SCHEMA_NOT_EMPTY, "Schema '%s' is not empty: it contains table '%s'", name, tableName);
    }

    private EntryLog entries(String name)
    {
        return new EntryLog(fileSystem, exclusiveFiles, paths.schemaEntries(name));
    }

    private SchemaInfo toSchema(SchemaEntry entry)
            throws IOException
    {
        Location location = paths.schemaFolder(entry.name());
        if (entry.location().isPresent()) {
            location = folders.toLocation(entry.location().get(), entries(entry.name()).location(entry.number()));
        }
        return new SchemaInfo(entry.name(), location, entry.location().isPresent(), entry.properties());
    }
}
