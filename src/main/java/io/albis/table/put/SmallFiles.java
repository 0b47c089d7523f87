package io.albis.table.put;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.damaged;

/**
 * Reads files that fit into memory with a single request.
 */
public final class SmallFiles
{
    // Bytes. A version of a table with tens of thousands of columns is far smaller
    static final int MAX_LENGTH = 64 << 20;

    private SmallFiles() {}

    /**
     * Returns whether a file exists.
     *
     * @throws IOException if the storage fails; the message names the file, which some file systems omit
     */
    public static boolean exists(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        try {
            return fileSystem.newInputFile(location).exists();
        }
        catch (IOException e) {
            throw new IOException("Cannot check whether file %s exists: %s".formatted(location, e.getMessage()), e);
        }
    }

    /**
     * Reads a whole file.
     *
     * @return the bytes of the file; empty if the file does not exist
     * @throws io.albis.format.io.AlbisDataException if the file is larger than Albis ever writes such a file
     * @throws IOException if the storage fails
     */
    public static Optional<byte[]> read(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        try (TrinoInputStream input = fileSystem.newInputFile(location).newStream()) {
            byte[] bytes = input.readNBytes(MAX_LENGTH + 1);
            if (bytes.length > MAX_LENGTH) {
                throw damaged("Damaged Albis file %s: it has more than %s bytes, the maximum for such files", location, MAX_LENGTH);
            }
            return Optional.of(bytes);
        }
        catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }
}
