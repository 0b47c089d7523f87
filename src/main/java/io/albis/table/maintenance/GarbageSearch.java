package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.table.maintenance.FolderContent.Dropped;
import io.albis.table.maintenance.FolderContent.Load;
import io.albis.table.maintenance.FolderContent.Table;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.Interruptions;
import io.albis.table.version.Versions;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static io.albis.table.model.TableVersion.FIRST_VERSION;
import static java.util.Objects.requireNonNull;

/**
 * Finds what vacuum can delete, and changes nothing.
 */
final class GarbageSearch
{
    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final FolderInspection inspection;
    private final NamedTables named;

    GarbageSearch(TrinoFileSystem fileSystem, WarehousePaths paths, FolderInspection inspection, NamedTables named)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.inspection = requireNonNull(inspection, "inspection is null");
        this.named = requireNonNull(named, "named is null");
    }

    /**
     * @param failure failure of the storage in this folder; empty if it was searched
     */
    record Found(List<Garbage> garbage, Optional<IOException> failure)
    {
        static Found of(List<Garbage> garbage)
        {
            return new Found(garbage, Optional.empty());
        }
    }

    /**
     * Searches a folder. A failure of its storage is returned, so that it does not prevent the search in others.
     *
     * @throws IOException if the query is canceled
     */
    Found search(TableFolder folder, Instant before)
            throws IOException
    {
        try {
            return Found.of(searchFolder(folder, before));
        }
        catch (IOException e) {
            if (Interruptions.isInterrupted(e)) {
                throw e;
            }
            return new Found(ImmutableList.of(), Optional.of(e));
        }
    }

    private List<Garbage> searchFolder(TableFolder folder, Instant before)
            throws IOException
    {
        FolderContent content = inspection.inspect(folder);
        ImmutableList.Builder<Garbage> garbage = ImmutableList.builder();
        if (content instanceof Dropped(TableVersion newest)) {
            searchDropped(folder, newest, before).ifPresent(garbage::add);
        }
        if (content instanceof Load(FolderFiles files) && !files.lastModified().orElseThrow().isAfter(before)) {
            garbage.add(new Garbage.FailedLoad(folder, files));
        }
        if (content instanceof Dropped || content instanceof Table) {
            List<FileEntry> temporary = TemporaryFiles.list(fileSystem, new TablePaths(folder.location()).versionsFolder(), before);
            if (!temporary.isEmpty()) {
                garbage.add(new Garbage.Temporary(folder.location(), folder.schemaName(), folder.tableName(), temporary));
            }
        }
        return garbage.build();
    }

    private Optional<Garbage> searchDropped(TableFolder folder, TableVersion dropped, Instant before)
            throws IOException
    {
        // A table whose first version has no name was never read
        if (dropped.version() > FIRST_VERSION && versions(folder).replacementTime(dropped).isAfter(before)) {
            return Optional.empty();
        }
        Optional<TableName> lastName = inspection.lastName(folder, dropped);
        FolderFiles files = inspection.list(folder);
        if (lastName.isEmpty() && files.count() == 0) {
            return Optional.empty();
        }
        return Optional.of(new Garbage.DroppedTable(folder, dropped, lastName, lastName.map(TableName::schemaName).map(named::schemaName), files));
    }

    private Versions versions(TableFolder folder)
    {
        return inspection.open(folder).versions();
    }

    /**
     * Searches the log of a schema name, and the logs of the names of tables of the schema with this key.
     */
    Optional<Garbage> searchNames(String schemaKey, Instant before)
            throws IOException
    {
        ImmutableList.Builder<FileEntry> files = ImmutableList.builder();
        for (Location folder : ImmutableList.of(paths.schemaEntries(schemaKey), paths.tableNamesFolder(schemaKey))) {
            files.addAll(TemporaryFiles.list(fileSystem, folder, before));
        }
        List<FileEntry> temporary = files.build();
        return temporary.isEmpty() ? Optional.empty() : Optional.of(new Garbage.Temporary(paths.schemaFolder(schemaKey), Optional.of(named.schemaName(schemaKey)), Optional.empty(), temporary));
    }
}
