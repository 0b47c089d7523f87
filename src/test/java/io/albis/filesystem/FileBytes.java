package io.albis.filesystem;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;

import java.io.IOException;

/**
 * Reads and replaces whole files, so that tests can change their bytes.
 */
public final class FileBytes
{
    private FileBytes() {}

    public static byte[] read(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        try (TrinoInput input = fileSystem.newInputFile(location).newInput()) {
            return input.readFully(0, (int) fileSystem.newInputFile(location).length()).getBytes();
        }
    }

    public static void overwrite(TrinoFileSystem fileSystem, Location location, byte[] bytes)
            throws IOException
    {
        // The file system in memory keeps the array
        fileSystem.newOutputFile(location).createOrOverwrite(bytes.clone());
    }
}
