package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.table.json.JsonFiles;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableException;
import io.albis.table.name.EntryLog;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableNames;
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
 * The schemas of a warehouse. A schema is there if the last entry of its log is live, whatever the entry says: object stores
 * have no empty folders, and a schema whose entry is damaged still has its tables and can be dropped.
 * <p>
 * CREATE TABLE and RENAME put the entry of the table and then look for the schema. DROP SCHEMA ends the schema and then
 * looks for tables. So one of them sees the other, and takes back what it did; both may do so. If one of them dies in
 * between, a table is in a schema that is no more: it shows up once the schema is created again.
 */
public final class Schemas
{
    private static final Logger log = Logger.get(Schemas.class);

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths layout;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final TableNames tableNames;
    private final StoredFolders folders;

    public Schemas(TrinoFileSystem fileSystem, WarehousePaths layout, JsonFiles json, ExclusiveFiles exclusiveFiles, TableNames tableNames, StoredFolders folders)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.tableNames = requireNonNull(tableNames, "tableNames is null");
        this.folders = requireNonNull(folders, "folders is null");
    }

    /**
     * @param number repeats the number of the entry, so that a copied file is found out
     * @param name repeats the name
     * @param location empty for the folder that holds the log
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

    public List<String> list()
            throws IOException
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (Location folder : fileSystem.listDirectories(asDirectory(layout.root()))) {
            Optional<String> name = Names.decode(WarehousePaths.withoutTrailingSlash(folder).fileName());
            if (name.isPresent() && isListed(name.get())) {
                names.add(name.get());
            }
        }
        return names.build();
    }

    /**
     * One schema that cannot be looked at is left out, so that the others can be listed.
     *
     * @throws IOException if the listing is canceled: it must not pass for one of fewer schemas
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
            log.warn(e, "Schema %s is left out of a listing, as its entries cannot be listed", name);
            return false;
        }
    }

    public boolean exists(String name)
            throws IOException
    {
        return EntryLog.isLive(entries(name).last());
    }

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
     * @param isTable whether a name that has a live entry is that of a table
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
            // Also if the storage failed: a table may be there
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
     * A live entry with the same content as another one. That of a damaged one is damaged too.
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

    @FunctionalInterface
    public interface TableLookup
    {
        boolean test(String schemaName, String tableName)
                throws IOException;
    }

    /**
     * Where tables go that have no location of their own.
     *
     * @throws TableException SCHEMA_NOT_FOUND, NOT_SUPPORTED if the location belongs to another warehouse
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
        return new TableException(SCHEMA_NOT_EMPTY, "Schema '%s' is not empty: it has the table '%s'", name, tableName);
    }

    private EntryLog entries(String name)
    {
        return new EntryLog(fileSystem, exclusiveFiles, layout.schemaEntries(name));
    }

    private SchemaInfo toSchema(SchemaEntry entry)
            throws IOException
    {
        Location location = layout.schemaFolder(entry.name());
        if (entry.location().isPresent()) {
            location = folders.toLocation(entry.location().get(), entries(entry.name()).location(entry.number()));
        }
        return new SchemaInfo(entry.name(), location, entry.location().isPresent(), entry.properties());
    }
}
