package io.albis.table;

import io.trino.filesystem.Location;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.file.StandardOpenOption.READ;
import static java.util.Objects.requireNonNull;

/**
 * Local file systems: making a hard link fails if the name is taken, atomically and across processes. Moving a file
 * without replacing is neither, not even across threads.
 */
final class PutByLink
        implements PutIfAbsent
{
    private final Path root;

    /**
     * @param root folder that {@code local:///} stands for
     */
    PutByLink(Path root)
    {
        this.root = requireNonNull(root, "root is null");
    }

    @Override
    public void create(Location location, byte[] data)
            throws IOException
    {
        Path target = toPath(location);
        Path folder = target.getParent();
        Path temporary = folder.resolve("." + UUID.randomUUID() + ".tmp");
        try {
            write(temporary, data);
            link(temporary, target);
        }
        finally {
            deleteQuietly(temporary);
        }
        syncFolder(folder);
    }

    private static void write(Path temporary, byte[] data)
            throws NotPutException
    {
        try {
            Files.createDirectories(temporary.getParent());
            // Streams, unlike channels, are not closed when the thread of a cancelled query is interrupted
            try (FileOutputStream output = new FileOutputStream(temporary.toFile())) {
                output.write(data);
                // The name must not become durable before the bytes are
                output.getFD().sync();
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
        catch (IOException e) {
            // Nobody looks at a file of that name, and it must not hide what failed before
        }
    }

    private static void link(Path temporary, Path target)
            throws IOException
    {
        try {
            Files.createLink(target, temporary);
        }
        catch (FileAlreadyExistsException e) {
            throw e;
        }
        catch (FileSystemException e) {
            if (Files.exists(target)) {
                throw e;
            }
            throw new UnsupportedOperationException("Cannot make a hard link in folder " + target.getParent() + " (" + e.getMessage() + "): " +
                    "Albis needs a local file system with hard links, such as ext4, XFS, Btrfs, APFS or NTFS", e);
        }
    }

    private static void syncFolder(Path folder)
    {
        try (FileChannel channel = FileChannel.open(folder, READ)) {
            channel.force(true);
        }
        catch (IOException e) {
            // Not every system lets a folder be opened; the file is there, and after a power failure it may not be
        }
    }

    private Path toPath(Location location)
    {
        location.verifyValidFileLocation();
        // as LocalFileSystem does
        Path path = root.resolve(location.path()).normalize();
        checkArgument(path.startsWith(root) && !path.equals(root), "Location is outside of the root %s: %s", root, location);
        return path;
    }
}
