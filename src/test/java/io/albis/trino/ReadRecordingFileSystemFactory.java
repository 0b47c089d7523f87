package io.albis.trino;

import io.airlift.slice.Slice;
import io.albis.filesystem.DelegatingInputFile;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.spi.security.ConnectorIdentity;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/**
 * A factory of file systems that record all reads.
 */
public final class ReadRecordingFileSystemFactory
        implements TrinoFileSystemFactory
{
    private final TrinoFileSystemFactory delegate;
    private final List<Read> reads = new CopyOnWriteArrayList<>();

    public ReadRecordingFileSystemFactory(TrinoFileSystemFactory delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    /**
     * A request to storage.
     */
    public record Read(Location location, long offset, long length)
    {
        public boolean overlaps(Read other)
        {
            return location.equals(other.location) && offset < other.offset + other.length && other.offset < offset + length;
        }
    }

    /**
     * Returns the reads since the last call.
     */
    public List<Read> takeReads()
    {
        List<Read> taken = List.copyOf(reads);
        reads.clear();
        return taken;
    }

    @Override
    public TrinoFileSystem create(ConnectorIdentity identity)
    {
        return new RecordingFileSystem(delegate.create(identity));
    }

    private final class RecordingFileSystem
            extends TestingForwardingFileSystem
    {
        private RecordingFileSystem(TrinoFileSystem fileSystem)
        {
            super(fileSystem);
        }

        @Override
        protected TrinoInputFile wrap(TrinoInputFile file)
        {
            return new RecordingInputFile(file);
        }
    }

    private final class RecordingInputFile
            extends DelegatingInputFile
    {
        private RecordingInputFile(TrinoInputFile file)
        {
            super(file);
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            return new RecordingInput(location(), super.newInput());
        }

        @Override
        public TrinoInputStream newStream()
                throws IOException
        {
            // The stream does not announce how much of it will be read
            reads.add(new Read(location(), 0, length()));
            return super.newStream();
        }
    }

    private final class RecordingInput
            implements TrinoInput
    {
        private final Location location;
        private final TrinoInput input;

        private RecordingInput(Location location, TrinoInput input)
        {
            this.location = requireNonNull(location, "location is null");
            this.input = requireNonNull(input, "input is null");
        }

        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            reads.add(new Read(location, position, length));
            input.readFully(position, buffer, bufferOffset, length);
        }

        @Override
        public Slice readFully(long position, int length)
                throws IOException
        {
            reads.add(new Read(location, position, length));
            return input.readFully(position, length);
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int maxLength)
        {
            throw new UnsupportedOperationException("the reader knows the length of each file");
        }

        @Override
        public void close()
                throws IOException
        {
            input.close();
        }
    }
}
