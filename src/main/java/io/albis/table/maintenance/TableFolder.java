package io.albis.table.maintenance;

import io.albis.table.path.WarehousePaths;
import io.trino.filesystem.Location;

import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * A folder whose name is that of a table folder. Whether it contains a table is unknown.
 *
 * @param schemaName name of the schema in whose default folder this folder is; empty if it is elsewhere
 * @param uuid id of the table, according to the name of the folder
 */
record TableFolder(Location location, Optional<String> schemaName, UUID uuid)
{
    TableFolder
    {
        requireNonNull(location, "location is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(uuid, "uuid is null");
    }

    /**
     * Returns the first name of the table, as far as the name of the folder shows it.
     */
    Optional<String> tableName()
    {
        return WarehousePaths.tableNameOf(location);
    }
}
