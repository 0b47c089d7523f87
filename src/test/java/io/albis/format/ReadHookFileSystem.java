package io.albis.format;

import io.airlift.slice.Slice;
import io.albis.filesystem.ForwardingFileSystem;
import io.albis.filesystem.ForwardingInputFile;
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
 * A file system that shows each request for bytes to a hook before it is made, and insists that a file is read by one thread at
 * a time and closed.
 */
public final class ReadHookFileSystem
        extends ForwardingFileSystem
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
         * May change what a request brought.
         *
         * @param offset where in the array the bytes of the request begin
         */
        default void filled(Read read, byte[] buffer, int offset) {}

        default void opened() {}

        default void closed() {}
    }

    @Override
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return new HookedInputFile(file);
    }

    private final class HookedInputFile
            extends ForwardingInputFile
    {
        private HookedInputFile(TrinoInputFile file)
        {
            super(file);
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
            throw new UnsupportedOperationException("a reader knows where what it wants stands");
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
            // such as those of local files are not thread safe
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
