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
 * The folders of a local file system. After a power failure a file is there if its bytes were forced to the disk, and
 * the folder that holds its name, and the folder that holds the name of that folder, and so on up to the root. Safe to
 * use from several threads.
 */
public final class LocalFolders
{
    // Windows lets no folder be opened. On all other systems every failure to force a folder is an error
    private static final boolean CAN_BE_FORCED = !Optional.ofNullable(OS_NAME.value()).orElse("").startsWith("Windows");
    private static final int MAX_DURABLE_FOLDERS = 10_000;

    private final Path root;
    // Folders whose names, and those of all folders above, were forced by this process
    private final Map<Path, Identity> durableFolders = new ConcurrentHashMap<>();

    /**
     * @param root folder that {@code local:///} stands for; it exists, and its own name is durable
     */
    public LocalFolders(Path root)
    {
        this.root = requireNonNull(root, "root is null").toAbsolutePath().normalize();
    }

    /**
     * A folder that was removed and made again has another identity, even where numbers of files are used again.
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
     * @throws IllegalArgumentException if the location is no file below the root
     */
    public Path toPath(Location location)
    {
        location.verifyValidFileLocation();
        // as Trino's LocalFileSystem does
        Path path = root.resolve(location.path()).normalize();
        checkArgument(path.startsWith(root) && !path.equals(root), "Location is outside of the root %s: %s", root, location);
        return path;
    }

    /**
     * Forces the name of a file that was made, and the names of the folders on the way to it. A folder that was there
     * before may have been made by somebody who has not forced its name yet, so it counts only if this process forced
     * it.
     */
    public void forceNames(Path file)
            throws IOException
    {
        Map<Path, Identity> forced = new LinkedHashMap<>();
        Path folder = file.getParent();
        force(folder);
        while (!folder.equals(root)) {
            // Before its name is forced: what takes its place meanwhile has another identity
            Identity identity = Identity.of(folder);
            if (identity.equals(durableFolders.get(folder))) {
                break;
            }
            forced.put(folder, identity);
            folder = folder.getParent();
            force(folder);
        }
        if (durableFolders.size() > MAX_DURABLE_FOLDERS) {
            // Whatever is forgotten is forced once more
            durableFolders.clear();
        }
        durableFolders.putAll(forced);
    }

    /**
     * Forces that a file has its name no more. Without its folder it has none either.
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
     * Not disturbed by an interrupt, which closes channels: the file may be visible to others already.
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
            throw new IOException("Folder %s could not be forced to the disk: %s".formatted(folder, e.getMessage()), e);
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
