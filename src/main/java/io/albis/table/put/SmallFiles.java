package io.albis.table.put;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;

import static io.albis.format.io.AlbisDataException.damaged;

/**
 * Reads files that fit into memory, in one go.
 */
public final class SmallFiles
{
    // Far more than a version of tens of thousands of columns takes
    static final int MAX_LENGTH = 64 << 20;

    private SmallFiles() {}

    /**
     * With the file in what it throws, which some file systems leave out.
     */
    public static boolean exists(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        try {
            return fileSystem.newInputFile(location).exists();
        }
        catch (IOException e) {
            throw new IOException("Look for file %s failed: %s".formatted(location, e.getMessage()), e);
        }
    }

    /**
     * @return the bytes of the file; empty if there is no such file
     * @throws io.albis.format.io.AlbisDataException if it is larger than any file of its kind
     */
    public static Optional<byte[]> read(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        try (TrinoInputStream input = fileSystem.newInputFile(location).newStream()) {
            byte[] bytes = input.readNBytes(MAX_LENGTH + 1);
            if (bytes.length > MAX_LENGTH) {
                throw damaged("Damaged Albis file %s: it has more than %s bytes", location, MAX_LENGTH);
            }
            return Optional.of(bytes);
        }
        catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }
}
