package io.albis.table.name;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The content of the file next to the entry of a view. Its name alone identifies it, so Albis never reads it.
 *
 * @param number number of the entry
 * @param id id of the marker
 * @param schemaName key of the schema
 */
record ViewMarker(long number, UUID id, String schemaName, String tableName)
{
    ViewMarker
    {
        requireNonNull(id, "id is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
    }
}
