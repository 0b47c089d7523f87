package io.albis.table.storage;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoOutputFile;
import io.trino.memory.context.AggregatedMemoryContext;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;

import static io.albis.format.io.StorageAccess.isLocal;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * A file system that forces files on a local file system, and their names, to disk when they are closed. Trino's own
 * local file system leaves them in the memory of the operating system. A power failure would then lose them, although
 * the version that refers to them is durable.
 * <p>
 * Files on other file systems are not changed. Files that are created or overwritten with a single call are not forced
 * either, because Albis only writes hints that way, which may be lost.
 */
public final class DurableFileSystem
        extends ForwardingFileSystem
{
    private final LocalFolders folders;

    public DurableFileSystem(TrinoFileSystem delegate, LocalFolders folders)
    {
        super(delegate);
        this.folders = requireNonNull(folders, "folders is null");
    }

    @Override
    public TrinoOutputFile newOutputFile(Location location)
    {
        TrinoOutputFile file = super.newOutputFile(location);
        return isLocal(location) ? new DurableOutputFile(file) : file;
    }

    /**
     * Deletes a file durably, so that it does not reappear after a power failure. The deletion of several files or of a
     * folder is not forced, because Albis deletes only garbage that way, which may reappear.
     */
    @Override
    public void deleteFile(Location location)
            throws IOException
    {
        super.deleteFile(location);
        if (isLocal(location)) {
            folders.forceRemoval(folders.toPath(location));
        }
    }

    @Override
    public void renameFile(Location source, Location target)
            throws IOException
    {
        super.renameFile(source, target);
        forceRename(source, target);
    }

    @Override
    public void renameDirectory(Location source, Location target)
            throws IOException
    {
        super.renameDirectory(source, target);
        forceRename(source, target);
    }

    private void forceRename(Location source, Location target)
            throws IOException
    {
        if (isLocal(target)) {
            folders.forceNames(folders.toPath(target));
            folders.forceRemoval(folders.toPath(source));
        }
    }

    private final class DurableOutputFile
            implements TrinoOutputFile
    {
        private final TrinoOutputFile file;

        private DurableOutputFile(TrinoOutputFile file)
        {
            this.file = requireNonNull(file, "file is null");
        }

        @Override
        public void createOrOverwrite(byte[] data)
                throws IOException
        {
            file.createOrOverwrite(data);
        }

        @Override
        public void createExclusive(byte[] data)
                throws IOException
        {
            file.createExclusive(data);
        }

        @Override
        public OutputStream create(AggregatedMemoryContext memoryContext)
                throws IOException
        {
            OutputStream output = file.create(memoryContext);
            try {
                // Opened before the first byte is written, so that this channel reports any error in writing to disk:
                // the operating system may report an error only to handles that were open when it occurred
                return new DurableOutputStream(output, FileChannel.open(folders.toPath(location()), WRITE), folders, folders.toPath(location()));
            }
            catch (IOException | RuntimeException e) {
                try (output) {
                    throw e;
                }
            }
        }

        @Override
        public Location location()
        {
            return file.location();
        }

        @Override
        public String toString()
        {
            return file.toString();
        }
    }
}
