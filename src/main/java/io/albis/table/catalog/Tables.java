package io.albis.table.catalog;

import io.airlift.log.Logger;
import io.albis.format.io.AlbisDataException;
import io.albis.table.json.JsonFiles;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.model.TableException;
import io.albis.table.model.TableName;
import io.albis.table.model.TableVersion;
import io.albis.table.model.UnreadableTableException;
import io.albis.table.name.EntryLog;
import io.albis.table.name.TableEntry;
import io.albis.table.name.TableNames;
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

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * Finds tables by name, and puts right what a crash has left of a RENAME or DROP.
 * <p>
 * The versions of a table are the truth about its name, an entry only leads to them. CREATE puts the first version, which
 * has the id of the entry, and then the entry. RENAME puts an entry of the new name, commits a version that says so, and
 * ends the entry of the old name. DROP commits a version without a name and ends the entry. A crash leaves one of these:
 * <ul>
 * <li>A pending entry: no version speaks of it yet, and its generation is greater than that of the newest version. The
 * table has two names. Whoever loads the new one completes the RENAME. Until then both lead to the same rows, old and new
 * ones. If the schema of the new one was dropped, the new one leads to nothing until the schema is created again.
 * <li>A stale entry: the table was dropped, or it has another name and no version will ever speak of this entry. The
 * name may be listed, leads to nothing, and is free. Whoever finds such an entry ends it at once.
 * </ul>
 * An entry that is stale once is stale for good, so an old version serves to find this out, and a client may stall for
 * any time before it ends the entry:
 * <ul>
 * <li>No commit follows a version without a name.
 * <li>From one version to the next, the generation never decreases. It increases whenever the id of the entry changes:
 * {@link #completeRename} commits only an entry of a greater generation, and to cancel a RENAME keeps the id and raises
 * the generation. So an entry that a version does not name, and whose generation is not greater than that of the
 * version, is not named by any later version.
 * <li>The entry itself never changes. What ends it is put at the number after its own, which no other entry has.
 * </ul>
 * A table whose folder belongs to another warehouse has its names there. Here its entry leads to it until the table is
 * dropped there, whatever the table is called there, and nothing of it is changed.
 */
public final class Tables
{
    private static final Logger log = Logger.get(Tables.class);

    private final TrinoFileSystem fileSystem;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final TableNames names;
    private final StoredFolders folders;
    private final WarehousePaths layout;
    private final Commits commits;
    private final ManifestOptions manifestOptions;

    public Tables(TrinoFileSystem fileSystem, WarehousePaths layout, JsonFiles json, ExclusiveFiles exclusiveFiles, TableNames names, StoredFolders folders, Commits commits, ManifestOptions manifestOptions)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.layout = requireNonNull(layout, "layout is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.names = requireNonNull(names, "names is null");
        this.folders = requireNonNull(folders, "folders is null");
        this.commits = requireNonNull(commits, "commits is null");
        this.manifestOptions = requireNonNull(manifestOptions, "manifestOptions is null");
    }

    /**
     * An entry, and what the newest version says of it.
     *
     * @param foreign whether the folder of the table belongs to another warehouse
     */
    record Found(TableEntry entry, boolean foreign, TableStorage storage, TableVersion version)
    {
        boolean isCurrent()
        {
            if (foreign) {
                return version.name().isPresent();
            }
            return version.name().isPresent() && version.name().get().entry().equals(entry.id());
        }

        /**
         * Of a RENAME that was begun and not completed.
         */
        boolean isPending()
        {
            return version.name().isPresent() && !isCurrent() && entry.generation() > version.name().get().generation();
        }

        boolean isStale()
        {
            return !isCurrent() && !isPending();
        }
    }

    /**
     * A table that may be written to.
     */
    public TableStorage open(Location folder, UUID uuid)
    {
        return open(folder, uuid, true);
    }

    private TableStorage open(Location folder, UUID uuid, boolean writable)
    {
        return new TableStorage(fileSystem, json, exclusiveFiles, folder, uuid, writable, manifestOptions);
    }

    Optional<Found> find(String schemaName, String tableName)
            throws IOException
    {
        long last = names.last(schemaName, tableName);
        return EntryLog.isLive(last) ? Optional.of(read(schemaName, tableName, last)) : Optional.empty();
    }

    private Found read(String schemaName, String tableName, long number)
            throws IOException
    {
        TableEntry entry = names.read(schemaName, tableName, number);
        Location folder = folders.toLocation(entry.folder(), layout.tableName(schemaName, tableName).appendPath(NumberedFiles.fileName(number)));
        boolean foreign = folders.isForeign(entry.folder(), folder);
        TableStorage storage = open(folder, entry.uuid(), !foreign);
        return new Found(entry, foreign, storage, storage.versions().newest(0));
    }

    /**
     * @throws UnreadableTableException if the name leads to a table that cannot be read
     */
    public Optional<AlbisTable> load(String schemaName, String tableName)
            throws IOException
    {
        long stale = 0;
        while (true) {
            long last = names.last(schemaName, tableName);
            // The same again: it could not be ended here
            if (!EntryLog.isLive(last) || last == stale) {
                return Optional.empty();
            }
            Optional<Found> completed = tryRead(schemaName, tableName, last);
            if (completed.isEmpty()) {
                return Optional.empty();
            }
            Found found = completed.get();
            if (!found.isStale()) {
                return Optional.of(found.storage().table(schemaName, tableName, found.version()));
            }
            if (found.foreign()) {
                return Optional.empty();
            }
            endQuietly(found.entry());
            stale = last;
        }
    }

    /**
     * @return empty for a RENAME that cannot be completed now
     */
    private Optional<Found> tryRead(String schemaName, String tableName, long number)
    {
        try {
            Found found = read(schemaName, tableName, number);
            if (!found.isPending()) {
                return Optional.of(found);
            }
            if (!schemaExists(schemaName)) {
                // Nobody would list the table there. It keeps its old name unless the schema comes back
                return Optional.empty();
            }
            return Optional.of(tryCompleteRename(found));
        }
        catch (IOException e) {
            throw new UnreadableTableException(number, e);
        }
        catch (TableException e) {
            throw e;
        }
        catch (RuntimeException e) {
            // Some file systems throw what their client library does
            throw new UnreadableTableException(number, new IOException(e.getMessage(), e));
        }
    }

    private boolean schemaExists(String schemaName)
            throws IOException
    {
        return EntryLog.isLive(new EntryLog(fileSystem, exclusiveFiles, layout.schemaEntries(schemaName)).last());
    }

    /**
     * Gives a name to a table, unless it is that of another one.
     *
     * @param entry without a number
     * @return the entry as it is there; empty if the name is that of another table
     * @throws IOException if the entry is not there and will not be
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
     * Whether a name is that of a table. If it is not, its log has no live entry at the end afterwards.
     */
    public boolean isTaken(String schemaName, String tableName)
            throws IOException
    {
        long last = names.last(schemaName, tableName);
        if (!EntryLog.isLive(last)) {
            return false;
        }
        if (isTaken(schemaName, tableName, last)) {
            return true;
        }
        end(schemaName, tableName, last);
        return false;
    }

    private boolean isTaken(String schemaName, String tableName, long number)
            throws IOException
    {
        try {
            return !read(schemaName, tableName, number).isStale();
        }
        catch (AlbisDataException e) {
            // Something is there, be it damaged
            return true;
        }
    }

    /**
     * Ends a stale entry, so that the name can be used.
     */
    private void end(String schemaName, String tableName, long number)
            throws IOException
    {
        try {
            names.end(schemaName, tableName, number);
        }
        catch (TableException e) {
            // The entry leads to nothing either way, so this is no outcome that anybody has to know
            if (e.reason() == OUTCOME_UNKNOWN) {
                throw new IOException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /**
     * Commits that the table has the name of {@code entry}, which was put before.
     *
     * @throws TableException CONFLICT, TABLE_NOT_FOUND if it never will have; OUTCOME_UNKNOWN
     */
    TableVersion completeRename(TableStorage storage, TableEntry entry, long knownVersion)
            throws IOException
    {
        return commits.commit(storage.versions(), knownVersion, next -> {
            TableName current = next.name().orElseThrow();
            if (current.entry().equals(entry.id())) {
                return Optional.empty();
            }
            if (current.generation() >= entry.generation()) {
                String oldName = entry.renamedFrom()
                        .map(name -> name.schemaName() + "." + name.tableName())
                        .orElse(entry.schemaName() + "." + entry.tableName());
                throw new TableException(CONFLICT, "Table '%s' was renamed by another transaction", oldName);
            }
            return Optional.of(next.withName(Optional.of(entry.name())));
        });
    }

    private Found tryCompleteRename(Found found)
            throws IOException
    {
        TableEntry entry = found.entry();
        try {
            TableVersion version = completeRename(found.storage(), entry, found.version().version());
            endReplaced(entry);
            return new Found(entry, false, found.storage(), version);
        }
        catch (TableException e) {
            if (e.reason() == CONFLICT || e.reason() == TABLE_NOT_FOUND) {
                return new Found(entry, false, found.storage(), found.storage().versions().newest(found.version().version()));
            }
            log.debug(e, "Could not complete the renaming to %s.%s", entry.schemaName(), entry.tableName());
            return found;
        }
        catch (AlbisDataException e) {
            throw e;
        }
        catch (IOException | RuntimeException e) {
            // Who may only read sees the table under both names
            log.debug(e, "Could not complete the renaming to %s.%s", entry.schemaName(), entry.tableName());
            return found;
        }
    }

    void endQuietly(TableEntry stale)
    {
        names.endQuietly(stale.schemaName(), stale.tableName(), stale.number());
    }

    /**
     * Ends the entry that {@code entry} has replaced, once a version says that it has.
     */
    void endReplaced(TableEntry entry)
    {
        entry.renamedFrom().ifPresent(old -> names.endQuietly(old.schemaName(), old.tableName(), old.number()));
    }
}
