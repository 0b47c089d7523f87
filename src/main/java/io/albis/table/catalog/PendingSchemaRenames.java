package io.albis.table.catalog;

import io.albis.table.catalog.SchemaKeys.RenameState;
import io.albis.table.model.TableException;
import io.albis.table.name.EntryLog;
import io.albis.table.name.EntryLog.Last;
import io.albis.table.name.SchemaEntry;
import io.albis.table.name.SchemaNameStorage;
import io.albis.table.name.Tombstone.NewSchema;

import java.io.IOException;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Completes renames of schemas after their tombstones were put. Every client can do so, because the old entry and the
 * tombstone contain everything. Statements that put an entry after such a tombstone do this first.
 */
final class PendingSchemaRenames
{
    private final SchemaNameStorage names;
    private final SchemaKeys keys;

    PendingSchemaRenames(SchemaNameStorage names, SchemaKeys keys)
    {
        this.names = requireNonNull(names, "names is null");
        this.keys = requireNonNull(keys, "keys is null");
    }

    /**
     * Returns the new name of a schema whose last entry is the tombstone of a rename that is not complete.
     */
    Optional<NewSchema> find(String name, Last last)
            throws IOException
    {
        if (EntryLog.isLive(last.number())) {
            return Optional.empty();
        }
        Optional<NewSchema> renamedTo = names.renamedTo(name, last.number(), last);
        return renamedTo.isPresent() && keys.state(renamedTo.get()) != RenameState.COMMITTED ? renamedTo : Optional.empty();
    }

    /**
     * Completes the rename of a schema that another statement changes.
     *
     * @return false if there is nothing to complete
     * @throws TableException NOT_SUPPORTED
     * @throws IOException if the storage failed. The other statement has changed nothing
     */
    boolean complete(String name, Last last)
            throws IOException
    {
        Optional<NewSchema> renamedTo = find(name, last);
        if (renamedTo.isEmpty()) {
            return false;
        }
        try {
            complete(names.read(name, last.number() - 1), renamedTo.get());
            return true;
        }
        catch (TableException e) {
            if (e.reason() == OUTCOME_UNKNOWN) {
                throw new IOException("The rename of schema '%s' to '%s', which was interrupted, could not be completed: %s".formatted(name, renamedTo.get().name(), e.getMessage()), e);
            }
            throw e;
        }
    }

    /**
     * Puts the entry of the new name. If there is another one, the rename has failed for good, and this puts a copy of
     * the old entry.
     *
     * @param old the entry before the tombstone
     * @return whether the schema has the new name
     * @throws TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     */
    boolean complete(SchemaEntry old, NewSchema renamedTo)
            throws IOException
    {
        // After a power failure, two schemas would have the same key if only the new entry survived
        names.makeDurable(old.name(), old.number() + 1);
        if (names.create(old.renamed(renamedTo))) {
            return true;
        }
        // Another client has put the entry that decides, and it must survive, too
        names.makeDurable(renamedTo.name(), renamedTo.number());
        if (keys.state(renamedTo) == RenameState.COMMITTED) {
            return true;
        }
        names.create(old.copy(old.number() + 2));
        return false;
    }
}
