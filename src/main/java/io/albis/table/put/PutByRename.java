package io.albis.table.put;

import io.albis.format.io.OutputFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.io.OutputStream;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * HDFS: the NameNode refuses to rename a file to a name that is taken. Other file systems behind the same class may
 * overwrite it.
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
        Location temporary = location.sibling("." + UUID.randomUUID() + ".tmp");
        boolean renamed = false;
        try {
            write(temporary, data);
            // An existing target is an IOException like any other, and the caller reads the target after each of them
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
     * The NameNode does not say why it does not rename.
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
            // Nobody looks at a file of that name: the failure that led here is what matters
        }
    }
}
