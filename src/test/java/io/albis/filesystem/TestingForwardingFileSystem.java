package io.albis.filesystem;

import io.albis.table.storage.ForwardingFileSystem;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoOutputFile;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;

/**
 * The base class of file systems that let tests observe or modify operations. A subclass sees each file that is opened
 * and each file that is deleted.
 */
public abstract class TestingForwardingFileSystem
        extends ForwardingFileSystem
{
    protected TestingForwardingFileSystem(TrinoFileSystem delegate)
    {
        super(delegate);
    }

    /**
     * Wraps each file that is opened for reading.
     */
    protected TrinoInputFile wrap(TrinoInputFile file)
    {
        return file;
    }

    /**
     * Wraps each file that is opened for writing.
     */
    protected TrinoOutputFile wrap(TrinoOutputFile file)
    {
        return file;
    }

    @Override
    public final TrinoInputFile newInputFile(Location location)
    {
        return wrap(super.newInputFile(location));
    }

    @Override
    public final TrinoInputFile newInputFile(Location location, long length)
    {
        return wrap(super.newInputFile(location, length));
    }

    @Override
    public final TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
    {
        return wrap(super.newInputFile(location, length, lastModified));
    }

    @Override
    public final TrinoOutputFile newOutputFile(Location location)
    {
        return wrap(super.newOutputFile(location));
    }

    @Override
    public void deleteFiles(Collection<Location> locations)
            throws IOException
    {
        for (Location location : locations) {
            deleteFile(location);
        }
    }
}
