package io.albis.table.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;
import io.albis.format.io.AlbisDataException;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableException;
import io.albis.table.name.EntryLog.Last;
import io.albis.table.name.KeyOrigin;
import io.albis.table.name.SchemaEntry;
import io.albis.table.name.SchemaNameStorage;
import io.albis.table.name.StoredFolder;
import io.albis.table.name.TableNameStorage;
import io.albis.table.name.Tombstone.NewSchema;
import io.albis.table.path.Names;
import io.albis.table.path.WarehousePaths;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
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
 * exists. The table is visible again after the schema is created again, because that schema has the same key.
 * <p>
 * The checks of tables are for the key of the schema, so a rename of the schema in the meantime makes no difference.
 */
public final class Schemas
{
    private static final Logger log = Logger.get(Schemas.class);

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final SchemaNameStorage names;
    private final SchemaKeys keys;
    private final TableNameStorage tableNames;
    private final Tables tables;
    private final FolderLocations folders;
    private final PendingSchemaRenames pendingRenames;

    public Schemas(TrinoFileSystem fileSystem, WarehousePaths paths, SchemaNameStorage names, SchemaKeys keys, TableNameStorage tableNames, Tables tables, FolderLocations folders)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.names = requireNonNull(names, "names is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.tableNames = requireNonNull(tableNames, "tableNames is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.pendingRenames = new PendingSchemaRenames(names, keys);
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
            log.warn(e, "Skipping schema %s in a listing, because its entries cannot be listed or read", name);
            return false;
        }
    }

    public boolean exists(String name)
            throws IOException
    {
        return keys.find(name, names.last(name)).isPresent();
    }

    /**
     * Returns a schema; empty if it does not exist.
     *
     * @throws AlbisDataException if its entry is damaged
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
        OptionalLong number = keys.find(name, names.last(name));
        return number.isPresent() ? Optional.of(names.read(name, number.getAsLong())) : Optional.empty();
    }

    /**
     * Lists the names of the tables and views of a schema, as {@link TableNameStorage#list} does.
     *
     * @return no names if the schema does not exist
     */
    public List<String> listTables(String name)
            throws IOException
    {
        Optional<ResolvedSchema> schema = keys.resolve(name);
        return schema.isPresent() ? tableNames.list(schema.get().key()) : ImmutableList.of();
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

    /**
     * Creates a schema.
     *
     * @param location location of the schema, already validated; empty for a folder of the warehouse
     * @throws TableException ALREADY_EXISTS, NOT_SUPPORTED, OUTCOME_UNKNOWN
     * @throws AlbisDataException if an entry of an earlier schema of this name, on which this depends, is damaged
     */
    public SchemaInfo create(String name, Optional<Location> location, Map<String, String> properties)
            throws IOException
    {
        Optional<StoredFolder> folder = Optional.empty();
        if (location.isPresent()) {
            folder = Optional.of(folders.toStored(location.get()));
        }
        while (true) {
            Last last = names.lastForChange(name);
            if (keys.find(name, last).isPresent()) {
                throw alreadyExists(name);
            }
            String key = droppedKey(name, last).orElseGet(() -> new KeyOrigin(name, last.number() + 1).key());
            SchemaEntry entry = SchemaEntry.create(name, last.number() + 1, key, folder, properties);
            if (names.create(entry)) {
                return toSchema(entry);
            }
        }
    }

    /**
     * Returns the key of the last schema of a name, which was dropped. The next schema gets the key, because a table
     * may remain. Returns empty if there was no schema, or if it was renamed and still has its key.
     *
     * @param last the last entry of the name, which refers to no schema
     */
    private Optional<String> droppedKey(String name, Last last)
            throws IOException
    {
        if (last.number() == 0) {
            return Optional.empty();
        }
        Optional<NewSchema> renamedTo = names.renamedTo(name, last.number(), last);
        if (renamedTo.isEmpty()) {
            return Optional.of(names.key(name, last.number() - 1, last));
        }
        // After a power failure, no schema would have the key if only the next entry of the old name survived
        names.makeDurable(renamedTo.get().name(), renamedTo.get().number());
        return Optional.empty();
    }

    /**
     * Checks that another schema can get a name.
     *
     * @return the number of its entry
     * @throws TableException ALREADY_EXISTS
     */
    long prepareRename(String name)
            throws IOException
    {
        Last last = names.lastForChange(name);
        if (keys.find(name, last).isPresent()) {
            throw alreadyExists(name);
        }
        Optional<String> key = droppedKey(name, last);
        if (key.isPresent()) {
            // No later schema of this name would have its key
            Optional<String> table = findTable(key.get());
            if (table.isPresent()) {
                throw new TableException(ALREADY_EXISTS, "Schema '%s' was dropped while table '%1$s.%s' was created in it: create the schema again to access the table", name, table.get());
            }
        }
        return last.number() + 1;
    }

    /**
     * Drops a schema without tables.
     *
     * @throws TableException SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY, OUTCOME_UNKNOWN
     */
    public void drop(String name)
            throws IOException
    {
        while (true) {
            Last last = names.lastForChange(name);
            if (pendingRenames.complete(name, last)) {
                continue;
            }
            ResolvedSchema schema = keys.resolve(name, last)
                    .orElseThrow(() -> notFound(name));
            if (tryDrop(schema)) {
                return;
            }
            // Another client has begun to rename the schema, which may fail. Or it has dropped the schema, and another
            // schema may have the name now
            Last newLast = names.lastForChange(name);
            if (newLast.number() != schema.number() + 1 || !pendingRenames.complete(name, newLast)) {
                throw notFound(name);
            }
        }
    }

    /**
     * @return false if another client has ended the entry of the schema first
     */
    private boolean tryDrop(ResolvedSchema schema)
            throws IOException
    {
        String name = schema.name();
        byte[] live = names.bytes(name, schema.number());
        Optional<String> table = findTable(schema.key());
        if (table.isPresent()) {
            throw notEmpty(name, table.get());
        }
        if (!names.end(name, schema.number(), Optional.empty())) {
            return false;
        }
        boolean empty = false;
        try {
            table = findTable(schema.key());
            empty = table.isEmpty();
        }
        finally {
            // Restore the schema even if the storage failed, because a table may exist
            if (!empty) {
                restore(schema, live);
            }
        }
        if (table.isPresent()) {
            throw notEmpty(name, table.get());
        }
        return true;
    }

    private void restore(ResolvedSchema schema, byte[] live)
    {
        try {
            names.createCopy(schema.name(), schema.number(), live, schema.number() + 2);
        }
        catch (IOException e) {
            throw new TableException(OUTCOME_UNKNOWN, "Schema '%s' was dropped, but the storage failed when Albis checked whether it has tables. If it has, create the schema again to access them".formatted(schema.name()), e);
        }
    }

    private Optional<String> findTable(String key)
            throws IOException
    {
        for (String tableName : tableNames.list(key)) {
            if (tables.isTaken(key, tableName)) {
                return Optional.of(tableName);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the location for tables for which the user does not specify one.
     *
     * @throws TableException NOT_SUPPORTED if the location belongs to another warehouse
     */
    Location tableLocation(ResolvedSchema schema)
            throws IOException
    {
        SchemaEntry entry = names.read(schema.name(), schema.number());
        if (entry.location().isPresent()) {
            folders.checkWritable(entry.location().get(), "The location of schema '%s'".formatted(schema.name()));
        }
        return toSchema(entry).location();
    }

    static TableException alreadyExists(String name)
    {
        return new TableException(ALREADY_EXISTS, "Schema '%s' already exists", name);
    }

    static TableException notFound(String name)
    {
        return new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", name);
    }

    private static TableException notEmpty(String name, String tableName)
    {
        return new TableException(SCHEMA_NOT_EMPTY, "Schema '%s' is not empty: it contains table '%s'", name, tableName);
    }

    private SchemaInfo toSchema(SchemaEntry entry)
            throws IOException
    {
        Location location = paths.schemaFolder(entry.name());
        if (entry.location().isPresent()) {
            location = folders.toLocation(entry.location().get(), names.location(entry.name(), entry.number()));
        }
        return new SchemaInfo(entry.name(), location, entry.location().isPresent(), entry.properties());
    }
}
