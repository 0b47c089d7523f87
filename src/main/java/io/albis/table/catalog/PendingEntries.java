package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableOperation;
import io.albis.table.model.TableVersion;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableEntry.OldEntry;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * Completes a RENAME or a registration after its entry was created, or reverts it if the schema of the new name is
 * gone.
 */
final class PendingEntries
{
    private final SchemaKeys keys;
    private final Tables tables;
    private final Commits commits;

    PendingEntries(SchemaKeys keys, Tables tables, Commits commits)
    {
        this.keys = requireNonNull(keys, "keys is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    /**
     * Commits a version with the name of an entry.
     *
     * @param entry the entry, which this client has just created
     * @param base version from which the statement started
     * @param revert changes the next version so that its name has the generation of the entry and another entry
     * @throws TableException SCHEMA_NOT_FOUND, CONFLICT, TABLE_NOT_FOUND, OUTCOME_UNKNOWN
     */
    TableVersion complete(TableStorage storage, TableEntry entry, TableVersion base, UnaryOperator<TableVersion> revert)
            throws IOException
    {
        try {
            if (!keys.isOwned(entry.schemaName())) {
                cancel(storage, entry, base, revert);
                throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' was dropped by another transaction", keys.displayName(entry.schemaName()));
            }
            return tables.complete(storage, entry, base.version());
        }
        catch (TableException e) {
            if (e.reason() == SCHEMA_NOT_FOUND || e.reason() == OUTCOME_UNKNOWN) {
                throw e;
            }
            throw isPending(storage, entry) ? unknownOutcome(entry, e) : e;
        }
        catch (IOException | RuntimeException e) {
            throw unknownOutcome(entry, e);
        }
    }

    /**
     * Returns whether the entry may still become valid. Ends it if another RENAME or DROP was first, so that no version
     * will ever refer to it.
     */
    private boolean isPending(TableStorage storage, TableEntry entry)
    {
        Tables.Found newest;
        try {
            newest = new Tables.Found(entry, false, storage, storage.versions().newest(0));
        }
        catch (IOException | RuntimeException e) {
            // It may be pending
            return true;
        }
        if (newest.isStale()) {
            tables.endQuietly(entry);
        }
        return newest.isPending();
    }

    /**
     * Returns the exception for a statement that may have failed after it created the new name. Any later lookup of the
     * new name completes it.
     */
    private TableException unknownOutcome(TableEntry entry, Exception cause)
    {
        OldEntry old = entry.renamedFrom().orElseThrow();
        String message = entry.isRegistration() ?
                "The registration of a table, whose last name was '%s.%s', failed after the new name '%s.%s' was created. The table may have the new name: %s" :
                "RENAME failed for table '%s.%s' after the new name '%s.%s' was created. The table may have either name: %s";
        return new TableException(OUTCOME_UNKNOWN, message.formatted(keys.displayName(old.schemaName()), old.tableName(), keys.displayName(entry.schemaName()), entry.tableName(), cause.getMessage()), cause);
    }

    /**
     * Commits a version that makes the new entry stale before it ends the entry, because another transaction may be
     * completing the statement at the same time.
     */
    private void cancel(TableStorage storage, TableEntry entry, TableVersion base, UnaryOperator<TableVersion> revert)
            throws IOException
    {
        commits.commitName(storage.versions(), base.version(), next -> {
            TableName current = next.name().orElseThrow();
            if (current.generation() >= entry.generation()) {
                throw new TableException(CONFLICT, "Schema '%s' was dropped while table '%s' was created in it or moved to it: create the schema again to access the table", keys.displayName(entry.schemaName()), entry.tableName());
            }
            TableOperation operation = entry.isRegistration() ? TableOperation.UNREGISTER : TableOperation.RENAME;
            return Optional.of(revert.apply(next).withOperation(operation, ImmutableMap.of()));
        });
        tables.endQuietly(entry);
    }
}
