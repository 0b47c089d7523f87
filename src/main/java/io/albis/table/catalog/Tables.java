package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.airlift.log.Logger;
import io.albis.format.io.AlbisDataException;
import io.albis.table.json.JsonFiles;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.name.EntryLog;
import io.albis.table.name.NameEntry;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableEntry.OldEntry;
import io.albis.table.name.TableNameStorage;
import io.albis.table.name.UnreadableTableException;
import io.albis.table.path.NumberedFiles;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.ExclusiveFiles;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableOperation.REGISTER;
import static io.albis.table.model.TableOperation.RENAME;
import static java.util.Objects.requireNonNull;

/**
 * Finds tables by name, and completes or cleans up a RENAME or DROP that was interrupted by a crash.
 * <p>
 * The newest version of a table decides which name the table has, and an entry only refers to the versions. CREATE
 * creates the first version, which contains the id of the entry, and then the entry. RENAME creates an entry of the new
 * name, commits a version with the new name, and ends the entry of the old name. DROP commits a version without a name
 * and ends the entry. A crash leaves one of these:
 * <ul>
 * <li>A pending entry: no version refers to it yet, and its generation is greater than that of the newest version. The
 * table has two names, which refer to the same rows, even after later writes. The first transaction that loads the new
 * name completes the RENAME. The entry of a registration is pending in the same way. If the schema of the new name was
 * dropped, the new name refers to no table until the schema is created again.
 * <li>A stale entry: the table was dropped, or it has another name and no version will ever refer to this entry. The
 * name may be listed, but it refers to no table and can be used again. Any transaction that finds such an entry ends
 * it.
 * </ul>
 * A stale entry remains stale. An old version is therefore sufficient to recognize it, and a client may stall for any
 * time before it ends the entry. The reasons are:
 * <ul>
 * <li>No version follows one without a name.
 * <li>From one version to the next, the generation never decreases, and it increases whenever the id of the entry
 * changes. {@link #complete} commits only an entry with a greater generation, and reverting a RENAME keeps the id
 * and increases the generation. So if a version refers to another entry and its generation is not smaller than that of
 * this entry, no later version refers to this entry.
 * <li>An entry never changes. The tombstone that ends it has the next number, which no other entry has.
 * </ul>
 * If the folder of a table belongs to another warehouse, the table has its names there. An entry in this warehouse
 * refers to the table until the table is dropped there, whatever its name is there. This warehouse never changes such a
 * table.
 * <p>
 * The entries and versions of tables, and the methods of this class except for {@link #load}, identify a schema by its
 * key, which remains when the schema is renamed.
 */
public final class Tables
{
    private static final Logger log = Logger.get(Tables.class);

    private final TrinoFileSystem fileSystem;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final TableNameStorage names;
    private final SchemaKeys keys;
    private final FolderLocations folders;
    private final WarehousePaths paths;
    private final Commits commits;
    private final ManifestOptions manifestOptions;

    public Tables(TrinoFileSystem fileSystem, WarehousePaths paths, JsonFiles json, ExclusiveFiles exclusiveFiles, TableNameStorage names, SchemaKeys keys, FolderLocations folders, Commits commits, ManifestOptions manifestOptions)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.names = requireNonNull(names, "names is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.commits = requireNonNull(commits, "commits is null");
        this.manifestOptions = requireNonNull(manifestOptions, "manifestOptions is null");
    }

    /**
     * An entry and the newest version of the table to which it refers. Together they determine the state of the entry.
     *
     * @param foreign whether the folder of the table belongs to another warehouse
     */
    record Found(TableEntry entry, boolean foreign, TableStorage storage, TableVersion version)
    {
        /**
         * Returns whether the name refers to the table.
         */
        boolean isCurrent()
        {
            if (foreign) {
                return version.name().isPresent();
            }
            return version.name().isPresent() && version.name().get().entry().equals(entry.id());
        }

        /**
         * Returns whether this is the new entry of a RENAME that is not complete.
         */
        boolean isPending()
        {
            return version.name().isPresent() && !isCurrent() && entry.generation() > version.name().get().generation();
        }

        /**
         * Returns whether the name refers to no table and can be used again.
         */
        boolean isStale()
        {
            return !isCurrent() && !isPending();
        }
    }

    /**
     * Returns the files of a table to which this warehouse may write.
     */
    public TableStorage open(Location folder, UUID uuid)
    {
        return open(folder, uuid, true);
    }

    /**
     * Returns the files of a table.
     *
     * @param writable whether this warehouse may write to it
     */
    public TableStorage open(Location folder, UUID uuid, boolean writable)
    {
        return new TableStorage(fileSystem, json, exclusiveFiles, folder, uuid, writable, manifestOptions);
    }

