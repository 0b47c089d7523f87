package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.name.TableEntry;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.DROP;
import static java.util.Objects.requireNonNull;

/**
 * Creates the entries of new tables and views, which makes them visible, and takes them back if their schema is gone.
 */
public final class NewEntries
{
    private final SchemaKeys keys;
    private final Tables tables;
    private final Commits commits;

    public NewEntries(SchemaKeys keys, Tables tables, Commits commits)
    {
        this.keys = requireNonNull(keys, "keys is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    /**
     * Creates an entry.
     *
     * @param schemaName name of the schema, for messages; the entry has its key
     * @param version the version to which the entry refers
     * @param entry entry without a number
     * @throws TableException ALREADY_EXISTS; SCHEMA_NOT_FOUND if the schema is gone; OUTCOME_UNKNOWN
     * @throws IOException if the entry was not created, and will not be created later
     */
    void create(String schemaName, TableStorage storage, TableVersion version, TableEntry entry)
            throws IOException
    {
        TableEntry claimed = tables.claim(entry)
                .orElseThrow(() -> alreadyExists(schemaName, entry.tableName()));
        checkSchema(schemaName, storage, version, claimed);
    }

    /**
     * Checks that the schema still exists after the entry of the table was created. The table is visible now and others
     * may use it, so no file is deleted from here on. If the schema is gone, a version without a name makes the entry
     * stale.
     */
    private void checkSchema(String schemaName, TableStorage storage, TableVersion version, TableEntry entry)
    {
        try {
            if (!keys.isOwned(entry.schemaName())) {
                takeBack(schemaName, storage, version, entry);
            }
        }
        catch (TableException e) {
            throw e;
        }
        catch (IOException | RuntimeException e) {
            throw new TableException(OUTCOME_UNKNOWN, "Table '%s.%s' was created, but the storage failed when Albis checked whether the schema still exists".formatted(schemaName, entry.tableName()), e);
        }
    }

    /**
     * Drops the new table because its schema is gone, unless another transaction has changed the table.
     */
    private void takeBack(String schemaName, TableStorage storage, TableVersion version, TableEntry entry)
            throws IOException
    {
        TableVersion newest;
        try {
            newest = commits.commit(storage.versions(), version.version(), next -> dropAfter(version, next));
        }
        catch (TableException e) {
            if (e.reason() == TABLE_NOT_FOUND) {
                throw Schemas.notFound(schemaName);
            }
            throw e.reason() == OUTCOME_UNKNOWN ? e : new TableException(OUTCOME_UNKNOWN, e.getMessage(), e);
        }
        if (newest.name().isPresent()) {
            if (newest.name().get().entry().equals(entry.id())) {
                throw new TableException(OUTCOME_UNKNOWN, "Schema '%s' was dropped while table '%s' was created, and another transaction has changed the table: create the schema again to access the table", keys.displayName(entry.schemaName()), entry.tableName());
            }
            return;
        }
        tables.endQuietly(entry);
        throw Schemas.notFound(schemaName);
    }

    /**
     * Returns the version that drops the table, unless others have changed the table after {@code version}. They may
     * have given it another name, or have added rows whose commits were acknowledged.
     */
    static Optional<TableVersion> dropAfter(TableVersion version, TableVersion next)
    {
        return next.version() == version.version() + 1 ? Optional.of(next.withName(Optional.empty()).withOperation(DROP, ImmutableMap.of())) : Optional.empty();
    }

    static TableException alreadyExists(String schemaName, String tableName)
    {
        return new TableException(ALREADY_EXISTS, "Table '%s.%s' already exists", schemaName, tableName);
    }
}
