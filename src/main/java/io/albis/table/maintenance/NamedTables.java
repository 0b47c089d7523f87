package io.albis.table.maintenance;

import com.google.common.collect.ImmutableSet;
import io.albis.format.io.AlbisDataException;
import io.albis.table.catalog.SchemaKeys;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.name.EntryLog;
import io.albis.table.name.TableNameStorage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import static io.albis.table.maintenance.StorageReads.callAll;
import static java.util.Objects.requireNonNull;

/**
 * The tables to which the entries of names refer.
 */
final class NamedTables
{
    private final WarehouseFolders folders;
    private final TableNameStorage names;
    private final SchemaKeys keys;
    private final ConcurrentReads reads;
    private final Map<String, String> schemaNames = new ConcurrentHashMap<>();
    private final Map<String, Boolean> ownedKeys = new ConcurrentHashMap<>();
    private Optional<Set<UUID>> all = Optional.empty();
    private boolean damaged;

    private record Name(String schemaKey, String tableName, long number) {}

    NamedTables(WarehouseFolders folders, TableNameStorage names, SchemaKeys keys, ConcurrentReads reads)
    {
        this.folders = requireNonNull(folders, "folders is null");
        this.names = requireNonNull(names, "names is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    /**
     * Returns whether the name of a table refers to it, and a schema has the name.
     *
     * @throws AlbisDataException if the entry of the name is damaged, so the answer is unknown
     */
    boolean refersTo(TableVersion newest, TableName name)
            throws IOException
    {
        return names.refersTo(name, newest.uuid()) && isOwned(name.schemaName());
    }

    private boolean isOwned(String schemaKey)
            throws IOException
    {
        Boolean owned = ownedKeys.get(schemaKey);
        if (owned == null) {
            owned = keys.isOwned(schemaKey);
            ownedKeys.put(schemaKey, owned);
        }
        return owned;
    }

    /**
     * Returns the name of the schema that has a key or has had it last, for users.
     */
    String schemaName(String schemaKey)
    {
        return schemaNames.computeIfAbsent(schemaKey, keys::displayName);
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
        for (String schemaKey : folders.schemaKeys()) {
            for (TableNameStorage.LiveName name : names.liveNames(schemaKey)) {
                live.add(new Name(schemaKey, name.name(), name.number()));
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
            return Optional.of(names.read(name.schemaKey(), name.tableName(), name.number()).uuid());
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
