package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.table.path.TablePaths;
import io.albis.table.put.TemporaryNames;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

import static io.albis.table.path.WarehousePaths.asDirectory;

/**
 * Files that a put writes before it gives them their names. A put that has lost such a file is refused or repeated, so
 * they can be deleted at any time.
 */
final class TemporaryFiles
{
    private TemporaryFiles() {}

    /**
     * Returns whether a file in the folder of a table is temporary.
     *
     * @param segments path of the file below the folder of the table
     */
    static boolean isTemporary(List<String> segments)
    {
        return segments.size() > 1 && segments.getFirst().equals(TablePaths.VERSIONS) && TemporaryNames.isTemporary(segments.getLast());
    }

    /**
     * Returns the temporary files in a folder and below that were written until a time.
     *
     * @param folder the versions of a table, or the log of a schema or of the names of its tables
     */
    static List<FileEntry> list(TrinoFileSystem fileSystem, Location folder, Instant writtenBefore)
            throws IOException
    {
        ImmutableList.Builder<FileEntry> temporary = ImmutableList.builder();
        try {
            FileIterator files = fileSystem.listFiles(asDirectory(folder));
            while (files.hasNext()) {
                FileEntry file = files.next();
                if (TemporaryNames.isTemporary(file.location().fileName()) && !file.lastModified().isAfter(writtenBefore)) {
                    temporary.add(file);
                }
            }
        }
        catch (FileNotFoundException e) {
            // Other clients remove their temporary files while these are listed. The next run finds the others
        }
        return temporary.build();
    }
}
