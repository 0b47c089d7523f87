package io.albis.table;

import io.trino.filesystem.Location;

import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Where the files of schemas are. Pointers have a folder of their own, because listing a folder with
 * {@link io.trino.filesystem.TrinoFileSystem} lists everything below it, and SHOW TABLES must not list the data.
 */
final class WarehouseLayout
{
    private static final String MARKER = ".schema";
    private static final String POINTERS = "tables";
    private static final String POINTER_SUFFIX = ".table";
    // The name in front of the uuid is for people only
    private static final int FOLDER_NAME_LENGTH = 100;

    private final Location root;

    WarehouseLayout(Location root)
    {
        this.root = withoutTrailingSlash(requireNonNull(root, "root is null"));
    }

    Location root()
    {
        return root;
    }

    Location schemaFolder(String schemaName)
    {
        return root.appendPath(Names.encode(schemaName));
    }

    Location schemaMarker(String schemaName)
    {
        return schemaFolder(schemaName).appendPath(MARKER);
    }

    Location pointersFolder(String schemaName)
    {
        return schemaFolder(schemaName).appendPath(POINTERS);
    }

    Location pointer(String schemaName, String tableName)
    {
        return pointersFolder(schemaName).appendPath(Names.encode(tableName) + POINTER_SUFFIX);
    }

    /**
     * Whether a folder of a schema is not for the files of tables.
     */
    static boolean isReservedFolder(String name)
    {
        return name.equals(POINTERS);
    }

    /**
     * The table whose pointer has this file name; empty if it is no pointer.
     */
    static Optional<String> tableName(String pointerFileName)
    {
        if (!pointerFileName.endsWith(POINTER_SUFFIX)) {
            return Optional.empty();
        }
        return Names.decode(pointerFileName.substring(0, pointerFileName.length() - POINTER_SUFFIX.length()));
    }

    static Location newTableFolder(Location schemaLocation, String tableName, UUID uuid)
    {
        String name = Names.encode(tableName);
        return schemaLocation.appendPath(name.substring(0, Math.min(name.length(), FOLDER_NAME_LENGTH)) + "-" + uuid);
    }

    static Location withoutTrailingSlash(Location location)
    {
        String text = location.toString();
        while (!location.path().isEmpty() && text.endsWith("/")) {
            text = text.substring(0, text.length() - 1);
            location = Location.of(text);
        }
        return location;
    }

    static Location asDirectory(Location location)
    {
        return location.path().isEmpty() || location.path().endsWith("/") ? location : location.appendSuffix("/");
    }
}
