package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.FileIds;
import io.albis.format.metadata.RowGroup;
import io.albis.trino.handle.WriteId;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static io.albis.table.path.WarehousePaths.withoutTrailingSlash;
import static java.util.Objects.requireNonNull;

/**
 * Removes files that no table refers to. If the removal fails, the files remain and do no harm.
 */
public class AbandonedFiles
{
    private static final Logger log = Logger.get(AbandonedFiles.class);

    // Each of them is a request to the storage
    private static final int MAX_SEARCHED_ROW_GROUPS = 1000;

    private final TrinoFileSystem fileSystem;

    public AbandonedFiles(TrinoFileSystem fileSystem)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
    }

    /**
     * Removes the row groups of a write, except those that are committed. Tasks that the engine has abandoned may still
     * run, and files that they write later remain.
     *
     * @param committed ids of the row groups to keep
     */
    public void removeRowGroups(Location tableFolder, WriteId writeId, Set<UUID> committed)
    {
        search(tableFolder, writeId, fanOut -> removeRowGroupsIn(fanOut, writeId, committed));
    }

    private void removeRowGroupsIn(Location fanOut, WriteId writeId, Set<UUID> committed)
            throws IOException
    {
        for (Location folder : fileSystem.listDirectories(asDirectory(fanOut))) {
            Optional<UUID> rowGroupId = RowGroup.folderId(folderName(folder));
            if (rowGroupId.isPresent() && writeId.isOf(rowGroupId.get()) && !committed.contains(rowGroupId.get())) {
                removeFolder(folder);
            }
        }
    }

    /**
     * Removes the column groups that a write has added to row groups of other writes, except those that are committed.
     *
     * @param rowGroups ids of the row groups to search. If there are too many, the last ones are not searched
     * @param committed ids of the column groups to keep
     */
    public void removeColumnGroups(Location tableFolder, WriteId writeId, Set<UUID> rowGroups, Set<UUID> committed)
    {
        for (UUID rowGroup : rowGroups.stream().limit(MAX_SEARCHED_ROW_GROUPS).collect(toImmutableList())) {
            Location folder = RowGroup.folder(tableFolder, rowGroup);
            try {
                for (Location columnGroup : fileSystem.listDirectories(asDirectory(folder))) {
                    Optional<UUID> id = ColumnGroupInstance.folderId(folderName(columnGroup));
                    if (id.isPresent() && writeId.isOf(id.get()) && !committed.contains(id.get())) {
                        removeFolder(columnGroup);
                    }
                }
            }
            catch (IOException | RuntimeException e) {
                log.warn(e, "Cannot search %s for files that no table refers to", folder);
            }
        }
    }

    /**
     * Removes the deletes files of a write, except those that are committed.
     *
     * @param committed ids of the files to keep
     */
    public void removeDeletes(Location tableFolder, WriteId writeId, Set<UUID> committed)
    {
        search(tableFolder.appendPath(DeletedRows.FOLDER), writeId, fanOut -> removeDeletesIn(fanOut, writeId, committed));
    }

    private void removeDeletesIn(Location fanOut, WriteId writeId, Set<UUID> committed)
            throws IOException
    {
        ImmutableList.Builder<Location> abandoned = ImmutableList.builder();
        FileIterator files = fileSystem.listFiles(asDirectory(fanOut));
        while (files.hasNext()) {
            Location file = files.next().location();
            Optional<UUID> id = FileIds.parse(file.fileName());
            if (id.isPresent() && writeId.isOf(id.get()) && !committed.contains(id.get())) {
                abandoned.add(file);
            }
        }
        fileSystem.deleteFiles(abandoned.build());
    }

    private interface FolderAction
    {
        void run(Location folder)
                throws IOException;
    }

    private void search(Location folder, WriteId writeId, FolderAction action)
    {
        try {
            for (Location fanOut : fileSystem.listDirectories(asDirectory(folder))) {
                if (writeId.mayUse(folderName(fanOut))) {
                    action.run(fanOut);
                }
            }
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot search %s for files that no table refers to", folder);
        }
    }

    /**
     * Removes a folder if it has no files. This is needed on file systems that have empty folders.
     */
    public void removeFolderWithoutFiles(Location folder)
    {
        try {
            if (!fileSystem.listFiles(asDirectory(folder)).hasNext()) {
                fileSystem.deleteDirectory(folder);
            }
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot remove %s, which no table refers to", folder);
        }
    }

    private void removeFolder(Location folder)
    {
        try {
            fileSystem.deleteDirectory(folder);
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot remove %s, which no table refers to", folder);
        }
    }

    private static String folderName(Location folder)
    {
        return withoutTrailingSlash(folder).fileName();
    }
}
