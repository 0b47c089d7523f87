package io.albis.table.name;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The entry with which the key of a schema was created. The key is the name of the folder that contains the names of
 * the tables of a schema. A schema keeps its key when it is renamed, so nothing in this folder changes. No two schemas
 * have the same key at the same time.
 *
 * @param schemaName first name of the schema with the key
 * @param number number of the entry of the schema with which the key was created
 */
public record KeyOrigin(String schemaName, long number)
{
    private static final long FIRST = 1;
    // No schema name has an upper-case letter, so no key is the name of another schema
    private static final Pattern LATER_KEY = Pattern.compile("(.+)-R([1-9][0-9]{0,17})");

    public KeyOrigin
    {
        requireNonNull(schemaName, "schemaName is null");
        checkArgument(EntryLog.isLive(number), "number is that of a tombstone: %s", number);
    }

    /**
     * Finds out where a key was created.
     */
    public static KeyOrigin of(String key)
    {
        Matcher matcher = LATER_KEY.matcher(key);
        if (!matcher.matches() || !EntryLog.isLive(Long.parseLong(matcher.group(2)))) {
            return new KeyOrigin(key, FIRST);
        }
        return new KeyOrigin(matcher.group(1), Long.parseLong(matcher.group(2)));
    }

    /**
     * Returns the key: the name of the schema, unless an earlier schema of this name had that key and was renamed.
     */
    public String key()
    {
        return number == FIRST ? schemaName : schemaName + "-R" + number;
    }
}
