package io.albis.table.name;

import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;

import java.util.Optional;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A live entry in the log of a table name, which refers to the table of that name.
 *
 * @param number number of the entry, repeated from the file name so that a copied file is detected; 0 before the entry
 *         has a number
 * @param id id of the entry; the versions of the table decide which entry is valid
 * @param schemaName key of the schema, see {@link KeyOrigin}, repeated from the file name
 * @param tableName name of the table, repeated from the file name
 * @param uuid id of the table
 * @param folder folder of the table
 * @param generation 1 for the entry of CREATE TABLE, and one more for each RENAME and each further attempt of CREATE
 *         TABLE
 * @param renamedFrom the entry that this one replaces; empty if the entry was created by CREATE TABLE
 * @param kind what the entry refers to if that is not a table, for listings; the versions decide what it is
 */
public record TableEntry(
        long number,
        UUID id,
        String schemaName,
        String tableName,
        UUID uuid,
        StoredFolder folder,
        long generation,
        Optional<OldEntry> renamedFrom,
        Optional<String> kind)
{
    /**
     * The kind of the entries of views.
     */
    public static final String VIEW = "view";
    /**
     * The kind of the entries of materialized views.
     */
    public static final String MATERIALIZED_VIEW = "materialized-view";

    public TableEntry
    {
        requireNonNull(id, "id is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(uuid, "uuid is null");
        requireNonNull(folder, "folder is null");
        checkArgument(generation > 0, "generation is not positive: %s", generation);
        requireNonNull(renamedFrom, "renamedFrom is null");
        requireNonNull(kind, "kind is null");
    }

    /**
     * Returns the kind of an entry that refers to a version; empty if this is the version of a table.
     */
    public static Optional<String> kind(TableVersion version)
    {
        if (!version.isView()) {
            return Optional.empty();
        }
        return Optional.of(version.isMaterializedView() ? MATERIALIZED_VIEW : VIEW);
    }

    /**
     * The number and the name of an entry that a RENAME replaces. A registration replaces no entry, but the last name
     * of the table.
     *
     * @param number number of the entry, or 0 after a registration
     * @param schemaName key of the schema
     */
    public record OldEntry(long number, String schemaName, String tableName)
    {
        public OldEntry
        {
            checkArgument(number >= 0, "number is negative: %s", number);
            requireNonNull(schemaName, "schemaName is null");
            requireNonNull(tableName, "tableName is null");
        }
    }

    /**
     * Returns the name that a version has if this is its valid entry.
     */
    public TableName name()
    {
        return new TableName(schemaName, tableName, id, generation);
    }

    public TableEntry withNumber(long number)
    {
        return new TableEntry(number, id, schemaName, tableName, uuid, folder, generation, renamedFrom, kind);
    }

    /**
     * Returns an entry of another name for the same table. It has no number yet.
     *
     * @param generation one more than the generation of the newest version
     */
    public TableEntry renamed(String newSchemaKey, String newTableName, long generation)
    {
        return new TableEntry(0, UUID.randomUUID(), newSchemaKey, newTableName, uuid, folder, generation, Optional.of(new OldEntry(number, schemaName, tableName)), kind);
    }

    /**
     * Returns the entry of a registration, without a number.
     *
     * @param last the name of the table in its newest version
     */
    public static TableEntry registration(String schemaKey, String tableName, UUID uuid, StoredFolder folder, TableName last, Optional<String> kind)
    {
        return new TableEntry(0, UUID.randomUUID(), schemaKey, tableName, uuid, folder, last.generation() + 1, Optional.of(new OldEntry(0, last.schemaName(), last.tableName())), kind);
    }

    /**
     * Returns whether a registration has created the entry.
     */
    public boolean isRegistration()
    {
        return renamedFrom.isPresent() && renamedFrom.get().number() == 0;
    }
}
