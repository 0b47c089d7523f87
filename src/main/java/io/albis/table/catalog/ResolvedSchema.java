package io.albis.table.catalog;

import static java.util.Objects.requireNonNull;

/**
 * A schema that exists.
 *
 * @param name name of the schema, for users
 * @param number number of the entry that describes the schema
 * @param key key of the schema, for files, see {@link io.albis.table.name.KeyOrigin}
 */
public record ResolvedSchema(String name, long number, String key)
{
    public ResolvedSchema
    {
        requireNonNull(name, "name is null");
        requireNonNull(key, "key is null");
    }
}
