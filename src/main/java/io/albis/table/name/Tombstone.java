package io.albis.table.name;

import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * An entry in the log of a name that ends the live entry before it. Nobody has to read it: its number says what it is.
 *
 * @param tableName empty in the log of a schema
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
