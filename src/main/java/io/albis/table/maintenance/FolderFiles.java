package io.albis.table.maintenance;

import com.google.common.collect.Comparators;
import io.albis.table.path.NumberedFiles;
import io.albis.table.path.TablePaths;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

    // Files of row groups, deletes files, and manifests, by the first segment of their paths
    private final Map<String, List<Location>> files = new HashMap<>();
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
                files.computeIfAbsent(segments.getFirst(), _ -> new ArrayList<>()).add(entry.location());
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
        for (Map.Entry<String, List<Location>> part : files.entrySet()) {
            if (!mixed.contains(part.getKey())) {
                // Also removes empty folders on file systems that have folders
                fileSystem.deleteDirectory(folder.appendPath(part.getKey()));
                continue;
            }
            fileSystem.deleteFiles(part.getValue());
        }
    }
}
