package io.albis.table;

import io.airlift.log.Logger;
import io.albis.format.AlbisDataException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.TableException.Reason.CONFLICT;
import static io.albis.table.TableException.Reason.TABLE_NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * Finds tables by name, and puts right what a crash has left of a RENAME or DROP.
 * <p>
 * The versions of a table are the truth about its name, a pointer only leads to them. RENAME creates the new pointer,
 * commits a version that says so and removes the old pointer; DROP commits a version without a name and removes the
 * pointer. A crash leaves one of these:
 * <ul>
 * <li>A pointer that no version speaks of yet, of the next generation. The table has two names. Whoever loads the new one
 * completes the RENAME; until then both lead to the same rows, old and new ones.
 * <li>A pointer that the versions speak of no longer. Its name leads to nothing, may be listed, and is free: whoever
 * creates a table of that name removes it, and so does whoever looks it up after a while.
 * </ul>
 */
final class Tables
{
    private static final Logger log = Logger.get(Tables.class);

    // For so long, whoever made a pointer stale may be about to remove it, and the next table of that name may come
    private static final Duration STALE_POINTER_GRACE = Duration.ofMinutes(1);

    private final TrinoFileSystem fileSystem;
    private final JsonFiles json;
    private final ExclusiveFiles exclusiveFiles;
    private final Pointers pointers;
    private final Commits commits;

    Tables(TrinoFileSystem fileSystem, JsonFiles json, ExclusiveFiles exclusiveFiles, Pointers pointers, Commits commits)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.json = requireNonNull(json, "json is null");
        this.exclusiveFiles = requireNonNull(exclusiveFiles, "exclusiveFiles is null");
        this.pointers = requireNonNull(pointers, "pointers is null");
        this.commits = requireNonNull(commits, "commits is null");
    }

    /**
     * A pointer, and what the newest version says of it.
     */
    record Found(Pointer pointer, TableStorage storage, TableVersion version)
    {
        boolean isCurrent()
        {
            return version.pointer().isPresent() && version.pointer().get().id().equals(pointer.reference().id());
        }

        /**
         * Of a RENAME that was begun and not completed.
         */
        boolean isPending()
        {
            return version.pointer().isPresent() && !isCurrent() && pointer.reference().generation() > version.pointer().get().generation();
        }

        boolean isStale()
        {
            return !isCurrent() && !isPending();
        }
    }

    TableStorage open(Location folder, UUID uuid)
    {
        return new TableStorage(fileSystem, json, exclusiveFiles, folder, uuid);
    }

    Optional<Found> find(String schemaName, String tableName)
            throws IOException
    {
        Optional<Pointer> pointer = pointers.read(schemaName, tableName);
        if (pointer.isEmpty()) {
            return Optional.empty();
        }
        TableStorage storage = open(pointers.folder(pointer.get()), pointer.get().uuid());
        return Optional.of(new Found(pointer.get(), storage, storage.versions().newest(0)));
    }

    Optional<AlbisTable> load(String schemaName, String tableName)
            throws IOException
    {
        Optional<Found> found = find(schemaName, tableName);
        if (found.isPresent() && found.get().isPending()) {
            found = Optional.of(tryCompleteRename(found.get()));
        }
        if (found.isPresent() && found.get().isStale()) {
            if (found.get().version().time().isBefore(Instant.now().minus(STALE_POINTER_GRACE))) {
                removeQuietly(found.get().pointer());
            }
            return Optional.empty();
        }
        return found.map(table -> table.storage().table(schemaName, tableName, table.version()));
    }

    /**
     * Gives a name to a table, unless it is that of another one.
     *
     * @return whether the name is the table's
     */
    boolean claim(Pointer pointer)
            throws IOException
    {
        while (!pointers.create(pointer)) {
            if (isTaken(pointer.schemaName(), pointer.tableName())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a name is that of a table; if not, it has no pointer afterwards.
     */
    boolean isTaken(String schemaName, String tableName)
            throws IOException
    {
        try {
            Optional<Found> found = find(schemaName, tableName);
            if (found.isPresent() && found.get().isStale()) {
                pointers.remove(found.get().pointer());
                return false;
            }
            return found.isPresent();
        }
        catch (AlbisDataException e) {
            // Something is there, be it damaged
            return true;
        }
    }

    /**
     * Commits that the table has the name of {@code pointer}, which was created before.
     *
     * @throws TableException CONFLICT, TABLE_NOT_FOUND if it never will have; OUTCOME_UNKNOWN
     */
    TableVersion completeRename(TableStorage storage, Pointer pointer, long knownVersion)
            throws IOException
    {
        PointerReference reference = pointer.reference();
        return commits.commit(storage.versions(), knownVersion, next -> {
            PointerReference current = next.pointer().orElseThrow();
            if (current.id().equals(reference.id())) {
                return Optional.empty();
            }
            if (current.generation() >= reference.generation()) {
                String oldName = pointer.renamedFrom()
                        .map(name -> name.schemaName() + "." + name.tableName())
                        .orElse(pointer.schemaName() + "." + pointer.tableName());
                throw new TableException(CONFLICT, "Table '%s' was renamed by another transaction", oldName);
            }
            return Optional.of(next.withPointer(Optional.of(reference)));
        });
    }

    private Found tryCompleteRename(Found found)
            throws IOException
    {
        Pointer pointer = found.pointer();
        try {
            TableVersion version = completeRename(found.storage(), pointer, found.version().version());
            if (pointer.renamedFrom().isPresent()) {
                Pointer.OldName oldName = pointer.renamedFrom().get();
                Optional<Pointer> old = pointers.read(oldName.schemaName(), oldName.tableName());
                if (old.isPresent() && old.get().uuid().equals(pointer.uuid()) && old.get().reference().generation() < pointer.reference().generation()) {
                    removeQuietly(old.get());
                }
            }
            return new Found(pointer, found.storage(), version);
        }
        catch (TableException e) {
            if (e.reason() == CONFLICT || e.reason() == TABLE_NOT_FOUND) {
                return new Found(pointer, found.storage(), found.storage().versions().newest(found.version().version()));
            }
            log.debug(e, "Could not complete the renaming to %s.%s", pointer.schemaName(), pointer.tableName());
            return found;
        }
        catch (AlbisDataException e) {
            throw e;
        }
        catch (IOException e) {
            // Who may only read sees the table under both names
            log.debug(e, "Could not complete the renaming to %s.%s", pointer.schemaName(), pointer.tableName());
            return found;
        }
    }

    /**
     * Removes a pointer that no version speaks of any more: to leave it does no harm.
     */
    void removeUnread(String schemaName, String tableName)
            throws IOException
    {
        pointers.removeUnread(schemaName, tableName);
    }

    void removeQuietly(Pointer pointer)
    {
        try {
            pointers.remove(pointer);
        }
        catch (IOException | RuntimeException e) {
            log.debug(e, "Could not remove the pointer of %s.%s", pointer.schemaName(), pointer.tableName());
        }
    }
}
