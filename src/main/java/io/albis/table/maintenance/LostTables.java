package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.albis.format.io.AlbisDataException;
import io.albis.table.maintenance.FolderInspection.Inspected;
import io.albis.table.maintenance.FolderInspection.Kind;
import io.albis.table.maintenance.LostTable.State;
import io.albis.table.manifest.ManifestSource;
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
 * Finds tables to which no name leads. A table that others create, rename, or drop at the same time may be among them.
 */
public final class LostTables
{
    private final WarehouseFolders folders;
    private final FolderInspection inspection;
    private final NamedTables named;
    private final ManifestSource reads;

    LostTables(WarehouseFolders folders, FolderInspection inspection, NamedTables named, ManifestSource reads)
    {
        this.folders = requireNonNull(folders, "folders is null");
        this.inspection = requireNonNull(inspection, "inspection is null");
        this.named = requireNonNull(named, "named is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    private record Found(Inspected inspected, Optional<LostTable> lost) {}

    /**
     * @param location a folder in which to look instead of the warehouse; empty for the warehouse
     */
    public List<LostTable> find(Optional<Location> location)
            throws IOException
    {
        ImmutableList.Builder<LostTable> result = ImmutableList.builder();
        for (List<TableFolder> batch : Lists.partition(folders.find(location), BATCH_SIZE)) {
            for (Found found : callAll(reads, batch, this::find)) {
                if (isUnreadable(found.inspected().kind()) && named.mayLeadTo(found.inspected().folder().uuid())) {
                    continue;
                }
                found.lost().ifPresent(result::add);
            }
        }
        return result.build();
    }

    /**
     * Returns whether the versions do not say which name leads to the table.
     */
    private static boolean isUnreadable(Kind kind)
    {
        return kind == Kind.DAMAGED || kind == Kind.LOAD;
    }

    private Found find(TableFolder folder)
            throws IOException
    {
        Inspected inspected = inspection.inspect(folder);
        Optional<LostTable> lost = switch (inspected.kind()) {
            case TABLE -> findTable(folder, inspected.newest().orElseThrow());
            case DROPPED -> findDropped(folder, inspected.newest().orElseThrow());
            case DAMAGED -> Optional.of(unreadable(folder, State.DAMAGED, Optional.empty()));
            case LOAD -> Optional.of(unreadable(folder, State.UNFINISHED, inspected.files()));
            case OTHER -> Optional.empty();
        };
        return new Found(inspected, lost);
    }

    private Optional<LostTable> findTable(TableFolder folder, TableVersion newest)
            throws IOException
    {
        TableName name = newest.name().orElseThrow();
        if (newest.isUnregistered()) {
            return Optional.of(lost(folder, State.UNREGISTERED, Optional.of(name), newest));
        }
        try {
            return named.leadsTo(newest, name) ? Optional.empty() : Optional.of(lost(folder, State.LOST, Optional.of(name), newest));
        }
        catch (AlbisDataException e) {
            return Optional.of(lost(folder, State.DAMAGED, Optional.of(name), newest));
        }
    }

    private Optional<LostTable> findDropped(TableFolder folder, TableVersion newest)
            throws IOException
    {
        Optional<TableVersion> lastNamed = inspection.lastNamed(folder, newest);
        if (lastNamed.isEmpty()) {
            // Its files were deleted
            return Optional.empty();
        }
        return Optional.of(lost(folder, State.DROPPED, lastNamed.get().name(), newest));
    }

    private static LostTable lost(TableFolder folder, State state, Optional<TableName> name, TableVersion newest)
    {
        return new LostTable(
                folder.location(),
                name.map(TableName::schemaName).or(folder::schemaName),
                name.map(TableName::tableName).or(folder::tableName),
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
