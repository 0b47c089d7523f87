package io.albis.table.model;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The name of a table, as its versions store it. The newest version decides which name a table has. Any other entry in
 * the log of a name is stale, or belongs to a RENAME that is not complete. The names of all tables can be recovered
 * from their versions alone.
 *
 * @param schemaName key of the schema, which remains when the schema is renamed, see
 *         {@link io.albis.table.name.KeyOrigin}
 * @param entry id of the entry that refers to the table
 * @param generation positive number that never decreases from one version to the next, and increases whenever
 *         {@code entry} changes
 */
public record TableName(String schemaName, String tableName, UUID entry, long generation)
{
    public TableName
    {
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(entry, "entry is null");
        checkArgument(generation > 0, "generation is not positive: %s", generation);
    }
}
