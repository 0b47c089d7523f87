package io.albis.format.io;

import com.google.common.io.Closer;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * Reads ranges of one file and counts the reads. The first read opens the file. Each concurrent read opens it again,
 * because an input is not thread safe on all file systems. Thread safe.
 */
public final class StorageInput
        implements Closeable
{
    // Maximum number of bytes that are allocated without checking the size of the file.
    private static final int MAX_CLAIM = 1 << 24;

    private final TrinoFileSystem fileSystem;
    private final Location location;
    private final long length;
    private final ReadCounter counter;
    // open inputs that no read is using
    @GuardedBy("this")
    private final Deque<TrinoInput> idle = new ArrayDeque<>(1);
    @GuardedBy("this")
    private boolean closed;
    // size of the file that the last check found
    private volatile long checkedLength;

    /**
     * Creates an input for a file. The first read opens the file.
     *
     * @param length expected length of the file in bytes
     */
    public StorageInput(TrinoFileSystem fileSystem, Location location, long length, ReadCounter counter)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.location = requireNonNull(location, "location is null");
        this.length = length;
        this.counter = requireNonNull(counter, "counter is null");
    }

    public Location location()
    {
        return location;
    }

    /**
     * Checks that the file contains a range before a large amount of memory is allocated for it. The sizes in other
     * files are not trustworthy.
     *
     * @throws AlbisDataException if the file is missing or too short
     */
    public void checkSize(long position, long size)
            throws IOException
    {
        if (size <= MAX_CLAIM || position + size <= checkedLength) {
            return;
        }
        try {
            checkedLength = fileSystem.newInputFile(location).length();
        }
        catch (IOException e) {
            throw explain(e, position + size);
        }
        if (checkedLength < position + size) {
            throw tooShort(checkedLength);
        }
    }

    /**
     * Reads {@code size} bytes at {@code position} of the file to the beginning of the buffer.
     *
     * @throws AlbisDataException if the file is missing or too short
     * @throws IOException if the read fails or this input is closed
     */
    public void readFully(long position, byte[] buffer, int size)
            throws IOException
    {
        readFully(position, buffer, 0, size);
    }

    /**
     * Reads {@code size} bytes at {@code position} of the file to a place in the buffer.
     *
     * @throws AlbisDataException if the file is missing or too short
     * @throws IOException if the read fails or this input is closed
     */
    public void readFully(long position, byte[] buffer, int offset, int size)
            throws IOException
    {
        long start = System.nanoTime();
        TrinoInput input = null;
        try {
            input = take();
            input.readFully(position, buffer, offset, size);
        }
        catch (IOException | RuntimeException e) {
            // the state of the input is unknown
            closeSuppressing(e, input);
            // nobody needs the reason after the input was closed, and it costs requests
            if (e instanceof IOException failure && !isClosed()) {
                throw explain(failure, position + size);
            }
            throw e;
        }
        giveBack(input);
        counter.add(size, System.nanoTime() - start);
    }

    private synchronized boolean isClosed()
    {
        return closed;
    }

    private TrinoInput take()
            throws IOException
    {
        synchronized (this) {
            if (closed) {
                throw new IOException("Input is closed: " + location);
            }
            TrinoInput input = idle.poll();
            if (input != null) {
                return input;
            }
        }
        return fileSystem.newInputFile(location, length).newInput();
    }

    private static void closeSuppressing(Exception failure, @Nullable TrinoInput input)
    {
        if (input != null) {
            try {
                input.close();
            }
            catch (IOException | RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private void giveBack(TrinoInput input)
            throws IOException
    {
        synchronized (this) {
            if (!closed) {
                idle.push(input);
                return;
            }
        }
        input.close();
    }

    // Each file system reports a missing or truncated file differently, so this method checks the file itself.
    private IOException explain(IOException failure, long end)
    {
        AlbisDataException explanation;
        try {
            TrinoInputFile file = fileSystem.newInputFile(location);
            if (!file.exists()) {
                explanation = damaged("Damaged Albis table: file %s is missing", location);
            }
            else if (file.length() < end) {
                explanation = tooShort(file.length());
            }
            else {
                return failure;
            }
        }
        catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
            return failure;
        }
        explanation.initCause(failure);
        return explanation;
    }

    private AlbisDataException tooShort(long actualLength)
    {
        return damaged("Damaged Albis file %s: its length is %s bytes instead of %s", location, actualLength, length);
    }

    /**
     * Closes the file. Inputs that are in use are closed when their read completes.
     */
    @Override
    public void close()
            throws IOException
    {
        try (Closer closer = Closer.create()) {
            synchronized (this) {
                closed = true;
                idle.forEach(closer::register);
                idle.clear();
            }
        }
    }
}
