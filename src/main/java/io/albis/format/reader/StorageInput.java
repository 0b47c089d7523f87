package io.albis.format.reader;

import io.albis.format.AlbisDataException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;

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

    /**
     * @param place what is read, for the message if it cannot be
     */
    void readFully(long position, byte[] buffer, int size, String place)
            throws IOException
    {
        long start = System.nanoTime();
        try {
            if (input == null) {
                input = fileSystem.newInputFile(location, length).newInput();
            }
            input.readFully(position, buffer, 0, size);
        }
        catch (IOException e) {
            throw explain(e, position + size, place);
        }
        counter.add(size, System.nanoTime() - start);
    }

    // Each file system says in its own way that a file is missing or too short, so this looks at the file itself
    private IOException explain(IOException failure, long end, String place)
    {
        AlbisDataException explanation;
        try {
            TrinoInputFile file = fileSystem.newInputFile(location);
            if (!file.exists()) {
                explanation = damaged("Damaged Albis table: file %s is missing", location);
            }
            else if (file.length() < end) {
                explanation = damaged("Damaged Albis file %s: it ends after %s bytes, and must have %s", location, file.length(), length);
            }
            else {
                return failure;
            }
        }
        catch (IOException e) {
            failure.addSuppressed(e);
            return failure;
        }
        explanation.initCause(failure);
        return explanation.at(place);
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
