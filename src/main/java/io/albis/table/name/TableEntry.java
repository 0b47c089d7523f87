package io.albis.table.name;

import io.albis.table.model.TableName;

import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A live entry in the log of a table name: the table that the name leads to.
 *
 * @param number repeats the number of the entry, so that a copied file is found out
 * @param id of the entry; the versions of the table say which entry counts
 * @param schemaName repeats the name, as {@code tableName} does
 * @param uuid of the table
 * @param folder of the table
 * @param generation one for the entry of CREATE TABLE, one more with each RENAME and each attempt of CREATE TABLE
 * @param renamedFrom the entry that this one replaces
 */
public record TableEntry(
        long number,
        UUID id,
        String schemaName,
        String tableName,
        UUID uuid,
        StoredFolder folder,
        long generation,
        Optional<OldEntry> renamedFrom)
{
    public TableEntry
    {
        requireNonNull(id, "id is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(uuid, "uuid is null");
        requireNonNull(folder, "folder is null");
        checkArgument(generation > 0, "generation is not positive: %s", generation);
        requireNonNull(renamedFrom, "renamedFrom is null");
    }

    public record OldEntry(long number, String schemaName, String tableName)
    {
        public OldEntry
        {
            requireNonNull(schemaName, "schemaName is null");
            requireNonNull(tableName, "tableName is null");
        }
    }

    /**
     * What a version says if this is the entry that counts.
     */
    public TableName name()
    {
        return new TableName(schemaName, tableName, id, generation);
    }

    public TableEntry withNumber(long number)
    {
        return new TableEntry(number, id, schemaName, tableName, uuid, folder, generation, renamedFrom);
    }

    /**
     * An entry of another name, still without a number.
     *
     * @param generation one more than that of the newest version
     */
    public TableEntry renamed(String newSchemaName, String newTableName, long generation)
    {
        return new TableEntry(0, UUID.randomUUID(), newSchemaName, newTableName, uuid, folder, generation, Optional.of(new OldEntry(number, schemaName, tableName)));
    }
}
