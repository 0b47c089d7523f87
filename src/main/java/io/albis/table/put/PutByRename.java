package io.albis.table.put;

import io.albis.format.io.OutputFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.OutputStream;

import static java.util.Objects.requireNonNull;

/**
 * Creates files on HDFS by renaming a temporary file. The NameNode refuses to rename a file to a name that is taken.
 * Other file systems that Trino accesses with the same class may overwrite the target.
 */
final class PutByRename
        implements PutIfAbsent
{
    private final TrinoFileSystem fileSystem;

    PutByRename(TrinoFileSystem fileSystem)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
    }

    @Override
    public void create(Location location, byte[] data)
            throws IOException
    {
        Location temporary = location.sibling(TemporaryNames.create());
        boolean renamed = false;
        try {
            write(temporary, data);
            // If the target exists, this throws an unspecific IOException. The caller reads the target after every
            // failure
            fileSystem.renameFile(temporary, location);
            renamed = true;
        }
        finally {
            if (!renamed) {
                deleteQuietly(temporary);
            }
        }
    }

    /**
     * Treats every failure of the rename as a refusal, because the NameNode does not report why it refuses to rename.
     */
    @Override
    public boolean isRefusal(IOException failure)
    {
        return !(failure instanceof NotPutException);
    }

    private void write(Location temporary, byte[] data)
            throws NotPutException
    {
        try (OutputStream output = OutputFiles.create(fileSystem, temporary)) {
            output.write(data);
        }
        catch (IOException e) {
            throw new NotPutException(e);
        }
    }

    private void deleteQuietly(Location temporary)
    {
        try {
            fileSystem.deleteFile(temporary);
        }
        catch (IOException | RuntimeException e) {
            // Readers ignore files of that name, and this failure must not hide the one that led here
        }
    }
}
