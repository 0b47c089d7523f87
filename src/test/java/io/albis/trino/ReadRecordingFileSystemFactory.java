package io.albis.trino;

import io.airlift.slice.Slice;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoInputStream;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.spi.security.ConnectorIdentity;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/**
 * File systems that remember what was read from them.
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
     * What was read since the last call.
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
            implements TrinoFileSystem
    {
        private final TrinoFileSystem fileSystem;

        private RecordingFileSystem(TrinoFileSystem fileSystem)
        {
            this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        }

        @Override
        public TrinoInputFile newInputFile(Location location)
        {
            return new RecordingInputFile(fileSystem.newInputFile(location));
        }

        @Override
        public TrinoInputFile newInputFile(Location location, long length)
        {
            return new RecordingInputFile(fileSystem.newInputFile(location, length));
        }

        @Override
        public TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
        {
            return new RecordingInputFile(fileSystem.newInputFile(location, length, lastModified));
        }

        @Override
        public TrinoOutputFile newOutputFile(Location location)
        {
            return fileSystem.newOutputFile(location);
        }

        @Override
        public void deleteFile(Location location)
                throws IOException
        {
            fileSystem.deleteFile(location);
        }

        @Override
        public void deleteDirectory(Location location)
                throws IOException
        {
            fileSystem.deleteDirectory(location);
        }

        @Override
        public void renameFile(Location source, Location target)
                throws IOException
        {
            fileSystem.renameFile(source, target);
        }

        @Override
        public FileIterator listFiles(Location location)
                throws IOException
        {
            return fileSystem.listFiles(location);
        }

        @Override
        public Optional<Boolean> directoryExists(Location location)
                throws IOException
        {
            return fileSystem.directoryExists(location);
        }

        @Override
        public void createDirectory(Location location)
                throws IOException
        {
            fileSystem.createDirectory(location);
        }

        @Override
        public void renameDirectory(Location source, Location target)
                throws IOException
        {
            fileSystem.renameDirectory(source, target);
        }

        @Override
        public Set<Location> listDirectories(Location location)
                throws IOException
        {
            return fileSystem.listDirectories(location);
        }

        @Override
        public Optional<Location> createTemporaryDirectory(Location targetPath, String temporaryPrefix, String relativePrefix)
                throws IOException
        {
            return fileSystem.createTemporaryDirectory(targetPath, temporaryPrefix, relativePrefix);
        }
    }

    private final class RecordingInputFile
            implements TrinoInputFile
    {
        private final TrinoInputFile file;

        private RecordingInputFile(TrinoInputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public TrinoInput newInput()
                throws IOException
        {
            return new RecordingInput(location(), file.newInput());
        }

        @Override
        public TrinoInputStream newStream()
                throws IOException
        {
            // nobody says how much of it will be read
            reads.add(new Read(location(), 0, file.length()));
            return file.newStream();
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
