package io.albis.trino;

import io.airlift.log.Logger;
import io.albis.format.metadata.RowGroup;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Collection;

import static java.util.Objects.requireNonNull;

/**
 * Removes files that no table will ever have. If it fails, they stay until orphan files are removed, and harm nobody.
 */
class AbandonedFiles
{
    private static final Logger log = Logger.get(AbandonedFiles.class);

    private final TrinoFileSystem fileSystem;

    public AbandonedFiles(TrinoFileSystem fileSystem)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
    }

    public void removeRowGroups(Location tableFolder, Collection<RowGroup> rowGroups)
    {
        for (RowGroup rowGroup : rowGroups) {
            removeFolder(tableFolder.appendPath(RowGroup.folderName(rowGroup.id())));
        }
    }

    public void removeFolder(Location folder)
    {
        try {
            fileSystem.deleteDirectory(folder);
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot remove %s, which no table needs", folder);
        }
    }
}
