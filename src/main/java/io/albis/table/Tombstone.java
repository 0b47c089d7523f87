package io.albis.table;

import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * An entry in the log of a name that ends the live entry before it. Nobody has to read it: its number says what it is.
 *
 * @param tableName empty in the log of a schema
 */
record Tombstone(long number, UUID id, String schemaName, Optional<String> tableName)
{
    Tombstone
    {
        requireNonNull(id, "id is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
    }
}