    /**
     * Reads the last entry of a name and the newest version of its table; empty if the entry is not live.
     */
    Optional<Found> find(String schemaKey, String tableName)
            throws IOException
    {
        long last = names.last(schemaKey, tableName);
        return EntryLog.isLive(last) ? Optional.of(read(schemaKey, tableName, last)) : Optional.empty();
    }

    private Found read(String schemaKey, String tableName, long number)
            throws IOException
    {
        TableEntry entry = names.read(schemaKey, tableName, number);
        Location file = paths.tableName(schemaKey, tableName).appendPath(NumberedFiles.fileName(number));
        Location folder = folders.toLocation(entry.folder(), file);
        boolean foreign = folders.isForeign(entry.folder(), folder);
        Optional<UUID> owner = entry.folder().warehouse();
        // An entry may name any folder, and only the version says to which warehouse the folder belongs. Before this is
        // known, not even the hint of a table outside of this warehouse is repaired
        TableVersion version = open(folder, entry.uuid(), owner.isEmpty()).versions().newest(0);
        if (!version.warehouse().equals(owner)) {
            throw damaged("Damaged Albis file %s: the table at %s belongs to another warehouse according to version %s", file, folder, version.version());
        }
        Found found = new Found(entry, foreign, open(folder, entry.uuid(), !foreign), version);
        if (found.isPending() && (entry.renamedFrom().isEmpty() || (entry.isRegistration() && !found.version().isUnregistered()))) {
            // CREATE creates the version before the entry. An older version is that of an earlier attempt. A
            // registration creates its entry after the version of the unregistered table
            throw damaged("Damaged Albis table %s: the entry %s has generation %s, but the version of this generation is missing. The newest version is %s", folder, file, entry.generation(), found.version().version());
        }
        return found;
    }

    /**
     * Loads the newest version of a table, and completes a pending RENAME.
     *
     * @return empty if the name refers to no table
     * @throws UnreadableTableException if the name refers to a table that cannot be read
     */
    public Optional<AlbisTable> load(String schemaName, String tableName)
            throws IOException
    {
        Optional<ResolvedSchema> schema = keys.resolve(schemaName);
        return schema.isPresent() ? load(schema.get(), tableName) : Optional.empty();
    }

    private Optional<AlbisTable> load(ResolvedSchema schema, String tableName)
            throws IOException
    {
        long stale = 0;
        while (true) {
            long last = names.last(schema.key(), tableName);
            // The stale entry is still the last one, so this process cannot end it
            if (!EntryLog.isLive(last) || last == stale) {
                return Optional.empty();
            }
            Optional<Found> completed = tryRead(schema.key(), tableName, last);
            if (completed.isEmpty()) {
                return Optional.empty();
            }
            Found found = completed.get();
            if (!found.isStale()) {
                return Optional.of(found.storage().table(schema.name(), tableName, found.version()));
            }
            if (found.foreign()) {
                return Optional.empty();
            }
            endQuietly(found.entry());
            stale = last;
        }
    }

    /**
     * Reads the table of an entry, and completes a pending RENAME.
     *
     * @return empty for a pending RENAME that cannot be completed because the schema does not exist
     */
    private Optional<Found> tryRead(String schemaKey, String tableName, long number)
    {
        try {
            Found found = read(schemaKey, tableName, number);
            if (!found.isPending()) {
                return Optional.of(found);
            }
            if (!keys.isOwned(schemaKey)) {
                // The table would be in no listing, so it keeps its old name unless the schema is created again
                return Optional.empty();
            }
            return Optional.of(tryComplete(found));
        }
        catch (IOException e) {
            throw new UnreadableTableException(new NameEntry(schemaKey, number), e);
        }
        catch (TableException e) {
            throw e;
        }
        catch (RuntimeException e) {
            // Some file systems throw the exceptions of their client library
            throw new UnreadableTableException(new NameEntry(schemaKey, number), new IOException(e.getMessage(), e));
        }
    }

    /**
     * Creates the entry of a table name, unless the name refers to another table. Ends a stale entry of the name first.
     *
     * @param entry entry without a number
     * @return the entry that was created, with its number; empty if the name refers to another table
     * @throws IOException if the entry was not created, and will not be created later
     */
    Optional<TableEntry> claim(TableEntry entry)
            throws IOException
    {
        while (true) {
            long last = names.last(entry.schemaName(), entry.tableName());
            if (EntryLog.isLive(last)) {
                if (isTaken(entry.schemaName(), entry.tableName(), last)) {
                    return Optional.empty();
                }
                end(entry.schemaName(), entry.tableName(), last);
                last++;
            }
            TableEntry numbered = entry.withNumber(last + 1);
            if (names.create(numbered)) {
                return Optional.of(numbered);
            }
        }
    }

