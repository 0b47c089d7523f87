package io.albis.table.name;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.albis.table.name.Tombstone.NewSchema;
import io.albis.table.path.Names;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.model.SchemaInfo.SCHEMA_RENAME;
import static java.util.Objects.requireNonNull;

/**
 * A live entry in the log of a schema name.
 *
 * @param number number of the entry, repeated from the file name so that a copied file is detected
 * @param id id of the entry
 * @param name name of the schema, repeated from the file name
 * @param location location of the schema; empty for the folder that contains the log
 * @param properties properties by name, as specified in CREATE SCHEMA
 * @param tables key of the schema; empty if it is the name
 * @param renamedFrom name that the schema had before; empty if it was not renamed
 */
public record SchemaEntry(
        long number,
        UUID id,
        String name,
        Optional<StoredFolder> location,
        Map<String, String> properties,
        Optional<String> tables,
        Optional<OldSchema> renamedFrom)
{
    public SchemaEntry
    {
        checkArgument(number > 0, "number is not positive: %s", number);
        requireNonNull(id, "id is null");
        requireNonNull(name, "name is null");
        requireNonNull(location, "location is null");
        requireNonNull(properties, "properties is null");
        requireNonNull(tables, "tables is null");
        tables.ifPresent(key -> checkArgument(Names.isPossible(KeyOrigin.of(key).schemaName()), "tables is not a key: %s", key));
        requireNonNull(renamedFrom, "renamedFrom is null");
    }

    /**
     * The number and the name of the entry that a rename of a schema has replaced.
     */
    public record OldSchema(long number, String name)
    {
        public OldSchema
        {
            checkArgument(EntryLog.isLive(number), "number is that of a tombstone: %s", number);
            requireNonNull(name, "name is null");
        }
    }

    /**
     * Returns a new entry, which no other entry has replaced.
     */
    public static SchemaEntry create(String name, long number, String key, Optional<StoredFolder> location, Map<String, String> properties)
    {
        return new SchemaEntry(number, UUID.randomUUID(), name, location, properties, stored(name, key), Optional.empty());
    }

    /**
     * Returns the features that a reader must support to read the entry.
     */
    @JsonProperty
    @JsonInclude(NON_EMPTY)
    public List<String> features()
    {
        return tables.isPresent() ? ImmutableList.of(SCHEMA_RENAME) : ImmutableList.of();
    }

    /**
     * Returns the key of the schema, see {@link KeyOrigin}.
     */
    public String key()
    {
        return tables.orElse(name);
    }

    /**
     * Returns an entry with the same content and another id.
     *
     * @param number number of the new entry
     */
    public SchemaEntry copy(long number)
    {
        return new SchemaEntry(number, UUID.randomUUID(), name, location, properties, tables, renamedFrom);
    }

    /**
     * Returns the entry of the new name of this schema.
     */
    public SchemaEntry renamed(NewSchema renamedTo)
    {
        return new SchemaEntry(renamedTo.number(), renamedTo.entry(), renamedTo.name(), location, properties, stored(renamedTo.name(), key()), Optional.of(new OldSchema(number, name)));
    }

    private static Optional<String> stored(String name, String key)
    {
        return Optional.of(key).filter(stored -> !stored.equals(name));
    }
}
