package io.albis.table.model;

import io.trino.filesystem.Location;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * A table that is being created. Its files can be written, but the table is not visible yet.
 *
 * @param schemaName name that the schema had when the statement began
 * @param schemaKey key of the schema, which remains if the schema is renamed
 * @param uuid id of the table
 * @param folder folder for the row groups of the table; it contains nothing else
 */
public record NewTable(String schemaName, String schemaKey, String tableName, UUID uuid, Location folder, TableDefinition definition)
{
    public NewTable
    {
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(schemaKey, "schemaKey is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(uuid, "uuid is null");
        requireNonNull(folder, "folder is null");
        requireNonNull(definition, "definition is null");
    }
}
