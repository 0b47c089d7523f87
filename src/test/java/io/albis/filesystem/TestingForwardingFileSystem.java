package io.albis.filesystem;

import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoOutputFile;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The base class of file systems that let tests observe or modify operations: every operation is forwarded to another
 * file system. Operations that the interface implements with other operations, such as deleting several files, are not
 * forwarded, so that a subclass sees each of their steps. {@code ForwardingFileSystem} of the plugin forwards these as
 * well, because the other file system may have a faster implementation.
 */
public abstract class TestingForwardingFileSystem
        implements TrinoFileSystem
{
    private final TrinoFileSystem delegate;

    protected TestingForwardingFileSystem(TrinoFileSystem delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
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
        return wrap(delegate.newInputFile(location));
    }

    @Override
    public final TrinoInputFile newInputFile(Location location, long length)
    {
        return wrap(delegate.newInputFile(location, length));
    }

    @Override
    public final TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
    {
        return wrap(delegate.newInputFile(location, length, lastModified));
    }

    @Override
    public final TrinoOutputFile newOutputFile(Location location)
    {
        return wrap(delegate.newOutputFile(location));
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
}
