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

        /**
         * An input or stream that is open until it is closed. Compared by identity.
         */
        private final class Opened
        {
            private final Location location;

            private Opened(Location location)
            {
                this.location = location;
                open.add(this);
            }

            private void read()
                    throws IOException
            {
                Counter.this.read(location);
            }

            private void write()
                    throws IOException
            {
                Counter.this.write(location);
            }

            private void close()
            {
                open.remove(this);
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
    }

    @Override
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return new DelegatingInputFile(file)
        {
            @Override
            public TrinoInput newInput()
                    throws IOException
            {
                return new CountingInput(super.newInput(), counter.new Opened(location()));
            }

            @Override
            public TrinoInputStream newStream()
                    throws IOException
            {
                return new CountingInputStream(super.newStream(), counter.new Opened(location()));
            }
        };
    }

    @Override
    protected TrinoOutputFile wrap(TrinoOutputFile file)
    {
        return new DelegatingOutputFile(file)
        {
            @Override
            public OutputStream create(AggregatedMemoryContext memoryContext)
                    throws IOException
            {
                return new CountingOutputStream(super.create(memoryContext), counter.new Opened(location()));
            }
        };
    }

    private record CountingInput(TrinoInput input, Counter.Opened opened)
            implements TrinoInput
    {
        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            opened.read();
            input.readFully(position, buffer, bufferOffset, length);
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            opened.read();
            return input.readTail(buffer, bufferOffset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            opened.close();
            input.close();
        }
    }

    private static final class CountingInputStream
            extends TrinoInputStream
    {
        private final TrinoInputStream stream;
        private final Counter.Opened opened;

        private CountingInputStream(TrinoInputStream stream, Counter.Opened opened)
        {
            this.stream = stream;
            this.opened = opened;
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
            opened.read();
            return stream.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length)
                throws IOException
        {
            opened.read();
            return stream.read(buffer, offset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            opened.close();
            stream.close();
        }
    }

    private static final class CountingOutputStream
            extends FilterOutputStream
    {
        private final Counter.Opened opened;

        private CountingOutputStream(OutputStream stream, Counter.Opened opened)
        {
            super(stream);
            this.opened = opened;
        }

        @Override
        public void write(byte[] bytes, int offset, int length)
                throws IOException
        {
            opened.write();
            out.write(bytes, offset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            opened.close();
            out.close();
        }
    }
}
