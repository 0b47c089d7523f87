package io.albis.table.maintenance;

import com.google.common.collect.ImmutableSet;
import io.albis.format.io.AlbisDataException;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.name.EntryLog;
import io.albis.table.name.TableNameStorage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.maintenance.StorageReads.callAll;
import static java.util.Objects.requireNonNull;

/**
 * The tables to which the entries of names refer.
 */
final class NamedTables
{
    private final WarehouseFolders folders;
    private final TableNameStorage names;
    private final ConcurrentReads reads;
    private Optional<Set<UUID>> all = Optional.empty();
    private boolean damaged;

    private record Name(String schemaName, String tableName, long number) {}

    NamedTables(WarehouseFolders folders, TableNameStorage names, ConcurrentReads reads)
    {
        this.folders = requireNonNull(folders, "folders is null");
        this.names = requireNonNull(names, "names is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    /**
     * Returns whether the name of a table refers to it.
     *
     * @throws AlbisDataException if the entry of the name is damaged, so the answer is unknown
     */
    boolean refersTo(TableVersion newest, TableName name)
            throws IOException
    {
        return names.refersTo(name, newest.uuid());
    }

    /**
     * Returns whether any name may refer to a table whose versions cannot be read. The first call reads the entries of
     * all names.
     */
    boolean mayReferTo(UUID uuid)
            throws IOException
    {
        if (all.isEmpty()) {
            all = Optional.of(readAll());
        }
        return damaged || all.get().contains(uuid);
    }

    private Set<UUID> readAll()
            throws IOException
    {
        List<Name> live = new ArrayList<>();
        for (String schemaName : folders.schemaNames()) {
            for (TableNameStorage.LiveName name : names.liveNames(schemaName)) {
                live.add(new Name(schemaName, name.name(), name.number()));
            }
        }
        ImmutableSet.Builder<UUID> tables = ImmutableSet.builder();
        callAll(reads, live, this::read).forEach(uuid -> uuid.ifPresentOrElse(tables::add, () -> damaged = true));
        return tables.build();
    }

    private Optional<UUID> read(Name name)
            throws IOException
    {
        try {
            return Optional.of(names.read(name.schemaName(), name.tableName(), name.number()).uuid());
        }
        catch (AlbisDataException e) {
            return Optional.empty();
        }
    }

    /**
     * Ends the entry of a table that was dropped, so that readers do not open the table to learn that the name is free.
     * Any other entry remains, even if it has the id of the table. It may refer to a copy of the folder that was
     * restored.
     *
     * @param name the name of the last version that has one
     */
    void endQuietly(TableName name)
            throws IOException
    {
        long number = names.last(name.schemaName(), name.tableName());
        if (EntryLog.isLive(number) && isEntry(name, number)) {
            names.endQuietly(name.schemaName(), name.tableName(), number);
        }
    }

    private boolean isEntry(TableName name, long number)
            throws IOException
    {
        try {
            return names.read(name.schemaName(), name.tableName(), number).id().equals(name.entry());
        }
        catch (AlbisDataException e) {
            return false;
        }
    }
}
