package io.albis.table.put;

import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * Local file systems: making a hard link fails if the name is taken, atomically and across processes. Moving a file
 * without replacing is neither, not even across threads.
 */
final class PutByLink
        implements PutIfAbsent
{
    private final LocalFolders folders;
    private final Linker linker;

    /**
     * @param root folder that {@code local:///} stands for
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
        Path temporary = target.resolveSibling("." + UUID.randomUUID() + ".tmp");
        try {
            write(temporary, data);
            link(target, temporary);
        }
        finally {
            deleteQuietly(temporary);
        }
    }

    /**
     * A link that failed may have been made all the same: a network file system repeats what it asked its server for,
     * and Java does not tell which error it was. Whether the file system has hard links at all is for {@link
     * StorageProbe} to find out before.
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
     * Of each device that is mounted below the root.
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
            // Not a system where one folder stands for all disks
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
                // The name must not become durable before the bytes are
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
            // Nobody looks at a file of that name, and it must not hide what failed before
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