    /**
     * Returns whether a name refers to a table. If it does not, this ends its last entry if that entry is live.
     */
    public boolean isTaken(String schemaKey, String tableName)
            throws IOException
    {
        long last = names.last(schemaKey, tableName);
        if (!EntryLog.isLive(last)) {
            return false;
        }
        if (isTaken(schemaKey, tableName, last)) {
            return true;
        }
        end(schemaKey, tableName, last);
        return false;
    }

    private boolean isTaken(String schemaKey, String tableName, long number)
            throws IOException
    {
        try {
            return !read(schemaKey, tableName, number).isStale();
        }
        catch (AlbisDataException e) {
            // A damaged table still exists
            return true;
        }
    }

    /**
     * Ends a stale entry, so that the name can be used again.
     */
    private void end(String schemaKey, String tableName, long number)
            throws IOException
    {
        try {
            names.end(schemaKey, tableName, number);
        }
        catch (TableException e) {
            // The entry refers to no table in either case, so the unknown outcome has no effect for users
            if (e.reason() == OUTCOME_UNKNOWN) {
                throw new IOException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /**
     * Commits a version with the name of {@code entry}, which a RENAME or a registration has created before.
     *
     * @throws TableException CONFLICT or TABLE_NOT_FOUND if the table can never get the name of this entry;
     *         OUTCOME_UNKNOWN
     */
    TableVersion complete(TableStorage storage, TableEntry entry, long knownVersion)
            throws IOException
    {
        return commits.commitName(storage.versions(), knownVersion, next -> {
            TableName current = next.name().orElseThrow();
            if (current.entry().equals(entry.id())) {
                return Optional.empty();
            }
            if (current.generation() >= entry.generation()) {
                if (entry.isRegistration()) {
                    throw new TableException(CONFLICT, "The table at %s was registered by another transaction", storage.folder());
                }
                OldEntry old = entry.renamedFrom().orElse(new OldEntry(entry.number(), entry.schemaName(), entry.tableName()));
                throw new TableException(CONFLICT, "Table '%s.%s' was renamed by another transaction", keys.displayName(old.schemaName()), old.tableName());
            }
            return Optional.of(next.withName(Optional.of(entry.name())).withOperation(entry.isRegistration() ? REGISTER : RENAME, ImmutableMap.of()));
        });
    }

    private Found tryComplete(Found found)
            throws IOException
    {
        TableEntry entry = found.entry();
        try {
            TableVersion version = complete(found.storage(), entry, found.version().version());
            endReplaced(entry);
            endEarlier(found);
            return new Found(entry, false, found.storage(), version);
        }
        catch (TableException e) {
            if (e.reason() == CONFLICT || e.reason() == TABLE_NOT_FOUND) {
                return new Found(entry, false, found.storage(), found.storage().versions().newest(found.version().version()));
            }
            log.debug(e, "Cannot complete the RENAME to %s.%s", entry.schemaName(), entry.tableName());
            return found;
        }
        catch (AlbisDataException e) {
            throw e;
        }
        catch (IOException | RuntimeException e) {
            // Without permission to write, the table has both names
            log.debug(e, "Cannot complete the RENAME to %s.%s", entry.schemaName(), entry.tableName());
            return found;
        }
    }

    /**
     * Ends the entry of the name before a RENAME that was completed, if the RENAME began with another name. In a copy
     * of a warehouse that was made meanwhile, several names of a table can be pending. Failures are only logged.
     */
    private void endEarlier(Found completed)
    {
        TableName earlier = completed.version().name().orElseThrow();
        boolean replaced = completed.entry().renamedFrom()
                .filter(old -> old.schemaName().equals(earlier.schemaName()) && old.tableName().equals(earlier.tableName()))
                .isPresent();
        if (replaced || completed.entry().isRegistration()) {
            return;
        }
        try {
            isTaken(earlier.schemaName(), earlier.tableName());
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Cannot end the name %s.%s", earlier.schemaName(), earlier.tableName());
        }
    }

    /**
     * Ends a stale entry. Failures are only logged.
     */
    void endQuietly(TableEntry stale)
    {
        names.endQuietly(stale.schemaName(), stale.tableName(), stale.number());
    }

    /**
     * Ends the entry that {@code entry} has replaced. Call this only after a version with the new name was committed.
     * Failures are only logged.
     */
    void endReplaced(TableEntry entry)
    {
        if (entry.isRegistration()) {
            return;
        }
        entry.renamedFrom().ifPresent(old -> names.endQuietly(old.schemaName(), old.tableName(), old.number()));
    }
}
