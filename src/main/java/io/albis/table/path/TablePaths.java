package io.albis.table.path;

import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.DeletedRows;
import io.trino.filesystem.Location;

import java.util.Set;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Locations of the files of a table, except for its row groups.
 *
 * @param folder folder of the table
 */
public record TablePaths(Location folder)
{
    public static final String VERSIONS = "versions";
    public static final String MANIFESTS = "manifests";
    public static final String HINT = "hint";
    /**
     * The names of the folders in the folder of a table, apart from those of its row groups.
     */
    public static final Set<String> CONTENTS = ImmutableSet.of(VERSIONS, MANIFESTS, DeletedRows.FOLDER);

    // HDFS allows about a million entries in a folder, and the stubs of expired versions stay
    private static final long VERSIONS_PER_FOLDER = 1_000_000;

    public TablePaths
    {
        requireNonNull(folder, "folder is null");
    }

    public Location versionsFolder()
    {
        return folder.appendPath(VERSIONS);
    }

    public Location version(long version)
    {
        return folder.appendPath(versionPath(version));
    }

    /**
     * Returns the path of a version below the folder of a table.
     */
    public static String versionPath(long version)
    {
        long folderNumber = version / VERSIONS_PER_FOLDER;
        String parent = folderNumber == 0 ? VERSIONS : VERSIONS + "/" + folderNumber;
        return parent + "/" + NumberedFiles.fileName(version);
    }

    public Location hint()
    {
        return versionsFolder().appendPath(HINT);
    }

    Location manifestsFolder()
    {
        return folder.appendPath(MANIFESTS);
    }

    public Location manifest(UUID id)
    {
        return manifestsFolder().appendPath(id.toString());
    }
}
