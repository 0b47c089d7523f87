package io.albis.trino.split;

import io.albis.filesystem.TestingForwardingFileSystem;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileEntry.Block;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.security.ConnectorIdentity;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/**
 * A factory of file systems that report the hosts of blocks in listings, as HDFS does, and record all listings.
 */
public final class BlockLocatingFileSystem
        implements TrinoFileSystemFactory
{
    private final TrinoFileSystemFactory delegate;
    private final BlockLocations locations;
    private final List<Location> listed = new CopyOnWriteArrayList<>();

    public BlockLocatingFileSystem(TrinoFileSystemFactory delegate, BlockLocations locations)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.locations = requireNonNull(locations, "locations is null");
    }

    public interface BlockLocations
    {
        Optional<List<Block>> of(FileEntry file)
                throws IOException;
    }

    public List<Location> listed()
    {
        return listed;
    }

    @Override
    public TrinoFileSystem create(ConnectorIdentity identity)
    {
        return new TestingForwardingFileSystem(delegate.create(identity))
        {
            @Override
            public FileIterator listFiles(Location location)
                    throws IOException
            {
                FileIterator files = super.listFiles(location);
                listed.add(location);
                return new LocatingIterator(files);
            }
        };
    }

    private final class LocatingIterator
            implements FileIterator
    {
        private final FileIterator files;

        private LocatingIterator(FileIterator files)
        {
            this.files = requireNonNull(files, "files is null");
        }

        @Override
        public boolean hasNext()
                throws IOException
        {
            return files.hasNext();
        }

        @Override
        public FileEntry next()
                throws IOException
        {
            FileEntry file = files.next();
            return new FileEntry(file.location(), file.length(), file.lastModified(), locations.of(file), file.tags());
        }
    }
}
