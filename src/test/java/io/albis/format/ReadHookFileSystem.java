package io.albis.format;

import io.airlift.slice.Slice;
import io.albis.filesystem.DelegatingInputFile;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * A file system that passes each read request to a hook before it is made. It verifies that a file is read by one
 * thread at a time, and that it is closed.
 */
public final class ReadHookFileSystem
        extends TestingForwardingFileSystem
{
    private final Hook hook;

    public ReadHookFileSystem(TrinoFileSystem delegate, Hook hook)
    {
        super(delegate);
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

        /**
         * Is called for requests that ask whether a file exists, or for its length.
         */
        default void checked() {}

        default void opened() {}

        default void closed() {}
    }

    @Override
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return new HookedInputFile(file);
    }

    private final class HookedInputFile
            extends DelegatingInputFile
    {
        private HookedInputFile(TrinoInputFile file)
        {
            super(file);
        }

        @Override
        public long length()
                throws IOException
        {
            hook.checked();
            return super.length();
        }

        @Override
        public boolean exists()
                throws IOException
        {
            hook.checked();
            return super.exists();
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            HookedInput input = new HookedInput(location(), super.newInput());
            hook.opened();
            return input;
        }

        @Override
        public TrinoInputStream newStream()
        {
            throw new UnsupportedOperationException("a reader reads only ranges that it knows");
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
