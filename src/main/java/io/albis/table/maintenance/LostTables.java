package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.format.io.AlbisDataException;
import io.albis.table.maintenance.LostTable.State;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.table.maintenance.StorageReads.BATCH_SIZE;
import static io.albis.table.maintenance.StorageReads.callAll;
import static java.util.Objects.requireNonNull;

/**
 * Finds tables to which no name refers. A table that others create, rename, or drop at the same time may be among them.
 */
public final class LostTables
{
    private final WarehouseFolders folders;
    private final FolderInspection inspection;
    private final NamedTables named;
    private final ConcurrentReads reads;

    LostTables(WarehouseFolders folders, FolderInspection inspection, NamedTables named, ConcurrentReads reads)
    {
        this.folders = requireNonNull(folders, "folders is null");
        this.inspection = requireNonNull(inspection, "inspection is null");
        this.named = requireNonNull(named, "named is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    private record Found(TableFolder folder, FolderContent content, Optional<LostTable> lost) {}

    /**
     * @param location a folder in which to look instead of the warehouse; empty for the warehouse
     */
    public List<LostTable> find(Optional<Location> location)
            throws IOException
    {
        ImmutableList.Builder<LostTable> result = ImmutableList.builder();
        for (List<TableFolder> batch : Lists.partition(folders.find(location), BATCH_SIZE)) {
            for (Found found : callAll(reads, batch, this::find)) {
                if (isUnreadable(found.content()) && named.mayReferTo(found.folder().uuid())) {
                    continue;
                }
                found.lost().ifPresent(result::add);
            }
        }
        return result.build();
    }

    /**
     * Returns whether the versions cannot be read, so only the entries of names show whether a name refers to the
     * table.
     */
    private static boolean isUnreadable(FolderContent content)
    {
        return content instanceof FolderContent.Damaged || content instanceof FolderContent.Load;
    }

    private Found find(TableFolder folder)
            throws IOException
    {
        FolderContent content = inspection.inspect(folder);
        Optional<LostTable> lost = switch (content) {
            case FolderContent.Table table -> findTable(folder, table.newest(), table.name());
            case FolderContent.Dropped dropped -> findDropped(folder, dropped.newest());
            case FolderContent.Damaged _ -> Optional.of(unreadable(folder, State.DAMAGED, Optional.empty()));
            case FolderContent.Load load -> Optional.of(unreadable(folder, State.UNFINISHED, Optional.of(load.files())));
            case FolderContent.Other _ -> Optional.empty();
        };
        return new Found(folder, content, lost);
    }

    private Optional<LostTable> findTable(TableFolder folder, TableVersion newest, TableName name)
            throws IOException
    {
        if (newest.isUnregistered()) {
            return Optional.of(lost(folder, State.UNREGISTERED, name, newest));
        }
        try {
            return named.refersTo(newest, name) ? Optional.empty() : Optional.of(lost(folder, State.LOST, name, newest));
        }
        catch (AlbisDataException e) {
            return Optional.of(lost(folder, State.NAME_DAMAGED, name, newest));
        }
    }

    private Optional<LostTable> findDropped(TableFolder folder, TableVersion newest)
            throws IOException
    {
        // Without a last name, its files were deleted
        return inspection.lastName(folder, newest)
                .map(name -> lost(folder, State.DROPPED, name, newest));
    }

    private LostTable lost(TableFolder folder, State state, TableName name, TableVersion newest)
    {
        return new LostTable(
                folder.location(),
                Optional.of(named.schemaName(name.schemaName())),
                Optional.of(name.tableName()),
                state,
                OptionalLong.of(newest.version()),
                OptionalLong.of(newest.rowCount()),
                OptionalLong.of(newest.bytes()),
                Optional.of(newest.time()));
    }

    private static LostTable unreadable(TableFolder folder, State state, Optional<FolderFiles> files)
    {
        return new LostTable(
                folder.location(),
                folder.schemaName(),
                folder.tableName(),
                state,
                OptionalLong.empty(),
                OptionalLong.empty(),
                files.map(FolderFiles::bytes).map(OptionalLong::of).orElse(OptionalLong.empty()),
                files.flatMap(FolderFiles::lastModified));
    }
}
