package io.albis.table;

import io.trino.filesystem.Location;

import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Where the files of a table are, but for its row groups.
 */
record TableLayout(Location folder)
{
    private static final String VERSION_SUFFIX = ".json";
    private static final Pattern VERSION_FILE = Pattern.compile("\\d{20}\\.json");

    TableLayout
    {
        requireNonNull(folder, "folder is null");
    }

    Location versionsFolder()
    {
        return folder.appendPath("versions");
    }

    Location version(long version)
    {
        return versionsFolder().appendPath("%020d".formatted(version) + VERSION_SUFFIX);
    }

    Location hint()
    {
        return versionsFolder().appendPath("hint");
    }

    Location manifestsFolder()
    {
        return folder.appendPath("manifests");
    }

    Location manifest(UUID id)
    {
        return manifestsFolder().appendPath(id.toString());
    }

    /**
     * The version whose file has this name; empty if it is another file.
     */
    static OptionalLong version(String fileName)
    {
        if (!VERSION_FILE.matcher(fileName).matches()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(fileName.substring(0, fileName.length() - VERSION_SUFFIX.length())));
        }
        catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
