package io.albis.table.name;

import com.google.common.collect.ImmutableSortedSet;
import io.albis.format.io.AlbisDataException;
import io.albis.table.json.JsonFiles;
import io.albis.table.name.EntryLog.Last;
import io.albis.table.name.Tombstone.NewSchema;
import io.albis.table.path.NumberedFiles;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.put.SmallFiles;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.json.JsonKind.SCHEMA;
import static io.albis.table.json.JsonKind.TOMBSTONE;
import static java.util.Objects.requireNonNull;

/**
 * Reads and writes the logs of all schema names. Each name has one {@link EntryLog}.
 * <p>
 * A live entry whose key is not its name, and a tombstone of a schema that is renamed, have a marker next to them. An
 * entry without a marker need not be read to know its key, and a tombstone without one is that of a schema that was
 * dropped. A marker may belong to an attempt that another client has preceded, so an entry with a marker is read.
 */
public final class SchemaNameStorage
{
    // A local folder with few files is listed at once. A listing of more files may show one that was created later than
    // another that it does not show
    private static final long MAX_LISTED = 100;

    private final TrinoFileSystem fileSystem;
    private final WarehousePaths paths;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;

    public SchemaNameStorage(TrinoFileSystem fileSystem, WarehousePaths paths, JsonFiles json, ExclusiveFiles exclusiveFiles)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
    }

    /**
     * Returns the last entry of a name and the markers, as a listing shows them.
     */
    public Last last(String name)
            throws IOException
    {
        Last last = entries(name).lastEntry();
        return last.number() > MAX_LISTED ? withMarkers(name, last) : last;
    }

    /**
     * Returns the last entry of a name, as {@link #last} does, before another entry is put after it. A listing of a
     * local folder with many files need not show a marker that was created during the listing. Two schemas would have
     * the same key if a client took the tombstone of a rename for that of a DROP.
     */
    public Last lastForChange(String name)
            throws IOException
    {
        return withMarkers(name, entries(name).lastEntry());
    }

    /**
     * Adds the markers on which the key of a schema depends: those of the last entry, and of the one before a
     * tombstone.
     */
    private Last withMarkers(String name, Last last)
            throws IOException
    {
        ImmutableSortedSet.Builder<Long> marked = ImmutableSortedSet.<Long>naturalOrder().addAll(last.marked());
        for (long number = Math.max(last.number() - 1, 1); number <= last.number(); number++) {
            if (!last.isMarked(number) && fileSystem.newInputFile(marker(name, number)).exists()) {
                marked.add(number);
            }
        }
        return new Last(last.number(), marked.build());
    }

    /**
     * Reads a live entry.
     *
     * @throws AlbisDataException if the entry is missing or damaged
     */
    public SchemaEntry read(String name, long number)
            throws IOException
    {
        return parse(name, number, bytes(name, number));
    }

    /**
     * Returns the bytes of an entry that a listing has shown, which may be damaged.
     */
    public byte[] bytes(String name, long number)
            throws IOException
    {
        return entries(name).read(number);
    }

    /**
     * Reads the id of a live entry.
     *
     * @return empty if there is no such entry
     * @throws AlbisDataException if the entry is damaged
     */
    public Optional<UUID> id(String name, long number)
            throws IOException
    {
        Optional<byte[]> file = SmallFiles.read(fileSystem, location(name, number));
        return file.isPresent() ? Optional.of(parse(name, number, file.get()).id()) : Optional.empty();
    }

    private SchemaEntry parse(String name, long number, byte[] file)
            throws AlbisDataException
    {
        Location location = location(name, number);
        JsonFiles.Framed<SchemaEntry> framed = json.read(location, SCHEMA, SchemaEntry.class, file);
        SchemaEntry entry = framed.body();
        if (!framed.id().equals(entry.id()) || entry.number() != number || !entry.name().equals(name)) {
            throw damaged("Damaged Albis file %s: it is entry %s of another schema, %s", location, entry.number(), entry.name());
        }
        return entry;
    }

    /**
     * Returns the key of a live entry, which this reads if it has a marker.
     *
     * @throws AlbisDataException if the entry has a marker, and is missing or damaged
     */
    public String key(String name, long number, Last last)
            throws IOException
    {
        return last.isMarked(number) ? read(name, number).key() : name;
    }

    /**
     * Returns the new name of the schema that a tombstone has ended. Reads the tombstone if it has a marker.
     *
     * @return empty if the schema was dropped
     * @throws AlbisDataException if the tombstone has a marker, and is missing or damaged
     */
    public Optional<NewSchema> renamedTo(String name, long number, Last last)
            throws IOException
    {
        if (!last.isMarked(number)) {
            return Optional.empty();
        }
        Location location = location(name, number);
        JsonFiles.Framed<Tombstone> framed = json.read(location, TOMBSTONE, Tombstone.class, bytes(name, number));
        Tombstone tombstone = framed.body();
        if (!framed.id().equals(tombstone.id()) || tombstone.number() != number || !tombstone.schemaName().equals(name) || tombstone.tableName().isPresent()) {
            throw damaged("Damaged Albis file %s: it is tombstone %s of another name, %s", location, tombstone.number(), tombstone.schemaName());
        }
        return tombstone.renamedTo();
    }

    /**
     * Creates an entry, and its marker before if it has one.
     *
     * @return true if the entry was created; false if another entry has its number
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the entry was not created, and will not be created later
     */
    public boolean create(SchemaEntry entry)
            throws IOException
    {
        return put(entry.name(), entry.number(), json.write(SCHEMA, entry.id(), entry), entry.tables().isPresent());
    }

    /**
     * Creates an entry with the content of an earlier one. If that one is damaged, the copy is damaged too.
     *
     * @param number number of the earlier entry
     * @param file bytes of the earlier entry
     * @param newNumber number of the new entry
     * @return true if the entry was created; false if another entry has its number
     */
    public boolean createCopy(String name, long number, byte[] file, long newNumber)
            throws IOException
    {
        SchemaEntry entry;
        try {
            entry = parse(name, number, file);
        }
        catch (AlbisDataException e) {
            return put(name, newNumber, file, false);
        }
        return create(entry.copy(newNumber));
    }

    /**
     * Ends a live entry with a tombstone.
     *
     * @param renamedTo entry of the new name of a schema that is renamed; empty if it is dropped
     * @return true if this call ended the entry; false if another writer did so first
     * @throws io.albis.table.model.TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     * @throws IOException if the tombstone was not created, and will not be created later
     */
    public boolean end(String name, long number, Optional<NewSchema> renamedTo)
            throws IOException
    {
        Tombstone tombstone = new Tombstone(number + 1, UUID.randomUUID(), name, Optional.empty(), renamedTo);
        return put(name, tombstone.number(), json.write(TOMBSTONE, tombstone.id(), tombstone), renamedTo.isPresent());
    }

    private boolean put(String name, long number, byte[] file, boolean marked)
            throws IOException
    {
        if (marked) {
            exclusiveFiles.createMarker(marker(name, number), file);
        }
        return entries(name).put(number, file);
    }

    /**
     * Ensures that an entry survives a power failure before others depend on it. Another process may have created it
     * without having made it durable yet.
     */
    public void makeDurable(String name, long number)
            throws IOException
    {
        exclusiveFiles.forceExisting(location(name, number));
    }

    public Location location(String name, long number)
    {
        return entries(name).location(number);
    }

    private Location marker(String name, long number)
    {
        return paths.schemaEntries(name).appendPath(NumberedFiles.renamedName(number));
    }

    private EntryLog entries(String name)
    {
        return new EntryLog(fileSystem, exclusiveFiles, paths.schemaEntries(name));
    }
}
