package io.albis.table.catalog;

import io.albis.table.name.EntryLog;
import io.albis.table.name.EntryLog.Last;
import io.albis.table.name.KeyOrigin;
import io.albis.table.name.SchemaNameStorage;
import io.albis.table.name.Tombstone.NewSchema;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * Finds out which names refer to schemas, and which keys they have. Changes nothing.
 * <p>
 * The last entry of a name decides. The tombstone of a rename names the entry with which the schema gets its new name.
 * While that entry is missing, the rename is undecided and the schema has its old name. Once it exists, its id decides
 * for good: the schema has its new name, or the rename has failed and the schema keeps its old name.
 */
public final class SchemaKeys
{
    private final SchemaNameStorage names;

    public SchemaKeys(SchemaNameStorage names)
    {
        this.names = requireNonNull(names, "names is null");
    }

    enum RenameState
    {
        UNDECIDED, COMMITTED, FAILED
    }

    /**
     * The schema that has had a key last.
     *
     * @param exists whether it still has the key
     */
    private record Owner(String name, boolean exists) {}

    /**
     * Finds a schema, and reads its entry only if its key may not be its name.
     *
     * @return empty if the schema does not exist
     * @throws io.albis.format.io.AlbisDataException if an entry on which this depends is damaged
     */
    public Optional<ResolvedSchema> resolve(String name)
            throws IOException
    {
        return resolve(name, names.last(name));
    }

    Optional<ResolvedSchema> resolve(String name, Last last)
            throws IOException
    {
        OptionalLong number = find(name, last);
        if (number.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ResolvedSchema(name, number.getAsLong(), names.key(name, number.getAsLong(), last)));
    }

    /**
     * Returns the number of the entry that describes a schema, without reading that entry; empty if the schema does not
     * exist.
     */
    OptionalLong find(String name, Last last)
            throws IOException
    {
        if (EntryLog.isLive(last.number())) {
            return OptionalLong.of(last.number());
        }
        Optional<NewSchema> renamedTo = names.renamedTo(name, last.number(), last);
        if (renamedTo.isEmpty() || state(renamedTo.get()) == RenameState.COMMITTED) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(last.number() - 1);
    }

    /**
     * Returns whether a schema has its new name.
     *
     * @param renamedTo the entry that the tombstone of its old name names
     */
    RenameState state(NewSchema renamedTo)
            throws IOException
    {
        Optional<UUID> id = names.id(renamedTo.name(), renamedTo.number());
        if (id.isEmpty()) {
            return RenameState.UNDECIDED;
        }
        return id.get().equals(renamedTo.entry()) ? RenameState.COMMITTED : RenameState.FAILED;
    }

    /**
     * Returns whether a schema has a key, whatever its name is now.
     */
    public boolean isOwned(String key)
            throws IOException
    {
        return owner(key).exists();
    }

    /**
     * Returns the name of the schema that has a key or has had it last, for messages and listings of tables without a
     * name. If that cannot be found out, this is the first name of the schema.
     */
    public String displayName(String key)
    {
        try {
            return owner(key).name();
        }
        catch (IOException | RuntimeException e) {
            return KeyOrigin.of(key).schemaName();
        }
    }

    /**
     * Follows the renames of a schema from the entry with which its key was created.
     */
    private Owner owner(String key)
            throws IOException
    {
        KeyOrigin origin = KeyOrigin.of(key);
        NewSchema entry = new NewSchema(origin.number(), origin.schemaName(), new UUID(0, 0));
        Set<NewSchema> followed = new HashSet<>();
        while (true) {
            String name = entry.name();
            Last last = names.last(name);
            // If a rename is committed after this, the search for renames finds it
            boolean exists = resolve(name, last).map(ResolvedSchema::key).equals(Optional.of(key));
            Optional<NewSchema> renamed = exists ? Optional.empty() : findRename(key, entry, last);
            if (renamed.isEmpty()) {
                return new Owner(name, exists);
            }
            if (!followed.add(renamed.get())) {
                throw damaged("Damaged Albis file %s: schema '%s' was renamed to itself", names.location(name, entry.number()), name);
            }
            entry = renamed.get();
        }
    }

    /**
     * Returns the entry with which a schema got its next name; empty if it was dropped or still has its name.
     *
     * @param entry the entry with which it got its name
     */
    private Optional<NewSchema> findRename(String key, NewSchema entry, Last last)
            throws IOException
    {
        for (long number : last.marked()) {
            if (!EntryLog.isLive(number) && number > entry.number() && number <= last.number() && names.key(entry.name(), number - 1, last).equals(key)) {
                Optional<NewSchema> renamedTo = names.renamedTo(entry.name(), number, last);
                if (renamedTo.isPresent() && state(renamedTo.get()) == RenameState.COMMITTED) {
                    return renamedTo;
                }
            }
        }
        return Optional.empty();
    }
}
