package io.albis.table.name;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Identifies the entry of a table name that a client has seen.
 *
 * @param schemaKey key of the schema, which a rename of the schema does not change, unlike the schema of a name
 * @param number number of the entry in the log of the table name
 */
public record NameEntry(String schemaKey, long number)
{
    public NameEntry
    {
        requireNonNull(schemaKey, "schemaKey is null");
        checkArgument(number > 0, "number is not positive: %s", number);
    }
}
