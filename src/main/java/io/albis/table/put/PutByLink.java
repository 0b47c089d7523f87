package io.albis.table.put;

import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * Creates files on local file systems with a hard link. Creating a hard link fails if the name is taken, atomically and
 * across processes. Moving a file without replacing the target is not atomic, not even among the threads of one
 * process.
 */
final class PutByLink
        implements PutIfAbsent
{
    private final LocalFolders folders;
    private final Linker linker;

    /**
     * Creates an object for the files below a folder.
     *
     * @param root folder that {@code local:///} refers to
     */
    PutByLink(Path root)
    {
        this(new LocalFolders(root));
    }

    PutByLink(LocalFolders folders)
    {
        this(folders, Files::createLink);
    }

    PutByLink(LocalFolders folders, Linker linker)
    {
        this.folders = requireNonNull(folders, "folders is null");
        this.linker = requireNonNull(linker, "linker is null");
    }

    interface Linker
    {
        Path link(Path target, Path existing)
                throws IOException;
    }

    @Override
    public void create(Location location, byte[] data)
            throws IOException
    {
        Path target = folders.toPath(location);
        Path temporary = target.resolveSibling(TemporaryNames.create());
        try {
            write(temporary, data);
            link(target, temporary);
        }
        finally {
            deleteQuietly(temporary);
        }
    }

    /**
     * Creates the hard link. The link may exist even if this fails: a network file system repeats requests to its
     * server, and Java does not report which error occurred. {@link StorageProbe} checks beforehand whether the file
     * system supports hard links at all.
     */
    private void link(Path target, Path temporary)
            throws IOException
    {
        try {
            linker.link(target, temporary);
        }
        catch (FileAlreadyExistsException e) {
            throw e;
        }
        catch (UnsupportedOperationException e) {
            throw new LinkFailedException(target, e);
        }
        catch (IOException e) {
            throw new LinkFailedException(target, e);
        }
    }

    @Override
    public void makeDurable(Location location)
            throws IOException
    {
        folders.forceNames(folders.toPath(location));
    }

    @Override
    public boolean isMissing(IOException failure)
    {
        return failure instanceof LinkFailedException;
    }

    /**
     * Identifies the storage by its device, because several devices may be mounted below the root.
     */
    @Override
    public String storage(Location location)
            throws IOException
    {
        Path folder = folders.toPath(location).getParent();
        Files.createDirectories(folder);
        try {
            return "device " + Files.getAttribute(folder, "unix:dev");
        }
        catch (UnsupportedOperationException | IllegalArgumentException e) {
            // Without unix:dev, as on Windows, each disk has a root of its own
            return "folder " + folder.getRoot();
        }
    }

    private static void write(Path temporary, byte[] data)
            throws NotPutException
    {
        try {
            Files.createDirectories(temporary.getParent());
            try (FileChannel channel = FileChannel.open(temporary, CREATE_NEW, WRITE)) {
                ByteBuffer buffer = ByteBuffer.wrap(data);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                // The bytes must be durable before the file gets its name
                channel.force(true);
            }
        }
        catch (IOException e) {
            throw new NotPutException(e);
        }
    }

    private static void deleteQuietly(Path temporary)
    {
        try {
            Files.deleteIfExists(temporary);
        }
        catch (IOException | RuntimeException e) {
            // Readers ignore files of that name, and this failure must not hide an earlier one
        }
    }

    private static final class LinkFailedException
            extends IOException
    {
        private LinkFailedException(Path target, Exception cause)
        {
            super("Hard link %s failed: %s".formatted(target, cause.getMessage()), cause);
        }
    }
}
