package io.albis.trino.sink;

import io.airlift.log.Logger;
import io.albis.format.metadata.RowGroup;
import io.albis.format.write.RollingRowGroupWriter;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.List;

/**
 * Removes new column groups of existing row groups.
 */
final class RewrittenFiles
{
    private static final Logger log = Logger.get(RewrittenFiles.class);

    private RewrittenFiles() {}

    /**
     * Removes the files as far as possible.
     *
     * @param rewritten row groups with only the column groups to remove
     */
    static void remove(TrinoFileSystem fileSystem, Location tableFolder, List<RowGroup> rewritten)
    {
        try {
            fileSystem.deleteFiles(RollingRowGroupWriter.files(tableFolder, rewritten));
        }
        catch (IOException | RuntimeException e) {
            // not thrown: the files belong to no version, and the user needs the reason why the query failed
            log.warn(e, "Cannot remove the column groups of a failed write");
        }
    }
}
