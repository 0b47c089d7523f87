package io.albis.table;

import io.albis.format.metadata.RowGroup;
import io.albis.format.type.TypeResolver;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The schemas and tables below one folder. It keeps nothing between calls and holds no locks: make one per transaction
 * and identity. Safe to use from several threads, and together with others of its kind in other processes.
 * <p>
 * All methods throw {@link TableException} if they refuse what was asked for, and
 * {@link java.io.UncheckedIOException} if the storage fails (its cause is the IOException) or if a file is damaged (its
 * cause is an {@link io.albis.format.AlbisDataException}). No argument and no result is null.
 */
public final class Warehouse
{
    /**
     * @param root folder of the warehouse, such as {@code hdfs://namenode/warehouse}
     * @throws TableException NOT_SUPPORTED if files cannot be created exactly once at that location
     */
    public Warehouse(TrinoFileSystem fileSystem, Location root, TypeResolver types)
    {
        this(fileSystem, root, types, Optional.empty());
    }

    /**
     * @param localRoot folder of the machine that {@code local:///} and {@code file:///} stand for, which is the catalog
     * property {@code local.location}; needed to write to locations of these schemes
     */
    public Warehouse(TrinoFileSystem fileSystem, Location root, TypeResolver types, Optional<Path> localRoot)
    {
    }

    /**
     * Names of the schemas, in no order.
     */
    public List<String> listSchemas()
    {
        throw new UnsupportedOperationException();
    }

    /**
     * @return empty if there is no such schema, also if there could be none of that name
     */
    public Optional<SchemaInfo> getSchema(String schemaName)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * @param location absolute folder for the folders of its tables; empty for one below the folder of the warehouse
     * @throws TableException INVALID_NAME, INVALID_DEFINITION for the location, ALREADY_EXISTS
     */
    public SchemaInfo createSchema(String schemaName, Optional<String> location, Map<String, String> properties)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * @throws TableException SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY
     */
    public void dropSchema(String schemaName)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Names of the tables, in no order; none if there is no such schema.
     */
    public List<String> listTables(String schemaName)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * The newest version of a table.
     *
     * @return empty if there is no such table, also if there could be none of that name
     */
    public Optional<AlbisTable> loadTable(String schemaName, String tableName)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * The version of a table that a handle was made from. Does not look whether the table still has that name.
     */
    public AlbisTable loadTableVersion(String schemaName, String tableName, Location folder, UUID uuid, long version)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Checks a definition and picks a folder. Writes nothing.
     *
     * @throws TableException SCHEMA_NOT_FOUND, INVALID_NAME, INVALID_DEFINITION for the location
     */
    public NewTable newTable(String schemaName, String tableName, TableDefinition definition)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes a table visible, with row groups that are in its folder. On ALREADY_EXISTS the files of the new table are
     * removed, those of the row groups among them.
     *
     * @throws TableException SCHEMA_NOT_FOUND, ALREADY_EXISTS, OUTCOME_UNKNOWN
     */
    public AlbisTable createTable(NewTable newTable, List<RowGroup> rowGroups)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds row groups that are in the folder of the table. Without any, nothing is committed.
     *
     * @param base the table as it was when the write started
     * @return the table with the row groups
     * @throws TableException TABLE_NOT_FOUND if the table was dropped or renamed since, CONFLICT, OUTCOME_UNKNOWN
     */
    public AlbisTable append(AlbisTable base, List<RowGroup> rowGroups, ReadSet readSet)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * @throws TableException TABLE_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN
     */
    public AlbisTable alter(AlbisTable base, Change change)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Removes the name of a table. Its files stay, for readers that still use them.
     *
     * @throws TableException TABLE_NOT_FOUND if the table does not have that name any more
     */
    public void dropTable(AlbisTable table)
    {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives a table another name, also in another schema. Its files stay where they are.
     *
     * @throws TableException SCHEMA_NOT_FOUND, TABLE_NOT_FOUND, INVALID_NAME, ALREADY_EXISTS, CONFLICT, OUTCOME_UNKNOWN
     */
    public AlbisTable renameTable(AlbisTable table, String newSchemaName, String newTableName)
    {
        throw new UnsupportedOperationException();
    }
}
