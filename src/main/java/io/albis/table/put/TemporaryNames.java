package io.albis.table.put;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The names of the files that a put writes before it gives them their own names. Readers ignore such files, and vacuum
 * deletes them.
 */
public final class TemporaryNames
{
    private static final Pattern NAME = Pattern.compile("\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp");

    private TemporaryNames() {}

    /**
     * Returns a name that no other file has.
     */
    static String create()
    {
        return "." + UUID.randomUUID() + ".tmp";
    }

    public static boolean isTemporary(String fileName)
    {
        return NAME.matcher(fileName).matches();
    }
}
