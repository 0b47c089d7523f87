package io.albis.table.name;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.SetMultimap;
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

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.TABLE_NAME;
import static io.albis.table.json.JsonKind.TOMBSTONE;
import static io.albis.table.json.JsonKind.VIEW_MARKER;
import static io.albis.table.path.WarehousePaths.asDirectory;
import static java.util.Objects.requireNonNull;

/**
 * Reads and writes the logs of all table names. Each name has one {@link EntryLog}. A schema is identified by its key,
 * see {@link KeyOrigin}.
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
     * middle of RENAME or DROP, the result may contain a name that refers to no table.
     */
    public List<String> list(String schemaKey)
            throws IOException
    {
        return liveNames(schemaKey).stream()
                .map(LiveName::name)
                .collect(toImmutableList());
    }

    /**
     * A name whose last entry is live.
     *
     * @param number number of the last entry
     * @param mayBeView whether the entry may refer to a view; otherwise, it refers to a table
     */
    public record LiveName(String name, long number, boolean mayBeView) {}

    /**
     * Lists the names whose last entry is live, as {@link #list} does.
     */
    public List<LiveName> liveNames(String schemaKey)
            throws IOException
    {
        Map<String, Long> last = new HashMap<>();
        SetMultimap<String, Long> marked = HashMultimap.create();
        Location folder = paths.tableNamesFolder(schemaKey);
        FileIterator files = fileSystem.listFiles(asDirectory(folder));
        while (files.hasNext()) {
            WarehousePaths.nameFile(folder, files.next().location()).ifPresent(file -> {
                NumberedFiles.number(file.fileName()).ifPresent(number -> last.merge(file.tableName(), number, Math::max));
                NumberedFiles.markerNumber(file.fileName()).ifPresent(number -> marked.put(file.tableName(), number));
            });
        }
        ImmutableList.Builder<LiveName> names = ImmutableList.builder();
        last.forEach((name, number) -> {
            if (EntryLog.isLive(number)) {
                names.add(new LiveName(name, number, marked.containsEntry(name, number)));
            }
        });
        return names.build();
    }

    /**
     * Returns what an entry refers to according to the entry, which this reads; empty for a table.
     *
     * @throws io.albis.format.io.AlbisDataException if the entry is missing or damaged
     */
    public Optional<String> kind(String schemaKey, String tableName, long number)
            throws IOException
    {
        return read(schemaKey, tableName, number).kind();
    }

    /**
     * Returns the number of the last entry of a name, or 0 if there is none.
     */
    public long last(String schemaKey, String tableName)
            throws IOException
    {
        return entries(schemaKey, tableName).last();
    }

    /**
     * Returns whether the last entry of a name is live and refers to a table.
     *
     * @throws io.albis.format.io.AlbisDataException if the entry is damaged, so the answer is unknown
     */
    public boolean refersTo(TableName name, UUID table)
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
    public TableEntry read(String schemaKey, String tableName, long number)
            throws IOException
    {
        EntryLog entries = entries(schemaKey, tableName);
        Location location = entries.location(number);
        JsonFiles.Framed<TableEntry> framed = json.read(location, TABLE_NAME, TableEntry.class, entries.read(number));
        TableEntry entry = framed.body();
        if (!framed.id().equals(entry.id()) || entry.number() != number || !entry.schemaName().equals(schemaKey) || !entry.tableName().equals(tableName)) {
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
        if (entry.kind().isPresent()) {
            markView(entry);
        }
        return entries(entry.schemaName(), entry.tableName()).put(entry.number(), json.write(TABLE_NAME, entry.id(), entry));
    }

    /**
     * Creates the marker of an entry before the entry, so that a listing never mistakes a view for a table. If another
     * client then creates the entry of this number, the marker remains. A listing therefore reads an entry with a
     * marker.
     */
    private void markView(TableEntry entry)
            throws IOException
    {
        Location marker = paths.tableName(entry.schemaName(), entry.tableName()).appendPath(NumberedFiles.markerName(entry.number()));
        ViewMarker body = new ViewMarker(entry.number(), UUID.randomUUID(), entry.schemaName(), entry.tableName());
        exclusiveFiles.createMarker(marker, json.write(VIEW_MARKER, body.id(), body));
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

    /**
     * Ensures that the entry survives with which the key was created. Each rename of the schema first makes the entries
     * durable on which it depends, so some schema has the key then.
     */
    private void forceSchema(String schemaKey)
            throws IOException
    {
        KeyOrigin origin = KeyOrigin.of(schemaKey);
        exclusiveFiles.forceExisting(paths.schemaEntries(origin.schemaName()).appendPath(NumberedFiles.fileName(origin.number())));
    }

    /**
     * Ends a live entry with a tombstone.
     *
     * @return true if this call ended the entry; false if another writer did so first
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the tombstone was not created, and will not be created later
     */
    public boolean end(String schemaKey, String tableName, long number)
            throws IOException
    {
        Tombstone tombstone = new Tombstone(number + 1, UUID.randomUUID(), schemaKey, Optional.of(tableName), Optional.empty());
        return entries(schemaKey, tableName).put(tombstone.number(), json.write(TOMBSTONE, tombstone.id(), tombstone));
    }

    /**
     * Ends a live entry that refers to no table. Failures are only logged: a reader without write permission cannot end
     * the entry, and an entry that remains does no harm.
     */
    public void endQuietly(String schemaKey, String tableName, long number)
    {
        try {
            end(schemaKey, tableName, number);
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot end entry %s of table name %s.%s", number, schemaKey, tableName);
        }
    }

    private EntryLog entries(String schemaKey, String tableName)
    {
        return new EntryLog(fileSystem, exclusiveFiles, paths.tableName(schemaKey, tableName));
    }
}
