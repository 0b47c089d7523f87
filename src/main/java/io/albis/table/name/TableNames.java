package io.albis.table.name;

import com.google.common.collect.ImmutableList;
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
 * The logs of the names of tables.
 */
public final class TableNames
{
    private static final Logger log = Logger.get(TableNames.class);

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths layout;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;

    public TableNames(TrinoFileSystem fileSystem, WarehousePaths layout, JsonFiles json, ExclusiveFiles exclusiveFiles)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
    }

    /**
     * Names whose last entry is live, by one listing. After a crash in the middle of RENAME or DROP, a name may be among
     * them that is no table's.
     */
    public List<String> list(String schemaName)
            throws IOException
    {
        Map<String, Long> last = new HashMap<>();
        Location folder = layout.tableNamesFolder(schemaName);
        FileIterator files = fileSystem.listFiles(asDirectory(folder));
        while (files.hasNext()) {
            WarehousePaths.tableEntry(folder, files.next().location())
                    .ifPresent(entry -> last.merge(entry.tableName(), entry.number(), Math::max));
        }
        ImmutableList.Builder<String> names = ImmutableList.builder();
        last.forEach((name, number) -> {
            if (EntryLog.isLive(number)) {
                names.add(name);
            }
        });
        return names.build();
    }

    /**
     * The number of the last entry of a name, 0 if there is none.
     */
    public long last(String schemaName, String tableName)
            throws IOException
    {
        return entries(schemaName, tableName).last();
    }

    /**
     * @param number of a live entry
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
     * @return whether the entry is there; if not, another one has its number
     */
    public boolean create(TableEntry entry)
            throws IOException
    {
        forceSchema(entry.schemaName());
        return entries(entry.schemaName(), entry.tableName()).put(entry.number(), json.write(TABLE_NAME, entry.id(), entry));
    }

    /**
     * Makes sure that what a version says of its name is there after a power failure. Another process may have put the
     * entry and not have come to that yet.
     */
    public void makeDurable(TableName name)
            throws IOException
    {
        // Only the folders count: an entry has all its bytes before it is there
        exclusiveFiles.forceExisting(entries(name.schemaName(), name.tableName()).location(1));
        forceSchema(name.schemaName());
    }

    private void forceSchema(String schemaName)
            throws IOException
    {
        exclusiveFiles.forceExisting(layout.schemaEntries(schemaName).appendPath(NumberedFiles.fileName(1)));
    }

    /**
     * Ends a live entry.
     *
     * @return whether this call has done it; if not, somebody else was faster
     */
    public boolean end(String schemaName, String tableName, long number)
            throws IOException
    {
        Tombstone tombstone = new Tombstone(number + 1, UUID.randomUUID(), schemaName, Optional.of(tableName));
        return entries(schemaName, tableName).put(tombstone.number(), json.write(TOMBSTONE, tombstone.id(), tombstone));
    }

    /**
     * Ends a live entry that leads to nothing. Whoever may only read cannot do this, and it does no harm if the entry stays.
     */
    public void endQuietly(String schemaName, String tableName, long number)
    {
        try {
            end(schemaName, tableName, number);
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Could not end entry %s of the name %s.%s", number, schemaName, tableName);
        }
    }

    private EntryLog entries(String schemaName, String tableName)
    {
        return new EntryLog(fileSystem, exclusiveFiles, layout.tableName(schemaName, tableName));
    }
}
