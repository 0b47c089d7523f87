package io.albis.table.path;

import com.google.common.base.Splitter;
import io.trino.filesystem.Location;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Locations of the files of schemas. The names of tables have a folder of their own, because listing a folder with
 * {@link io.trino.filesystem.TrinoFileSystem} lists everything below it, and SHOW TABLES must not list the data files.
 */
public final class WarehousePaths
{
    private static final String IDENTITY = ".albis";
    private static final String SCHEMA_ENTRIES = ".schema";
    /**
     * The name of the folder of a schema with the logs of table names.
     */
    public static final String TABLE_NAMES = "tables";
    // The name in front of the uuid only helps people to find the folder, so it can be truncated
    private static final int FOLDER_NAME_LENGTH = 100;
    private static final int UUID_LENGTH = 36;

    private static final Splitter SEGMENTS = Splitter.on('/');

    private final Location root;

    public WarehousePaths(Location root)
    {
        this.root = withoutTrailingSlash(requireNonNull(root, "root is null"));
    }

    public Location root()
    {
        return root;
    }

    public Location schemaFolder(String schemaName)
    {
        return root.appendPath(Names.encode(schemaName));
    }

    /**
     * Returns the folder of the log of a schema.
     */
    public Location schemaEntries(String schemaName)
    {
        return schemaFolder(schemaName).appendPath(SCHEMA_ENTRIES);
    }

    public Location tableNamesFolder(String schemaName)
    {
        return schemaFolder(schemaName).appendPath(TABLE_NAMES);
    }

    /**
     * Returns the folder of the log of a table name.
     */
    public Location tableName(String schemaName, String tableName)
    {
        return tableNamesFolder(schemaName).appendPath(Names.encode(tableName));
    }

    public Location identity()
    {
        return root.appendPath(IDENTITY);
    }

    /**
     * Returns the path from the root to a location inside the warehouse; empty for a location outside of it. The path
     * of the root itself is the empty string.
     */
    public Optional<String> relativePath(Location location)
    {
        if (location.equals(root)) {
            return Optional.of("");
        }
        String prefix = asDirectory(root).toString();
        return location.toString().startsWith(prefix) ? Optional.of(location.toString().substring(prefix.length())) : Optional.empty();
    }

    /**
     * Returns whether a location inside the warehouse is reserved for the logs of names or for the identity file.
     *
     * @param segments segments of the path from the root, at least one
     */
    public static boolean isReserved(List<String> segments)
    {
        return segments.getFirst().equals(IDENTITY) ||
                (segments.size() > 1 && (segments.get(1).equals(TABLE_NAMES) || segments.get(1).equals(SCHEMA_ENTRIES)));
    }

    /**
     * Returns whether a folder in the warehouse is reserved for the logs of names, or does not belong to Albis.
     *
     * @param depth number of segments between the root and the folder
     */
    public static boolean isReservedName(String folderName, int depth)
    {
        return folderName.startsWith(".") || (depth == 1 && folderName.equals(TABLE_NAMES));
    }

    /**
     * A file in the log of a table name.
     */
    public record NameFile(String tableName, String fileName) {}

    /**
     * Returns the table name and the file name of a file below {@link #tableNamesFolder}; empty if the file is not in
     * the log of a name. File systems may list locations with another scheme and host, so this compares only paths.
     */
    public static Optional<NameFile> nameFile(Location folder, Location file)
    {
        String prefix = folder.path() + "/";
        if (!file.path().startsWith(prefix)) {
            return Optional.empty();
        }
        List<String> segments = SEGMENTS.splitToList(file.path().substring(prefix.length()));
        if (segments.size() != 2) {
            return Optional.empty();
        }
        return Names.decode(segments.getFirst()).map(name -> new NameFile(name, segments.getLast()));
    }

    /**
     * Returns the folder for a new table.
     *
     * @param location location of the schema, or the one the user specified for the table; it may contain other tables
     *         and files
     */
    public static Location newTableFolder(Location location, String tableName, UUID uuid)
    {
        String name = Names.encode(tableName);
        return location.appendPath(name.substring(0, Math.min(name.length(), FOLDER_NAME_LENGTH)) + "-" + uuid);
    }

    /**
     * Returns the id of the table to which a folder belongs, according to its name; empty if it is not a name that
     * {@link #newTableFolder} returns.
     */
    public static Optional<UUID> tableId(Location folder)
    {
        String name = folder.fileName();
        int dash = name.length() - UUID_LENGTH - 1;
        if (dash < 0 || name.charAt(dash) != '-') {
            return Optional.empty();
        }
        try {
            UUID uuid = UUID.fromString(name.substring(dash + 1));
            return name.endsWith(uuid.toString()) ? Optional.of(uuid) : Optional.empty();
        }
        catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the name in front of the id in the name of a table folder, which is the first name of the table; empty if
     * it was truncated.
     */
    public static Optional<String> tableNameOf(Location folder)
    {
        String name = folder.fileName();
        return Names.decode(name.substring(0, name.length() - UUID_LENGTH - 1)).filter(_ -> name.length() - UUID_LENGTH - 1 < FOLDER_NAME_LENGTH);
    }

    /**
     * Returns the name of the schema to which a folder in the warehouse belongs, according to its name; empty if no
     * schema has such a folder.
     */
    public static Optional<String> schemaNameOf(String folderName)
    {
        return Names.decode(folderName);
    }

    public static boolean isSchemaLog(String folderName)
    {
        return folderName.equals(SCHEMA_ENTRIES);
    }

    public static Location withoutTrailingSlash(Location location)
    {
        String text = location.toString();
        while (!location.path().isEmpty() && text.endsWith("/")) {
            text = text.substring(0, text.length() - 1);
            location = Location.of(text);
        }
        return location;
    }

    /**
     * Returns the location with a trailing slash, as listing a folder requires.
     */
    public static Location asDirectory(Location location)
    {
        return location.path().isEmpty() || location.path().endsWith("/") ? location : location.appendSuffix("/");
    }
}
