package io.albis.table.catalog;

import io.albis.table.model.TableException;
import io.albis.table.name.EntryLog.Last;
import io.albis.table.name.SchemaEntry;
import io.albis.table.name.SchemaNameStorage;
import io.albis.table.name.Tombstone.NewSchema;
import io.albis.table.path.Names;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Renames schemas. Their tables are found by the key of the schema, which remains, so no table is changed:
 * <ol>
 * <li>The statement puts the tombstone of the old name, which names the entry of the new one. The schema keeps its old
 * name until it has the new one.
 * <li>It puts that entry, which has the key of the schema. This is the commit, whichever client does it.
 * </ol>
 * The number of the new entry was chosen before. If another client creates a schema of that name first, it takes the
 * number. The rename has then failed for good, and the schema keeps its name.
 */
public final class SchemaRename
{
    private final SchemaNameStorage names;
    private final SchemaKeys keys;
    private final Schemas schemas;
    private final PendingSchemaRenames pending;

    public SchemaRename(SchemaNameStorage names, SchemaKeys keys, Schemas schemas)
    {
        this.names = requireNonNull(names, "names is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.schemas = requireNonNull(schemas, "schemas is null");
        this.pending = new PendingSchemaRenames(names, keys);
    }

    /**
     * Renames a schema. If an earlier run of the same statement was interrupted, this completes it.
     *
     * @throws TableException SCHEMA_NOT_FOUND; ALREADY_EXISTS if the new name is taken, or if a schema of this name was
     *         dropped while a table was created in it; NOT_SUPPORTED, OUTCOME_UNKNOWN
     * @throws IOException if the storage failed, and the schema was not renamed
     */
    public void rename(String oldName, String newName)
            throws IOException
    {
        if (!Names.isPossible(oldName)) {
            throw Schemas.notFound(oldName);
        }
        while (true) {
            Last last = names.lastForChange(oldName);
            Optional<NewSchema> interrupted = pending.find(oldName, last);
            if (interrupted.isPresent() && interrupted.get().name().equals(newName)) {
                if (complete(names.read(oldName, last.number() - 1), interrupted.get())) {
                    return;
                }
                continue;
            }
            if (pending.complete(oldName, last)) {
                continue;
            }
            OptionalLong number = keys.find(oldName, last);
            if (number.isEmpty()) {
                throw Schemas.notFound(oldName);
            }
            SchemaEntry old = names.read(oldName, number.getAsLong());
            NewSchema renamedTo = new NewSchema(schemas.prepareRename(newName), newName, UUID.randomUUID());
            if (putTombstone(old, renamedTo) && complete(old, renamedTo)) {
                return;
            }
        }
    }

    private boolean putTombstone(SchemaEntry old, NewSchema renamedTo)
            throws IOException
    {
        try {
            return names.end(old.name(), old.number(), Optional.of(renamedTo));
        }
        catch (TableException e) {
            throw e.reason() == OUTCOME_UNKNOWN ? unknownOutcome(old.name(), renamedTo.name(), e) : e;
        }
    }

    private boolean complete(SchemaEntry old, NewSchema renamedTo)
    {
        try {
            return pending.complete(old, renamedTo);
        }
        catch (IOException | RuntimeException e) {
            throw unknownOutcome(old.name(), renamedTo.name(), e);
        }
    }

    private static TableException unknownOutcome(String oldName, String newName, Exception cause)
    {
        return new TableException(OUTCOME_UNKNOWN, "It is unknown whether schema '%s' was renamed to '%s'. If '%1$s' still exists, the next run of this statement completes it, and so does DROP SCHEMA or another rename of '%1$s': %s".formatted(oldName, newName, cause.getMessage()), cause);
    }
}
