package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.type.TypeResolver;
import io.albis.table.alter.Change;
import io.albis.table.maintenance.ExpiryResult;
import io.albis.table.maintenance.OrphanRemovalResult;
import io.albis.table.model.NewTable;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.name.NameEntry;
import io.albis.table.path.Names;
import io.albis.table.put.StorageProbe;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.row.RowHistory;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.put.StorageCalls.unchecked;

/**
 * The schemas and tables below one folder, and the entry point of the table layer. A warehouse keeps no state between
 * calls and holds no locks, so create one for each transaction and identity. It is thread-safe, and any number of
 * processes can use the same folder at the same time. No argument or result is null.
 * <p>
 * All methods throw {@link TableException} if they refuse the operation, and {@link java.io.UncheckedIOException} if
 * the storage fails or, with an {@link io.albis.format.io.AlbisDataException} as its cause, a file is damaged.
 */
public final class Warehouse
{
    private final WarehouseParts parts;

    /**
     * Opens a warehouse with the default options, which includes a check of the storage before the first write.
     *
     * @param root folder of the warehouse, such as {@code hdfs://namenode/warehouse}
     * @param types resolves the ids of types
     * @throws TableException NOT_SUPPORTED if the file system of the location cannot create files exactly once
     */
    public Warehouse(TrinoFileSystem fileSystem, Location root, TypeResolver types)
    {
        this(fileSystem, root, types, WarehouseOptions.DEFAULT.withProbe(new StorageProbe()));
    }

    /**
     * Opens a warehouse with the given options.
     */
    public Warehouse(TrinoFileSystem storage, Location root, TypeResolver types, WarehouseOptions options)
    {
        this.parts = WarehouseParts.create(storage, root, types, options);
    }

    /**
     * Checks that commits are safe on the storage of this warehouse. Every write does this first, unless the storage
     * was checked before.
     *
     * @throws TableException NOT_SUPPORTED if commits are certainly not safe
     */
    public void checkStorage()
    {
        unchecked(() -> {
            parts.checkStorage();
            return null;
        });
    }

    /**
     * Returns the names of all schemas in no particular order.
     */
    public List<String> listSchemas()
    {
        return unchecked(parts.schemas()::list);
    }

    /**
     * Returns whether a schema exists. Does not read its entry, so a schema with a damaged entry exists too.
     */
    public boolean schemaExists(String schemaName)
    {
        return Names.isPossible(schemaName) && unchecked(() -> parts.schemas().exists(schemaName));
    }

