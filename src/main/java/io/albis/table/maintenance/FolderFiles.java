package io.albis.table.maintenance;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableList;
import io.albis.table.path.NumberedFiles;
import io.albis.table.path.TablePaths;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * The files in the folder of a table. If no version can follow, all of them except for the versions and the hint are
 * garbage, as far as Albis knows what they are.
 */
final class FolderFiles
{
    private final TrinoFileSystem fileSystem;
    private final Location folder;

    // First segments of the paths of row groups, deletes files, and manifests. There are not many of them, and the
    // names of all files would take much memory
    private final Set<String> parts = new HashSet<>();
    // First segments of the paths of other files
    private final Set<String> mixed = new HashSet<>();
    private boolean versions;
    private long count;
    private long bytes;
    private Optional<Instant> lastModified = Optional.empty();

    private FolderFiles(TrinoFileSystem fileSystem, Location folder)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.folder = requireNonNull(folder, "folder is null");
    }

    static FolderFiles list(TrinoFileSystem fileSystem, Location folder)
            throws IOException
    {
        return StorageReads.retryListing(() -> {
            FolderFiles files = new FolderFiles(fileSystem, folder);
            files.list();
            return files;
        });
    }

    private void list()
            throws IOException
    {
        // The slash excludes tables whose location has this one as a prefix
        FileIterator entries = fileSystem.listFiles(asDirectory(folder));
        while (entries.hasNext()) {
            FileEntry entry = entries.next();
            List<String> segments = TableFile.segments(folder, entry.location());
            if (TableFile.parse(segments).isPresent()) {
                parts.add(segments.getFirst());
                count++;
                bytes += entry.length();
                touch(entry.lastModified());
            }
            else if (TemporaryFiles.isTemporary(segments)) {
                // A client that is putting the first version
                touch(entry.lastModified());
            }
            else if (isVersion(segments)) {
                versions = true;
            }
            else {
                mixed.add(segments.isEmpty() ? "" : segments.getFirst());
            }
        }
    }

    private static boolean isVersion(List<String> segments)
    {
        if (segments.isEmpty()) {
            return false;
        }
        String path = String.join("/", segments);
        OptionalLong version = NumberedFiles.number(segments.getLast());
        return path.equals(TablePaths.VERSIONS + "/" + TablePaths.HINT) || (version.isPresent() && path.equals(TablePaths.versionPath(version.getAsLong())));
    }

    private void touch(Instant time)
    {
        lastModified = Optional.of(Comparators.max(lastModified.orElse(time), time));
    }

    /**
     * Returns whether the files are those of a load that has not created a version, and nothing else.
     */
    boolean isLoad()
    {
        return count > 0 && !versions && mixed.isEmpty();
    }

    long count()
    {
        return count;
    }

    long bytes()
    {
        return bytes;
    }

    /**
     * Returns when the last file was written, apart from versions; empty if there is none.
     */
    Optional<Instant> lastModified()
    {
        return lastModified;
    }

    /**
     * Deletes all files except for versions, and those that do not belong to a table. Others may delete them at the
     * same time.
     */
    void delete()
            throws IOException
    {
        for (String part : parts) {
            if (mixed.contains(part)) {
                fileSystem.deleteFiles(StorageReads.retryListing(() -> tableFiles(part)));
            }
            else {
                // Also removes empty folders on file systems that have folders
                fileSystem.deleteDirectory(folder.appendPath(part));
            }
        }
    }

    private List<Location> tableFiles(String part)
            throws IOException
    {
        ImmutableList.Builder<Location> files = ImmutableList.builder();
        FileIterator entries = fileSystem.listFiles(asDirectory(folder.appendPath(part)));
        while (entries.hasNext()) {
            Location file = entries.next().location();
            if (TableFile.parse(TableFile.segments(folder, file)).isPresent()) {
                files.add(file);
            }
        }
        return files.build();
    }
}
