package io.albis.trino.system;

import io.trino.spi.connector.SchemaTableName;

import java.util.Arrays;
import java.util.Optional;

import static java.util.Locale.ENGLISH;

/**
 * The kind of a system table. Its name is that of the table, a dollar sign, and the suffix. A name of a table has no
 * dollar sign.
 */
public enum SystemTableType
{
    FILES,
    HISTORY,
    MANIFESTS,
    PARTITIONS,
    PROPERTIES,
    REFS,
    SNAPSHOTS,
    USAGE;

    private String suffix()
    {
        return "$" + name().toLowerCase(ENGLISH);
    }

    /**
     * Returns what a table lists; empty if it does not have the name of a system table.
     */
    public static Optional<SystemTableType> of(String tableName)
    {
        return Arrays.stream(values())
                .filter(type -> tableName.length() > type.suffix().length() && tableName.endsWith(type.suffix()))
                .findFirst();
    }

    /**
     * Returns the name of the table to which a system table belongs, and the name itself of any other table.
     */
    public static SchemaTableName baseTable(SchemaTableName name)
    {
        return of(name.getTableName())
                .map(type -> new SchemaTableName(name.getSchemaName(), name.getTableName().substring(0, name.getTableName().length() - type.suffix().length())))
                .orElse(name);
    }
}
