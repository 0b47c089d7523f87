package io.albis.filesystem;

import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A file system whose reads pass a gate.
 */
public class GatedFileSystem
        extends TestingForwardingFileSystem
{
    private final StorageGate gate;

    public GatedFileSystem(TrinoFileSystem delegate, StorageGate gate)
    {
        super(delegate);
        this.gate = requireNonNull(gate, "gate is null");
    }

    protected final StorageGate gate()
    {
        return gate;
    }

    @Override
    protected final TrinoInputFile wrap(TrinoInputFile file)
    {
        return new DelegatingInputFile(file)
        {
            @Override
            public TrinoInput newInput()
                    throws IOException
            {
                return new GatedInput(gate.read(super::newInput), gate);
            }

            @Override
            public TrinoInputStream newStream()
                    throws IOException
            {
                return new GatedInputStream(gate.read(super::newStream), gate);
            }

            @Override
            public long length()
                    throws IOException
            {
                return gate.read(super::length);
            }

            @Override
            public Instant lastModified()
                    throws IOException
            {
                return gate.read(super::lastModified);
            }

            @Override
            public boolean exists()
                    throws IOException
            {
                return gate.read(super::exists);
            }
        };
    }

    @Override
    public final FileIterator listFiles(Location location)
            throws IOException
    {
        return new GatedFileIterator(gate.read(() -> super.listFiles(location)), gate);
    }

    @Override
    public final FileIterator listFilesStartingFrom(Location location, String startingFrom)
            throws IOException
    {
        return new GatedFileIterator(gate.read(() -> super.listFilesStartingFrom(location, startingFrom)), gate);
    }

    @Override
    public final Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        return gate.read(() -> super.directoryExists(location));
    }

    @Override
    public final Set<Location> listDirectories(Location location)
            throws IOException
    {
        return gate.read(() -> super.listDirectories(location));
    }

    private record GatedFileIterator(FileIterator files, StorageGate gate)
            implements FileIterator
    {
        @Override
        public boolean hasNext()
                throws IOException
        {
            return gate.read(files::hasNext);
        }

        @Override
        public FileEntry next()
                throws IOException
        {
            return gate.read(files::next);
        }
    }

    private record GatedInput(TrinoInput input, StorageGate gate)
            implements TrinoInput
    {
        @Override
        public void readFully(long position, byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            gate.read(() -> {
                input.readFully(position, buffer, bufferOffset, length);
                return null;
            });
        }

        @Override
        public int readTail(byte[] buffer, int bufferOffset, int length)
                throws IOException
        {
            return gate.read(() -> input.readTail(buffer, bufferOffset, length));
        }

        @Override
        public void close()
                throws IOException
        {
            input.close();
        }
    }

    private static final class GatedInputStream
            extends TrinoInputStream
    {
        private final TrinoInputStream stream;
        private final StorageGate gate;

        private GatedInputStream(TrinoInputStream stream, StorageGate gate)
        {
            this.stream = requireNonNull(stream, "stream is null");
            this.gate = requireNonNull(gate, "gate is null");
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
            gate.read(() -> {
                stream.seek(position);
                return null;
            });
        }

        @Override
        public int read()
                throws IOException
        {
            return gate.read(stream::read);
        }

        @Override
        public int read(byte[] buffer, int offset, int length)
                throws IOException
        {
            return gate.read(() -> stream.read(buffer, offset, length));
        }

        @Override
        public void close()
                throws IOException
        {
            stream.close();
        }
    }
}
