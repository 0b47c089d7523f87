package io.albis.table.storage;

import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputFile;
import io.trino.filesystem.TrinoOutputFile;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.storage.CheckedCalls.check;
import static io.albis.table.storage.CheckedCalls.checkAction;
import static java.util.Objects.requireNonNull;

/**
 * A file system that reports every failure as IOException. Clients of object stores throw exceptions of their own, even
 * after the storage has completed the request. Callers must treat them as failures of the storage, with an unknown
 * outcome.
 */
public final class CheckedFileSystem
        implements TrinoFileSystem
{
    private static final int DELETE_ATTEMPTS = 10_000;

    private final TrinoFileSystem delegate;

    private CheckedFileSystem(TrinoFileSystem delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    /**
     * Wraps a file system, unless it is wrapped already.
     */
    public static TrinoFileSystem checked(TrinoFileSystem fileSystem)
    {
        return fileSystem instanceof CheckedFileSystem ? fileSystem : new CheckedFileSystem(fileSystem);
    }

    // Sends no request to the storage, so exceptions are about the location and are not converted
    @Override
    public TrinoInputFile newInputFile(Location location)
    {
        return new CheckedInputFile(delegate.newInputFile(location));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length)
    {
        return new CheckedInputFile(delegate.newInputFile(location, length));
    }

    @Override
    public TrinoInputFile newInputFile(Location location, long length, Instant lastModified)
    {
        return new CheckedInputFile(delegate.newInputFile(location, length, lastModified));
    }

    @Override
    public TrinoOutputFile newOutputFile(Location location)
    {
        return new CheckedOutputFile(delegate.newOutputFile(location));
    }

    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        checkAction(() -> delegate.deleteFile(location));
    }

    @Override
    public void deleteFiles(Collection<Location> locations)
            throws IOException
    {
        checkAction(() -> delegate.deleteFiles(locations));
    }

    /**
     * Deletes a folder. Trino's local file system gives up if another client deletes the folder or a file of it at the
     * same time, so the deletion is then repeated.
     */
    @Override
    public void deleteDirectory(Location location)
            throws IOException
    {
        try {
            deleteFolder(location);
        }
        catch (IOException e) {
            if (!directoryExists(location).equals(Optional.of(false))) {
                throw e;
            }
            // Finds no folder, or fails again because the location is a file
            deleteFolder(location);
        }
    }

    /**
     * Deletes a folder, and repeats the deletion for as long as files vanish. Each repetition finds fewer files.
     */
    private void deleteFolder(Location location)
            throws IOException
    {
        for (int attempt = 1; ; attempt++) {
            try {
                checkAction(() -> delegate.deleteDirectory(location));
                return;
            }
            catch (FileNotFoundException e) {
                if (attempt == DELETE_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        checkAction(() -> delegate.renameFile(source, target));
    }

    @Override
    public FileIterator listFiles(Location location)
            throws IOException
    {
        return new CheckedFileIterator(check(() -> delegate.listFiles(location)));
    }

    @Override
    public FileIterator listFilesStartingFrom(Location location, String startingFrom)
            throws IOException
    {
        return new CheckedFileIterator(check(() -> delegate.listFilesStartingFrom(location, startingFrom)));
    }

    @Override
    public Optional<Boolean> directoryExists(Location location)
            throws IOException
    {
        return check(() -> delegate.directoryExists(location));
    }

    @Override
    public void createDirectory(Location location)
            throws IOException
    {
        checkAction(() -> delegate.createDirectory(location));
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        checkAction(() -> delegate.renameDirectory(source, target));
    }

    @Override
    public Set<Location> listDirectories(Location location)
            throws IOException
    {
        return check(() -> delegate.listDirectories(location));
    }

    @Override
    public Optional<Location> createTemporaryDirectory(Location targetPath, String temporaryPrefix, String relativePrefix)
            throws IOException
    {
        return check(() -> delegate.createTemporaryDirectory(targetPath, temporaryPrefix, relativePrefix));
    }

    private record CheckedFileIterator(FileIterator files)
            implements FileIterator
    {
        @Override
        public boolean hasNext()
                throws IOException
        {
            return check(files::hasNext);
        }

        @Override
        public FileEntry next()
                throws IOException
        {
            return check(files::next);
        }
    }
}
