package io.albis.table.storage;

import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.StandardSystemProperty.OS_NAME;
import static java.nio.file.StandardOpenOption.READ;
import static java.util.Objects.requireNonNull;

/**
 * Forces the folders of a local file system to disk. A file survives a power failure if its bytes were forced to disk,
 * and also the folder that contains its name, the folder that contains the name of that folder, and so on up to the
 * root. This class is thread-safe.
 */
public final class LocalFolders
{
    // Windows cannot open folders. On all other systems, a failure to force a folder is an error
    private static final boolean CAN_BE_FORCED = !Optional.ofNullable(OS_NAME.value()).orElse("").startsWith("Windows");
    private static final int MAX_DURABLE_FOLDERS = 10_000;

    private final Path root;
    // Folders whose names this process has forced, including the names of all folders above them
    private final Map<Path, Identity> durableFolders = new ConcurrentHashMap<>();

    /**
     * Creates an object for the folders below a root.
     *
     * @param root folder that {@code local:///} refers to; it exists, and its own name is durable
     */
    public LocalFolders(Path root)
    {
        this.root = requireNonNull(root, "root is null").toAbsolutePath().normalize();
    }

    /**
     * The identity of a folder. A folder that was deleted and created again has another identity, even if the file
     * system reuses the inode number.
     */
    private record Identity(Optional<Object> key, FileTime created)
    {
        static Identity of(Path folder)
                throws IOException
        {
            BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
            return new Identity(Optional.ofNullable(attributes.fileKey()), attributes.creationTime());
        }
    }

    /**
     * Returns the path of a file.
     *
     * @throws IllegalArgumentException if the location is not a file below the root
     */
    public Path toPath(Location location)
    {
        location.verifyValidFileLocation();
        // The same mapping as in Trino's LocalFileSystem
        Path path = root.resolve(location.path()).normalize();
        checkArgument(path.startsWith(root) && !path.equals(root), "Location is outside of the root %s: %s", root, location);
        return path;
    }

    /**
     * Forces the name of a new file to disk, and the names of all folders between the root and the file. Another
     * process may have created an existing folder without having forced its name yet, so this method skips only folders
     * whose names this process has forced.
     */
    public void forceNames(Path file)
            throws IOException
    {
        Map<Path, Identity> forced = new LinkedHashMap<>();
        Path folder = file.getParent();
        force(folder);
        while (!folder.equals(root)) {
            // Read before the name is forced: a folder that replaces this one in between has another identity
            Identity identity = Identity.of(folder);
            if (identity.equals(durableFolders.get(folder))) {
                break;
            }
            forced.put(folder, identity);
            folder = folder.getParent();
            force(folder);
        }
        if (durableFolders.size() > MAX_DURABLE_FOLDERS) {
            // Folders that are removed from the map are only forced again
            durableFolders.clear();
        }
        durableFolders.putAll(forced);
    }

    /**
     * Forces the removal of a file to disk. If its folder no longer exists, this forces the removal of the folder.
     */
    void forceRemoval(Path file)
            throws IOException
    {
        Path folder = file.getParent();
        while (!folder.equals(root) && !Files.isDirectory(folder)) {
            folder = folder.getParent();
        }
        force(folder);
    }

    /**
     * Forces a folder to disk. An interrupt closes the channel, and this method then tries again, because the file may
     * already be visible to other processes.
     */
    private static void force(Path folder)
            throws IOException
    {
        if (!CAN_BE_FORCED) {
            return;
        }
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try (FileChannel channel = FileChannel.open(folder, READ)) {
                    channel.force(true);
                    return;
                }
                catch (ClosedByInterruptException e) {
                    interrupted = true;
                }
            }
        }
        catch (IOException e) {
            throw new IOException("Cannot force folder %s to disk: %s".formatted(folder, e.getMessage()), e);
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
