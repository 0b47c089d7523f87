package io.albis.table.maintenance;

import com.google.common.collect.Comparators;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.path.WarehousePaths;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * The files in the folder of a table that no version names. Some of them may become part of a version later.
 */
final class OrphanFiles
{
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final NamedFiles named;

    private final List<Orphan> orphans = new ArrayList<>();
    // Row groups whose folders contain files that Albis does not know
    private final Set<UUID> mixed = new HashSet<>();
    private long scanned;

    private record Orphan(Location location, TableFile file, Instant modified, long bytes) {}

    /**
     * @param files number of files
     * @param bytes their size
     */
    record Deleted(long files, long bytes) {}

    private OrphanFiles(TrinoFileSystem fileSystem, Location tableFolder, NamedFiles named)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.named = requireNonNull(named, "named is null");
    }

    static OrphanFiles list(TrinoFileSystem fileSystem, Location tableFolder, NamedFiles named)
            throws IOException
    {
        return StorageReads.retryListing(() -> {
            OrphanFiles files = new OrphanFiles(fileSystem, tableFolder, named);
            files.list();
            return files;
        });
    }

    private void list()
            throws IOException
    {
        // The slash excludes tables whose location has this one as a prefix
        FileIterator files = fileSystem.listFiles(WarehousePaths.asDirectory(tableFolder));
        while (files.hasNext()) {
            FileEntry entry = files.next();
            scanned++;
            List<String> segments = TableFile.segments(tableFolder, entry.location());
            Optional<TableFile> file = TableFile.parse(segments);
            if (file.isEmpty()) {
                TableFile.parseRowGroup(segments).ifPresent(mixed::add);
            }
            else if (!named.contains(file.get())) {
                orphans.add(new Orphan(entry.location(), file.get(), entry.lastModified(), entry.length()));
            }
        }
    }

    long scanned()
    {
        return scanned;
    }

    /**
     * Returns the writes of the files that still no version names, and the time at which the last one of these files
     * was written.
     */
    Map<String, Instant> writes()
    {
        Map<String, Instant> writes = new TreeMap<>();
        for (Orphan orphan : orphans) {
            if (!named.contains(orphan.file())) {
                writes.merge(named.writeOf(orphan.file()), orphan.modified(), Comparators::max);
            }
        }
        return writes;
    }

    /**
     * Deletes the files that no version names and that condemned writes have created.
     */
    Deleted delete(Set<String> condemned)
            throws IOException
    {
        List<Location> files = new ArrayList<>();
        Set<Location> folders = new LinkedHashSet<>();
        long count = 0;
        long bytes = 0;
        for (Orphan orphan : orphans) {
            if (named.contains(orphan.file()) || !condemned.contains(named.writeOf(orphan.file()))) {
                continue;
            }
            Optional<Location> folder = folder(orphan.file());
            if (folder.isPresent()) {
                folders.add(folder.get());
            }
            else {
                files.add(orphan.location());
            }
            count++;
            bytes += orphan.bytes();
        }
        fileSystem.deleteFiles(files);
        for (Location folder : folders) {
            fileSystem.deleteDirectory(folder);
        }
        return new Deleted(count, bytes);
    }

    /**
     * Returns the folder that can be deleted with a file.
     */
    private Optional<Location> folder(TableFile file)
    {
        if (file.rowGroup().isEmpty() || mixed.contains(file.rowGroup().get())) {
            return Optional.empty();
        }
        UUID rowGroup = file.rowGroup().get();
        Location folder = RowGroup.folder(tableFolder, rowGroup);
        return Optional.of(named.containsRowGroup(rowGroup) ? folder.appendPath(ColumnGroupInstance.folderName(file.id())) : folder);
    }
}
