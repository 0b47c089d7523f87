package io.albis.format.reader;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

import static io.albis.format.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * Reads ranges of one file, and counts what it reads. The file is opened by the first read.
 */
final class StorageInput
        implements Closeable
{
    private final TrinoFileSystem fileSystem;
    private final Location location;
    private final long length;
    private final ReadCounter counter;
    @Nullable
    private TrinoInput input;

    /**
     * @param length bytes that the file must have
     */
    StorageInput(TrinoFileSystem fileSystem, Location location, long length, ReadCounter counter)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.location = requireNonNull(location, "location is null");
        this.length = length;
        this.counter = requireNonNull(counter, "counter is null");
    }

    Location location()
    {
        return location;
    }

    void readFully(long position, byte[] buffer, int size)
            throws IOException
    {
        long start = System.nanoTime();
        try {
            if (input == null) {
                input = fileSystem.newInputFile(location, length).newInput();
            }
            input.readFully(position, buffer, 0, size);
        }
        catch (EOFException e) {
            throw damaged("Damaged Albis file %s: it ends before byte %s, and must have %s", location, position + size, length);
        }
        catch (FileNotFoundException | NoSuchFileException e) {
            throw damaged("Damaged Albis table: file %s is missing", location);
        }
        counter.add(size, System.nanoTime() - start);
    }

    @Override
    public void close()
            throws IOException
    {
        if (input != null) {
            input.close();
            input = null;
        }
    }
}
