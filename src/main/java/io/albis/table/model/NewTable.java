package io.albis.table.model;

import io.trino.filesystem.Location;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * A table that is about to be created: its files may be written, and nobody sees it yet.
 *
 * @param folder for its row groups; nothing else is in it
 */
public record NewTable(String schemaName, String tableName, UUID uuid, Location folder, TableDefinition definition)
{
    public NewTable
    {
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(uuid, "uuid is null");
        requireNonNull(folder, "folder is null");
        requireNonNull(definition, "definition is null");
    }
}
