package io.albis.table.name;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.albis.table.path.Names;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.model.SchemaInfo.SCHEMA_RENAME;
import static java.util.Objects.requireNonNull;

/**
 * An entry in the log of a name that ends the preceding live entry. Its number alone says so. Albis reads only
 * tombstones of schemas that have a marker, to learn whether the schema was renamed.
 *
 * @param number number of the tombstone, which is even
 * @param id id of the tombstone
 * @param schemaName name of the schema, or the key of the schema in the log of a table name
 * @param tableName name of the table; empty in the log of a schema
 * @param renamedTo new name of a schema; empty if it was dropped
 */
public record Tombstone(long number, UUID id, String schemaName, Optional<String> tableName, Optional<NewSchema> renamedTo)
{
    public Tombstone
    {
        requireNonNull(id, "id is null");
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(renamedTo, "renamedTo is null");
    }

    /**
     * Returns the features that a reader must support to read the tombstone.
     */
    @JsonProperty
    @JsonInclude(NON_EMPTY)
    public List<String> features()
    {
        return renamedTo.isPresent() ? ImmutableList.of(SCHEMA_RENAME) : ImmutableList.of();
    }

    /**
     * The entry of the new name of a schema. The schema is renamed once this entry exists with this id. If it has
     * another id, the schema will never be renamed to it.
     *
     * @param number number of the entry
     * @param name new name of the schema
     * @param entry id of the entry
     */
    public record NewSchema(long number, String name, UUID entry)
    {
        public NewSchema
        {
            checkArgument(EntryLog.isLive(number), "number is that of a tombstone: %s", number);
            checkArgument(Names.isPossible(name), "no schema can have the name: %s", name);
            requireNonNull(entry, "entry is null");
        }
    }
}