    /**
     * Returns a schema.
     *
     * @return empty if the schema does not exist, or if no schema can have that name
     */
    public Optional<SchemaInfo> getSchema(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            return Optional.empty();
        }
        return unchecked(() -> parts.schemas().get(schemaName));
    }

    /**
     * Creates a schema.
     *
     * @param location absolute folder for the folders of its tables; empty for a folder below that of the warehouse
     * @param properties properties by name
     * @throws TableException INVALID_NAME, ALREADY_EXISTS, OUTCOME_UNKNOWN; INVALID_DEFINITION, LOCATION_NOT_ALLOWED,
     *         or NOT_SUPPORTED for the location
     */
    public SchemaInfo createSchema(String schemaName, Optional<String> location, Map<String, String> properties)
    {
        Names.checkSchemaName(schemaName);
        return unchecked(() -> {
            Optional<Location> folder = Optional.empty();
            if (location.isPresent()) {
                folder = Optional.of(parts.locationChecks().check(location.get()));
            }
            return parts.schemas().create(schemaName, folder, properties);
        });
    }

    /**
     * Drops a schema without tables.
     *
     * @throws TableException SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY, OUTCOME_UNKNOWN
     */
    public void dropSchema(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        unchecked(() -> {
            parts.schemas().drop(schemaName);
            return null;
        });
    }

    /**
     * Renames a schema. No table changes, and new tables get their folders below the new name if there is no location.
     *
     * @throws TableException INVALID_NAME, SCHEMA_NOT_FOUND, ALREADY_EXISTS, OUTCOME_UNKNOWN
     */
    public void renameSchema(String schemaName, String newName)
    {
        Names.checkSchemaName(newName);
        unchecked(() -> {
            parts.schemaRename().rename(schemaName, newName);
            return null;
        });
    }

    /**
     * Returns the names of the tables and views of a schema in no particular order; empty if the schema does not exist.
     */
    public List<String> listTables(String schemaName)
    {
        if (!Names.isPossible(schemaName)) {
            return ImmutableList.of();
        }
        return unchecked(() -> parts.schemas().listTables(schemaName));
    }

    /**
     * Loads the newest version of a table or of a view.
     *
     * @return empty if the table does not exist, or if no table can have that name
     * @throws io.albis.table.name.UnreadableTableException if the table exists but cannot be loaded
     */
    public Optional<AlbisTable> loadTable(String schemaName, String tableName)
    {
        if (!Names.isPossible(schemaName) || !Names.isPossible(tableName)) {
            return Optional.empty();
        }
        return unchecked(() -> parts.tables().load(schemaName, tableName));
    }

    /**
     * Loads a given version of a table, such as the version of a handle. Does not check whether the table still has
     * that name.
     *
     * @param folder folder of the table
     * @param uuid id of the table
     * @param version number of the version
     * @throws TableException TABLE_NOT_FOUND if the version no longer exists
     */
    public AlbisTable loadTableVersion(String schemaName, String tableName, Location folder, UUID uuid, long version)
    {
        return unchecked(() -> {
            TableStorage storage = parts.tables().open(folder, uuid);
            TableVersion tableVersion = storage.versions().read(version)
                    .orElseThrow(() -> new TableException(TABLE_NOT_FOUND, "Table '%s.%s' no longer has version %s", schemaName, tableName, version));
            return storage.table(schemaName, tableName, tableVersion);
        });
    }

    /**
     * Returns the versions of a table up to the one that was loaded. Reads nothing yet.
     */
    public TableHistory history(AlbisTable table)
    {
        return new TableHistory(parts.tables().open(table.folder(), table.uuid()), table);
    }

    /**
     * Returns the changes of the rows of a table between its versions, up to the one that was loaded. Reads nothing
     * yet.
     */
    public RowHistory rowHistory(AlbisTable table)
    {
        return new RowHistory(parts.tables().open(table.folder(), table.uuid()), table);
    }

    /**
     * Returns the table as it was at another of its versions, which {@link #history} has returned. Reads nothing.
     */
    public AlbisTable at(AlbisTable table, TableVersion version)
    {
        return parts.tables().open(table.folder(), table.uuid()).table(table.schemaName(), table.tableName(), version);
    }

    /**
     * Validates the definition of a table and chooses the folder of the table. Writes nothing.
     *
     * @throws TableException SCHEMA_NOT_FOUND, INVALID_NAME; INVALID_DEFINITION, LOCATION_NOT_ALLOWED, or NOT_SUPPORTED
     *         for the location
     */
    public NewTable newTable(String schemaName, String tableName, TableDefinition definition)
    {
        Names.checkTableName(tableName);
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        return unchecked(() -> parts.creation().prepare(schemaName, tableName, definition));
    }

    /**
     * Makes a new table visible, with rows that are already in its folder. If this fails with any reason other than
     * OUTCOME_UNKNOWN, the table does not exist. The caller can then call {@link #abandonTable}, or this method again.
     * It must not delete any files before, because the next attempt may build on them.
     *
     * @throws TableException SCHEMA_NOT_FOUND, ALREADY_EXISTS, OUTCOME_UNKNOWN; CONFLICT if an earlier call created the
     *         table and another transaction has renamed or dropped it since
     */
    public AlbisTable createTable(NewTable newTable, TableRows rows)
    {
        return unchecked(() -> parts.creation().create(newTable, rows));
    }

    /**
     * Gives up a table that {@link #createTable} has not made visible. No later call makes it visible.
     *
     * @return whether the caller can delete the row groups; false if others use the table or may read it
     * @throws TableException CONFLICT, OUTCOME_UNKNOWN; the row groups must remain
     */
    public boolean abandonTable(NewTable newTable)
    {
        return unchecked(() -> parts.creation().abandon(newTable));
    }

    /**
     * Checks that this warehouse may write to a table. Call this before writing rows to the folder of the table.
     *
     * @throws TableException NOT_SUPPORTED if the table is outside of this warehouse and belongs to another one, or if
     *         changing it requires a newer version of Albis
     */
    public void checkWritable(AlbisTable table)
    {
        unchecked(() -> {
            parts.changes().checkWritable(table);
            return null;
        });
    }

    /**
     * Commits rows that are already in the folder of the table, as {@link #change} does.
     */
    public AlbisTable append(AlbisTable base, TableRows rows, ReadSet readSet)
    {
        return change(base, RowChange.append(rows), readSet);
    }

    /**
     * Commits the rows that a statement adds and deletes, in one version. If there are none, nothing is committed.
     * <p>
     * Files of deleted rows that the caller has written need not be part of the version afterwards, because deletes of
     * other writers are combined with them.
     *
     * @param base the table as it was when the statement started, before it wrote its first file
     * @param readSet the rows that the statement has read from the table
     * @return the table after the change
     * @throws TableException TABLE_NOT_FOUND if the table was dropped since; CONFLICT if another writer has changed
     *         what the statement has read, the rows that it deletes, or the columns; OUTCOME_UNKNOWN; NOT_SUPPORTED as
     *         for {@link #checkWritable}
     */
    public AlbisTable change(AlbisTable base, RowChange change, ReadSet readSet)
    {
        return unchecked(() -> parts.changes().change(base, change, readSet));
    }

    /**
     * Commits that a DELETE removes row groups, as {@link #change} does. Rows that others have deleted meanwhile are no
     * conflict, because the statement does not count them.
     *
     * @param base the table as it was when the statement started
     * @return how many rows the row groups had when they were removed
     */
    public long removeRowGroups(AlbisTable base, Set<UUID> rowGroups, ReadSet readSet)
    {
        return unchecked(() -> parts.changes().removeRowGroups(base, rowGroups, readSet));
    }

    /**
     * Commits the column groups of later writes, and new column groups of existing row groups, with the same values as
     * before. Row groups that others have removed in the meantime are left out.
     *
     * @param base the table as it was when the statement started, before it wrote its first file
     * @param columnGroups groups of all columns of the table
     * @param regrouped row groups with only the new instances of column groups. The files exist already
     * @return the table after the change; nothing is committed if there are no row groups to change and the table
     *         already has these column groups
     * @throws TableException TABLE_NOT_FOUND if the table was dropped since; CONFLICT if another writer has replaced
     *         the same column groups, or has changed the columns or the column groups of the table; OUTCOME_UNKNOWN;
     *         NOT_SUPPORTED as for {@link #checkWritable}
     */
    public AlbisTable regroup(AlbisTable base, List<TableColumnGroup> columnGroups, TableRows regrouped)
    {
        return unchecked(() -> parts.changes().regroup(base, columnGroups, regrouped));
    }

    /**
     * Commits indexes of later writes, and column groups of existing row groups that were written again with them. Row
     * groups that others have removed in the meantime are left out.
     *
     * @param base the table as it was when the statement started, before it wrote its first file
     * @param columnIds ids of the columns that get an index
     * @param rewritten row groups with only the new instances of column groups. The files exist already
     * @return the table after the change; nothing is committed if there are no row groups to change and the table
     *         already has these indexes
     * @throws TableException TABLE_NOT_FOUND if the table was dropped since; CONFLICT if another writer has replaced
     *         the same column groups with other values, or has changed the columns of the table, its column groups, or
     *         the indexes of other columns in the same files; OUTCOME_UNKNOWN; NOT_SUPPORTED as for {@link
     *         #checkWritable}
     */
    public AlbisTable addIndexes(AlbisTable base, Set<Integer> columnIds, TableRows rewritten)
    {
        return unchecked(() -> parts.changes().changeIndexes(base, columnIds, ImmutableSet.of(), rewritten));
    }

    /**
     * Commits that later writes make no index of some columns, and column groups of existing row groups that were
     * written again without one, like {@link #addIndexes}.
     *
     * @param columnIds ids of the columns that lose their index
     */
    public AlbisTable dropIndexes(AlbisTable base, Set<Integer> columnIds, TableRows rewritten)
    {
        return unchecked(() -> parts.changes().changeIndexes(base, ImmutableSet.of(), columnIds, rewritten));
    }

    /**
     * Removes all rows of a table, including those that others have committed since it was loaded. Reads no row group
     * and no manifest. If the table has no rows, nothing is committed.
     *
     * @throws TableException TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN; NOT_SUPPORTED as for {@link #checkWritable}
     */
    public AlbisTable truncate(AlbisTable base)
    {
        return unchecked(() -> parts.changes().truncate(base));
    }

    /**
     * Commits a version with the content of an earlier one: its columns, properties, comment, and rows. If that is the
     * newest version, nothing is committed.
     *
     * @param number number of the earlier version
     * @throws TableException VERSION_NOT_FOUND, TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN; NOT_SUPPORTED as for
     *         {@link #checkWritable}
     */
    public AlbisTable rollback(AlbisTable base, long number)
    {
        return unchecked(() -> parts.changes().rollback(base, number));
    }

    /**
     * Commits another definition of a table, with rows that are already in its folder. The table keeps its id, folder,
     * name, and history.
     *
     * @param definition definition with the column ids 1, 2, and so on. Its location is ignored
     * @param rows rows with the column ids that {@link TableDefinition#withColumnIdsAfter} returns for {@code base}
     * @param baseWasRead whether the rows may depend on those of {@code base}
     * @throws TableException TABLE_NOT_FOUND, OUTCOME_UNKNOWN; CONFLICT if others have renamed the table, changed its
     *         columns, or changed rows that the statement has read; NOT_SUPPORTED as for {@link #checkWritable}
     */
    public AlbisTable replaceTable(AlbisTable base, TableDefinition definition, TableRows rows, boolean baseWasRead)
    {
        return unchecked(() -> parts.changes().replace(base, definition, rows, baseWasRead));
    }

    /**
     * Commits a change to the metadata of a table.
     *
     * @throws TableException TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN; NOT_SUPPORTED as for {@link #checkWritable},
     *         or if the change is not possible; ALREADY_EXISTS if a column has the name already
     */
    public AlbisTable alter(AlbisTable base, Change change)
    {
        return unchecked(() -> parts.changes().alter(base, change));
    }

    /**
     * Forbids nulls in a column that has none. If it forbids them already, nothing is committed.
     *
     * @throws TableException TABLE_NOT_FOUND, OUTCOME_UNKNOWN; CONFLICT if the column no longer exists; NOT_SUPPORTED
     *         if it is null in some rows, or as for {@link #checkWritable}
     */
    public AlbisTable setNotNull(AlbisTable base, int columnId)
    {
        return unchecked(() -> parts.changes().setNotNull(base, columnId));
    }

    /**
     * Expires old versions of a table, and deletes the files that only they use.
     *
     * @param replacedBefore versions that another version replaced until this time expire
     * @param retainLast number of newest versions that do not expire in any case, at least 1
     * @throws TableException TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN; NOT_SUPPORTED as for {@link #checkWritable}
     */
    public ExpiryResult expireVersions(AlbisTable table, Instant replacedBefore, int retainLast)
    {
        return unchecked(() -> parts.changes().expireVersions(table, replacedBefore, retainLast));
    }

    /**
     * Deletes the files of writes that no version names, see {@link io.albis.table.maintenance.OrphanRemoval#run}.
     */
    public OrphanRemovalResult removeOrphans(AlbisTable table, Instant writtenBefore)
    {
        return unchecked(() -> parts.changes().removeOrphans(table, writtenBefore));
    }

    /**
     * Returns what concerns tables without a name. Reads nothing.
     */
    public WarehouseMaintenance maintenance()
    {
        return new WarehouseMaintenance(parts);
    }

    /**
     * Returns what concerns views only. Reads nothing.
     */
    public WarehouseViews views()
    {
        return new WarehouseViews(parts);
    }

    /**
     * Drops a table or a view. Its files remain, because queries may still read them.
     *
     * @throws TableException TABLE_NOT_FOUND if the table no longer has that name; CONFLICT, OUTCOME_UNKNOWN
     */
    public void dropTable(AlbisTable table)
    {
        unchecked(() -> {
            parts.naming().drop(table);
            return null;
        });
    }

    /**
     * Drops a table or a view like {@link #dropTable(AlbisTable)}, unless another schema has got the name of its
     * schema.
     *
     * @param schemaKey key of the schema, as in {@link WarehouseViews.ListedName}
     */
    public void dropTable(AlbisTable table, String schemaKey)
    {
        unchecked(() -> {
            parts.naming().drop(table, schemaKey);
            return null;
        });
    }

    /**
     * Returns whether an entry is still the last one of a name.
     *
     * @param entry the entry of an {@link io.albis.table.name.UnreadableTableException}
     */
    public boolean isLastEntry(String schemaName, String tableName, NameEntry entry)
    {
        return unchecked(() -> parts.naming().isLast(schemaName, tableName, entry));
    }

    /**
     * Drops a table that cannot be loaded. Its files remain.
     *
     * @param entry the entry of an {@link io.albis.table.name.UnreadableTableException}; if another table has got the
     *         name since, the entry of that table remains
     * @throws TableException TABLE_NOT_FOUND if another transaction has ended the entry or renamed the schema;
     *         OUTCOME_UNKNOWN
     */
    public void dropDamagedTable(String schemaName, String tableName, NameEntry entry)
    {
        unchecked(() -> {
            parts.naming().dropEntry(schemaName, tableName, entry);
            return null;
        });
    }

    /**
     * Renames a table or a view, possibly to another schema. Its files remain where they are.
     *
     * @throws TableException SCHEMA_NOT_FOUND, TABLE_NOT_FOUND, INVALID_NAME, ALREADY_EXISTS, CONFLICT,
     *         OUTCOME_UNKNOWN; NOT_SUPPORTED as for {@link #checkWritable}
     */
    public AlbisTable renameTable(AlbisTable table, String newSchemaName, String newTableName)
    {
        Names.checkSchemaName(newSchemaName);
        Names.checkTableName(newTableName);
        return unchecked(() -> parts.naming().rename(table, newSchemaName, newTableName));
    }
}
