package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.TypeResolver;
import io.albis.table.catalog.LocationChecks;
import io.albis.table.catalog.Schemas;
import io.albis.table.catalog.StoredFolders;
import io.albis.table.catalog.TableCreation;
import io.albis.table.catalog.TableNaming;
import io.albis.table.catalog.Tables;
import io.albis.table.json.JsonFiles;
import io.albis.table.model.NewTable;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.name.TableNames;
import io.albis.table.name.WarehouseIdentity;
import io.albis.table.path.Names;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.PutIfAbsentSelector;
import io.albis.table.put.StorageProbe;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Append;
import io.albis.table.version.Change;
import io.albis.table.version.Commits;
import io.albis.table.version.ReadSet;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.put.StorageCalls.unchecked;
import static io.albis.table.storage.CheckedFileSystem.checked;

/**
 * The schemas and tables below one folder. It keeps nothing between calls and holds no locks: make one per transaction
 * and identity. Safe to use from several threads, and together with others of its kind in other processes.
 * <p>
 * All methods throw {@link TableException} if they refuse what was asked for, and
 * {@link java.io.UncheckedIOException} if the storage fails (its cause is the IOException) or if a file is damaged (its
 * cause is an {@link io.albis.format.io.AlbisDataException}). No argument and no result is null.
 */
public final class Warehouse
{
    private final Location root;
    private final ExclusiveFiles exclusiveFiles;
    private final Commits commits;
    private final TableNames names;
    private final StoredFolders folders;
    private final Schemas schemas;
    private final Tables tables;
    private final LocationChecks locationChecks;
    private final TableCreation creation;
    private final TableNaming naming;

    /**
     * @param root folder of the warehouse, such as {@code hdfs://namenode/warehouse}
     * @throws TableException NOT_SUPPORTED if files cannot be created exactly once at that location
     */
    public Warehouse(TrinoFileSystem fileSystem, Location root, TypeResolver types)
    {
        this(fileSystem, root, types, WarehouseOptions.DEFAULT.withProbe(new StorageProbe()));
    }

    public Warehouse(TrinoFileSystem storage, Location root, TypeResolver types, WarehouseOptions options)
    {
        TrinoFileSystem fileSystem = checked(storage);
        WarehousePaths layout = new WarehousePaths(root);
        JsonFiles json = new JsonFiles(types);
        PutIfAbsentSelector putIfAbsent = new PutIfAbsentSelector(fileSystem, options.localFolders());
        putIfAbsent.select(root);
        ExclusiveFiles exclusiveFiles = new ExclusiveFiles(fileSystem, putIfAbsent, options.probe(), options.policy());
        this.exclusiveFiles = exclusiveFiles;
        this.root = layout.root();
        this.folders = new StoredFolders(layout, new WarehouseIdentity(fileSystem, layout, json, exclusiveFiles));
        this.names = new TableNames(fileSystem, layout, json, exclusiveFiles);
        this.commits = new Commits(names, options.policy(), options.observer());
        this.schemas = new Schemas(fileSystem, layout, json, exclusiveFiles, names, folders);
        this.tables = new Tables(fileSystem, layout, json, exclusiveFiles, names, folders, commits, options.manifests());
        this.locationChecks = new LocationChecks(fileSystem, layout, putIfAbsent, options.allowedLocations());
        this.creation = new TableCreation(schemas, tables, names, folders, locationChecks, putIfAbsent, commits);
        this.naming = new TableNaming(schemas, tables, names, folders, commits);
    }

    /**
     * Asks the storage whether commits are safe there. Every write does so before anything depends on it, if nobody did
     * before.
     *
     * @throws TableException NOT_SUPPORTED if they certainly are not
     */
    public void checkStorage()
    {
        unchecked(() -> {
            exclusiveFiles.check(root.appendPath("file"));
            return null;
        });
    }

    /**
     * Names of the schemas, in no order.
     */
    public List<String> listSchemas()
    {
        return unchecked(schemas::list);
    }

    /**
     * Whether there is a schema of that name. Reads no file, so a schema whose entry is damaged is there too.
     */
    public boolean schemaExists(String schemaName)
    {
        return Names.isPossible(schemaName) && unchecked(() -> schemas.exists(schemaName));
    }

