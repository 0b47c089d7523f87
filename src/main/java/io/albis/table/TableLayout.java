package io.albis.table;

import io.trino.filesystem.Location;

import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Where the files of a table are, but for its row groups.
 */
record TableLayout(Location folder)
{
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
        return versionsFolder().appendPath(NumberedFiles.fileName(version));
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
}
