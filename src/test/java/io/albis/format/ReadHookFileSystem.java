package io.albis.format;

import io.airlift.slice.Slice;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.TrinoOutputFile;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * A file system that passes each read request to a hook before it is made. It verifies that a file is read by one
 * thread at a time, and that it is closed.
 */
public final class ReadHookFileSystem
        implements TrinoFileSystem
{
    private final TrinoFileSystem delegate;
    private final Hook hook;

    public ReadHookFileSystem(TrinoFileSystem delegate, Hook hook)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.hook = requireNonNull(hook, "hook is null");
    }

    /**
     * A request to storage.
     */
    public record Read(Location location, long position, int length)
    {
        public long end()
        {
            return position + length;
        }

        public boolean isMetadata()
        {
            return location.fileName().equals("metadata");
        }
    }

    public interface Hook
    {
        void read(Read read)
                throws IOException;

        /**
         * Allows the hook to modify the result of a request.
         *
         * @param offset offset in the array of the first byte of the request
         */
        default void filled(Read read, byte[] buffer, int offset) {}

        default void opened() {}

        default void closed() {}
    }

    @Override
    public TrinoInputFile newInputFile(Location location)
    {
        return new HookedInputFile(delegate.newInputFile(location));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length)
    {
        return new HookedInputFile(delegate.newInputFile(location, length));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
    {
        return new HookedInputFile(delegate.newInputFile(location, length, lastModified));
    }

    @Override
    public TrinoOutputFile newOutputFile(Location location)
    {
        return delegate.newOutputFile(location);
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        delegate.deleteFile(location);
    }

    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        delegate.deleteDirectory(location);
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        delegate.renameFile(source, target);
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        return delegate.listFiles(location);
    }

    @Override
    public Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        return delegate.directoryExists(location);
    }

    @Override
    public void createDirectory(Location location)
            throws IOException
    {
        delegate.createDirectory(location);
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        delegate.renameDirectory(source, target);
    }

    @Override
    public Set<Location> listDirectories(Location location)
            throws IOException
    {
        return delegate.listDirectories(location);
    }

    @Override
    public Optional<Location> createTemporaryDirectory(Location targetPath, String temporaryPrefix, String relativePrefix)
            throws IOException
    {
        return delegate.createTemporaryDirectory(targetPath, temporaryPrefix, relativePrefix);
    }

    private final class HookedInputFile
            implements TrinoInputFile
    {
        private final TrinoInputFile file;

        private HookedInputFile(TrinoInputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            HookedInput input = new HookedInput(location(), file.newInput());
            hook.opened();
            return input;
        }

        @Override
        public TrinoInputStream newStream()
        {
            throw new UnsupportedOperationException("a reader knows where what it wants stands");
        }

        @Override
        public long length()
                throws IOException
        {
            return file.length();
        }

        @Override
        public Instant lastModified()
                throws IOException
        {
            return file.lastModified();
        }

        @Override
        public boolean exists()
                throws IOException
        {
            return file.exists();
        }

        @Override
        public Location location()
        {
            return file.location();
        }
    }

    private final class HookedInput
            implements TrinoInput
    {
        private final Location location;
        private final TrinoInput input;
        private final AtomicBoolean busy = new AtomicBoolean();

        private HookedInput(Location location, TrinoInput input)
        {
            this.location = requireNonNull(location, "location is null");
            this.input = requireNonNull(input, "input is null");
        }

        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            // inputs of some file systems, such as the local one, are not thread safe
            checkState(busy.compareAndSet(false, true), "used by two threads at once, or after close");
            try {
                Read read = new Read(location, position, length);
                hook.read(read);
                input.readFully(position, buffer, bufferOffset, length);
                hook.filled(read, buffer, bufferOffset);
            }
            finally {
                busy.set(false);
            }
        }

        @Override
        public Slice readFully(long position, int length)
        {
            throw new UnsupportedOperationException("a reader reads to its own arrays");
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int maxLength)
        {
            throw new UnsupportedOperationException("a reader knows the length of each file");
        }

        @Override
        public void close()
                throws IOException
        {
            checkState(busy.compareAndSet(false, true), "closed twice, or while it is read");
            hook.closed();
            input.close();
        }
    }
}
