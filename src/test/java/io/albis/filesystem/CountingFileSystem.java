package io.albis.filesystem;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static java.util.Objects.requireNonNull;

/**
 * A file system that tells a counter what it reads and writes, and which inputs and streams are open.
 */
public final class CountingFileSystem
        extends TestingForwardingFileSystem
{
    private final Counter counter;

    public CountingFileSystem(TrinoFileSystem delegate, Counter counter)
    {
        super(delegate);
        this.counter = requireNonNull(counter, "counter is null");
    }

    /**
     * Counts what any number of file systems do.
     */
    public static class Counter
    {
        private final Set<Opened> open = ConcurrentHashMap.newKeySet();

        // Compared by identity
        private static final class Opened
        {
            private final Location location;

            private Opened(Location location)
            {
                this.location = location;
            }

            @Override
            public String toString()
            {
                return location.toString();
            }
        }

        /**
         * Called before each read.
         */
        protected void read(Location location)
                throws IOException
        {}

        /**
         * Called before each write.
         */
        protected void write(Location location)
                throws IOException
        {}

        /**
         * Returns the inputs and streams that are open.
         */
        public final List<String> open()
        {
            return open.stream().map(Opened::toString).toList();
        }

        private Opened opened(Location location)
        {
            Opened opened = new Opened(location);
            open.add(opened);
            return opened;
        }

        private void closed(Opened opened)
        {
            open.remove(opened);
        }
    }

    @Override
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return new CountingInputFile(file);
    }

    @Override
    protected TrinoOutputFile wrap(TrinoOutputFile file)
    {
        return new CountingOutputFile(file);
    }

    private final class CountingInputFile
            extends DelegatingInputFile
    {
        private CountingInputFile(TrinoInputFile file)
        {
            super(file);
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            return new CountingInput(location(), super.newInput());
        }

        @Override
        public TrinoInputStream newStream()
                throws IOException
        {
            return new CountingInputStream(location(), super.newStream());
        }
    }

    private final class CountingInput
            implements TrinoInput
    {
        private final Location location;
        private final TrinoInput input;
        private final Counter.Opened opened;

        private CountingInput(Location location, TrinoInput input)
        {
            this.location = location;
            this.input = input;
            this.opened = counter.opened(location);
        }

        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            counter.read(location);
            input.readFully(position, buffer, bufferOffset, length);
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            counter.read(location);
            return input.readTail(buffer, bufferOffset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            counter.closed(opened);
            input.close();
        }
    }

    private final class CountingInputStream
            extends TrinoInputStream
    {
        private final Location location;
        private final TrinoInputStream stream;
        private final Counter.Opened opened;

        private CountingInputStream(Location location, TrinoInputStream stream)
        {
            this.location = location;
            this.stream = stream;
            this.opened = counter.opened(location);
        }

        @Override
        public long getPosition()
                throws IOException
        {
            return stream.getPosition();
        }

        @Override
        public void seek(long position)
                throws IOException
        {
            stream.seek(position);
        }

        @Override
        public int read()
                throws IOException
        {
            counter.read(location);
            return stream.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length)
                throws IOException
        {
            counter.read(location);
            return stream.read(buffer, offset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            counter.closed(opened);
            stream.close();
        }
    }

    private final class CountingOutputFile
            extends DelegatingOutputFile
    {
        private CountingOutputFile(TrinoOutputFile file)
        {
            super(file);
        }

        @Override
        public OutputStream create(AggregatedMemoryContext memoryContext)
                throws IOException
        {
            return new CountingOutputStream(location(), super.create(memoryContext));
        }
    }

    private final class CountingOutputStream
            extends FilterOutputStream
    {
        private final Location location;
        private final Counter.Opened opened;

        private CountingOutputStream(Location location, OutputStream stream)
        {
            super(stream);
            this.location = location;
            this.opened = counter.opened(location);
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            counter.write(location);
            out.write(bytes, offset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            counter.closed(opened);
            out.close();
        }
    }
}
