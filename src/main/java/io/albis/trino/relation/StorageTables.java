package io.albis.trino.relation;

import io.trino.spi.connector.SchemaTableName;

/**
 * The names of the tables from which the engine reads the rows of materialized views. A table or view cannot have such
 * a name, because it has a dollar sign.
 */
public final class StorageTables
{
    private static final String SUFFIX = "$storage";

    private StorageTables() {}

    public static boolean isStorage(SchemaTableName name)
    {
        return name.getTableName().endsWith(SUFFIX);
    }

    public static SchemaTableName storageOf(SchemaTableName materializedView)
    {
        return new SchemaTableName(materializedView.getSchemaName(), materializedView.getTableName() + SUFFIX);
    }

    /**
     * Returns the materialized view to which a storage table belongs, or the name itself if it is not that of one.
     */
    public static SchemaTableName baseOf(SchemaTableName name)
    {
        if (!isStorage(name)) {
            return name;
        }
        String tableName = name.getTableName();
        return new SchemaTableName(name.getSchemaName(), tableName.substring(0, tableName.length() - SUFFIX.length()));
    }
}