    /**
     * @return empty if there is no such schema, also if there could be none of that name
     */
    public Optional<SchemaInfo> getSchema(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            return Optional.empty();
        }
        return unchecked(() -> schemas.get(schemaName));
    }

    /**
     * @param location absolute folder for the folders of its tables; empty for one below the folder of the warehouse
     * @throws TableException INVALID_NAME, ALREADY_EXISTS; INVALID_DEFINITION, LOCATION_NOT_ALLOWED or NOT_SUPPORTED for the
     *         location
     */
    public SchemaInfo createSchema(String schemaName, Optional<String> location, Map<String, String> properties)
    {
        Names.checkSchemaName(schemaName);
        return unchecked(() -> {
            Optional<Location> folder = Optional.empty();
            if (location.isPresent()) {
                folder = Optional.of(locationChecks.check(location.get()));
            }
            return schemas.create(schemaName, folder, properties);
        });
    }

    /**
     * @throws TableException SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY
     */
    public void dropSchema(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        unchecked(() -> {
            schemas.drop(schemaName, tables::isTaken);
            return null;
        });
    }

    /**
     * Names of the tables, in no order; none if there is no such schema.
     */
    public List<String> listTables(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            return ImmutableList.of();
        }
        return unchecked(() -> schemas.exists(schemaName) ? names.list(schemaName) : ImmutableList.of());
    }

    /**
     * The newest version of a table.
     *
     * @return empty if there is no such table, also if there could be none of that name
     * @throws UnreadableTableException if there is one, and it cannot be loaded
     */
    public Optional<AlbisTable> loadTable(String schemaName, String tableName)
    {
        if (!Names.isPossible(schemaName) || !Names.isPossible(tableName)) {
            return Optional.empty();
        }
        return unchecked(() -> tables.load(schemaName, tableName));
    }

    /**
     * The version of a table that a handle was made from. Does not look whether the table still has that name.
     */
    public AlbisTable loadTableVersion(String schemaName, String tableName, Location folder, UUID uuid, long version)
    {
        return unchecked(() -> {
            TableStorage storage = tables.open(folder, uuid);
            TableVersion tableVersion = storage.versions().read(version)
                    .orElseThrow(() -> new TableException(TABLE_NOT_FOUND, "Table '%s.%s' does not have version %s any more", schemaName, tableName, version));
            return storage.table(schemaName, tableName, tableVersion);
        });
    }

    /**
     * Checks a definition and picks a folder. Writes nothing.
     *
     * @throws TableException SCHEMA_NOT_FOUND, INVALID_NAME; INVALID_DEFINITION, LOCATION_NOT_ALLOWED or NOT_SUPPORTED for the
     *         location
     */
    public NewTable newTable(String schemaName, String tableName, TableDefinition definition)
    {
        Names.checkTableName(tableName);
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        return unchecked(() -> creation.prepare(schemaName, tableName, definition));
    }

    /**
     * Makes a table visible, with rows that are in its folder. If it fails, and not with OUTCOME_UNKNOWN, there is no table.
     * Its row groups may then be removed and nothing else, or it may be called again. What an attempt has written besides
     * stays, as the next attempt may build on it.
     *
     * @throws TableException SCHEMA_NOT_FOUND, ALREADY_EXISTS, OUTCOME_UNKNOWN, CONFLICT if an earlier call has made the table
     *         and others have renamed or dropped it since
     */
    public AlbisTable createTable(NewTable newTable, TableRows rows)
    {
        return unchecked(() -> creation.create(newTable, rows));
    }

    /**
     * To be called before rows are written into the folder of a table.
     *
     * @throws TableException NOT_SUPPORTED if the table is outside of this warehouse and belongs to another one
     */
    public void checkWritable(AlbisTable table)
    {
        unchecked(() -> {
            folders.checkWritable(table);
            return null;
        });
    }

    /**
     * Adds rows that are in the folder of the table. Without any, nothing is committed.
     *
     * @param base the table as it was when the write started
     * @return the table with the rows
     * @throws TableException TABLE_NOT_FOUND if the table was dropped since, CONFLICT, NOT_SUPPORTED as with
     *         {@link #checkWritable}, OUTCOME_UNKNOWN
     */
    public AlbisTable append(AlbisTable base, TableRows rows, ReadSet readSet)
    {
        if (rows.isEmpty()) {
            return base;
        }
        return unchecked(() -> {
            folders.checkWritable(base);
            TableStorage storage = tables.open(base.folder(), base.uuid());
            Append append = new Append(storage.manifests(), base.version(), rows, readSet);
            try {
                return commit(storage, base, append);
            }
            catch (TableException e) {
                if (e.reason() != OUTCOME_UNKNOWN) {
                    append.abort();
                }
                throw e;
            }
            catch (IOException e) {
                append.abort();
                throw e;
            }
        });
    }

    /**
     * @throws TableException TABLE_NOT_FOUND, CONFLICT, NOT_SUPPORTED as with {@link #checkWritable}, OUTCOME_UNKNOWN
     */
    public AlbisTable alter(AlbisTable base, Change change)
    {
        return unchecked(() -> {
            folders.checkWritable(base);
            TableStorage storage = tables.open(base.folder(), base.uuid());
            return commit(storage, base, next -> Optional.of(change.apply(next)));
        });
    }

    /**
     * Removes the name of a table. Its files stay, for readers that still use them.
     *
     * @throws TableException TABLE_NOT_FOUND if the table does not have that name any more
     */
    public void dropTable(AlbisTable table)
    {
        unchecked(() -> {
            naming.drop(table);
            return null;
        });
    }

    /**
     * Whether a name has had no other entry since the one of this number.
     */
    public boolean isLastEntry(String schemaName, String tableName, long entryNumber)
    {
        return unchecked(() -> names.last(schemaName, tableName) == entryNumber);
    }

    /**
     * Removes a name whose table cannot be loaded. Its files stay.
     *
     * @param entryNumber of the entry that could not be used, as {@code UnreadableTableException} has it: the entry of another
     *         table that has got the name since then stays
     * @throws TableException TABLE_NOT_FOUND if somebody else was faster
     */
    public void dropDamagedTable(String schemaName, String tableName, long entryNumber)
    {
        unchecked(() -> {
            naming.dropEntry(schemaName, tableName, entryNumber);
            return null;
        });
    }

    /**
     * Gives a table another name, also in another schema. Its files stay where they are.
     *
     * @throws TableException SCHEMA_NOT_FOUND, TABLE_NOT_FOUND, INVALID_NAME, ALREADY_EXISTS, CONFLICT, OUTCOME_UNKNOWN
     */
    public AlbisTable renameTable(AlbisTable table, String newSchemaName, String newTableName)
    {
        Names.checkSchemaName(newSchemaName);
        Names.checkTableName(newTableName);
        return unchecked(() -> naming.rename(table, newSchemaName, newTableName));
    }

    private AlbisTable commit(TableStorage storage, AlbisTable base, Commits.Step step)
            throws IOException
    {
        TableVersion version = commits.commit(storage.versions(), base.version().version(), step);
        return storage.table(base.schemaName(), base.tableName(), version);
    }
}
