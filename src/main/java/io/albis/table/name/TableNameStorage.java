package io.albis.table.name;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.airlift.log.Logger;
import io.albis.table.json.JsonFiles;
import io.albis.table.model.TableName;
import io.albis.table.path.NumberedFiles;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.TABLE_NAME;
import static io.albis.table.json.JsonKind.TOMBSTONE;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * Reads and writes the logs of all table names. Each name has one {@link EntryLog}.
 */
public final class TableNameStorage
{
    private static final Logger log = Logger.get(TableNameStorage.class);

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;

    public TableNameStorage(TrinoFileSystem fileSystem, WarehousePaths paths, JsonFiles json, ExclusiveFiles exclusiveFiles)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
    }

    /**
     * Lists the names whose last entry is live, with a single listing and in no particular order. After a crash in the
     * middle of RENAME or DROP, the result may contain a name that leads to no table.
     */
    public List<String> list(String schemaName)
            throws IOException
    {
        return ImmutableList.copyOf(liveEntries(schemaName).keySet());
    }

    /**
     * Lists the numbers of the last entries by name, as far as these entries are live.
     */
    public Map<String, Long> liveEntries(String schemaName)
            throws IOException
    {
        Map<String, Long> last = new HashMap<>();
        Location folder = paths.tableNamesFolder(schemaName);
        FileIterator files = fileSystem.listFiles(asDirectory(folder));
        while (files.hasNext()) {
            WarehousePaths.tableEntry(folder, files.next().location())
                    .ifPresent(entry -> last.merge(entry.tableName(), entry.number(), Math::max));
        }
        return ImmutableMap.copyOf(Maps.filterValues(last, EntryLog::isLive));
    }

    /**
     * Returns the number of the last entry of a name, or 0 if there is none.
     */
    public long last(String schemaName, String tableName)
            throws IOException
    {
        return entries(schemaName, tableName).last();
    }

    /**
     * Returns whether the last entry of a name is live and leads to a table.
     *
     * @throws io.albis.format.io.AlbisDataException if the entry is damaged, so that nobody knows
     */
    public boolean leadsTo(TableName name, UUID table)
            throws IOException
    {
        long number = last(name.schemaName(), name.tableName());
        return EntryLog.isLive(number) && read(name.schemaName(), name.tableName(), number).uuid().equals(table);
    }

    /**
     * Reads an entry.
     *
     * @param number number of a live entry
     * @throws io.albis.format.io.AlbisDataException if the entry is missing or damaged
     */
    public TableEntry read(String schemaName, String tableName, long number)
            throws IOException
    {
        EntryLog entries = entries(schemaName, tableName);
        Location location = entries.location(number);
        JsonFiles.Framed<TableEntry> framed = json.read(location, TABLE_NAME, TableEntry.class, entries.read(number));
        TableEntry entry = framed.body();
        if (!framed.id().equals(entry.id()) || entry.number() != number || !entry.schemaName().equals(schemaName) || !entry.tableName().equals(tableName)) {
            throw damaged("Damaged Albis file %s: it is entry %s of another name, %s.%s", location, entry.number(), entry.schemaName(), entry.tableName());
        }
        return entry;
    }

    /**
     * Creates an entry that has a number.
     *
     * @return true if the entry was created; false if another entry has its number
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the entry was not created, and will not be created later
     */
    public boolean create(TableEntry entry)
            throws IOException
    {
        forceSchema(entry.schemaName());
        return entries(entry.schemaName(), entry.tableName()).put(entry.number(), json.write(TABLE_NAME, entry.id(), entry));
    }

    /**
     * Ensures that the entry of a name survives a power failure before a version refers to it. Another process may have
     * created the entry without having made it durable yet.
     */
    public void makeDurable(TableName name)
            throws IOException
    {
        // This forces the folders. The bytes of an entry are durable before the entry becomes visible
        exclusiveFiles.forceExisting(entries(name.schemaName(), name.tableName()).location(1));
        forceSchema(name.schemaName());
    }

    private void forceSchema(String schemaName)
            throws IOException
    {
        exclusiveFiles.forceExisting(paths.schemaEntries(schemaName).appendPath(NumberedFiles.fileName(1)));
    }

    /**
     * Ends a live entry with a tombstone.
     *
     * @return true if this call ended the entry; false if another writer did so first
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the tombstone was not created, and will not be created later
     */
    public boolean end(String schemaName, String tableName, long number)
            throws IOException
    {
        Tombstone tombstone = new Tombstone(number + 1, UUID.randomUUID(), schemaName, Optional.of(tableName));
        return entries(schemaName, tableName).put(tombstone.number(), json.write(TOMBSTONE, tombstone.id(), tombstone));
    }

    /**
     * Ends a live entry that leads to no table. Failures are only logged: a reader without write permission cannot end
     * the entry, and an entry that remains does no harm.
     */
    public void endQuietly(String schemaName, String tableName, long number)
    {
        try {
            end(schemaName, tableName, number);
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot end entry %s of table name %s.%s", number, schemaName, tableName);
        }
    }

    private EntryLog entries(String schemaName, String tableName)
    {
        return new EntryLog(fileSystem, exclusiveFiles, paths.tableName(schemaName, tableName));
    }
}
