package io.albis.table.name;

import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * An entry in the log of a name that ends the preceding live entry. Its number alone identifies it, so Albis never
 * reads it.
 *
 * @param number number of the tombstone, which is even
 * @param id id of the tombstone
 * @param schemaName name of the schema
 * @param tableName name of the table; empty in the log of a schema
 */
public record Tombstone(long number, UUID id, String schemaName, Optional<String> tableName)
{
    public Tombstone
    {
        requireNonNull(id, "id is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
    }
}
