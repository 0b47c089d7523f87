package io.albis.table.row;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.table.manifest.ManifestStorage;
import io.albis.table.manifest.ManifestUpdate;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.TableException;
import io.albis.table.model.TableOperation;
import io.albis.table.model.TableVersion;
import io.albis.table.version.Commits;
import io.albis.table.version.TableStorage;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.Sets.union;
import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.APPEND;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.albis.table.model.TableOperation.TRUNCATE;
import static java.util.Objects.requireNonNull;

/**
 * Commits the rows that a statement adds, deletes, and changes in place. It writes manifests, and reuses them when the
 * commit is retried.
 */
public final class ChangeRows
        implements Commits.Step
{
    private static final Set<TableOperation> ADDING = ImmutableSet.of(APPEND, OVERWRITE, OPTIMIZE);
    private static final Set<TableOperation> REMOVING = ImmutableSet.of(DELETE, OVERWRITE, OPTIMIZE, TRUNCATE);

    private final TableStorage storage;
    private final ManifestStorage manifests;
    private final TableVersion base;
    private final RowChange change;
    private final ReadSet readSet;

    // kept for all attempts, because it reads versions
    private final CopiedColumns copied;
    private final SerialOrder order;

    private Optional<Written> written = Optional.empty();

    /**
     * @param base version from which the statement started
     */
    public ChangeRows(TableStorage storage, TableVersion base, RowChange change, ReadSet readSet)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.manifests = storage.manifests();
        this.base = requireNonNull(base, "base is null");
        this.change = requireNonNull(change, "change is null");
        this.readSet = requireNonNull(readSet, "readSet is null");
        this.copied = new CopiedColumns(storage, base);
        this.order = new SerialOrder(storage, base, change, readSet, copied);
    }

    /**
     * The files that an attempt has written.
     *
     * @param since number of the version that was the newest one before the files existed
     * @param deletes file with bitmaps that were combined with those of others
     */
    private record Written(long since, ManifestUpdate manifests, DeletesMerge deletes, ChangedEntries entries)
    {
        boolean isValidFor(TableVersion next)
        {
            return entries.allFound() && manifests.isValidFor(next) && next.mayAdd(since, this::ids);
        }

        private Set<UUID> ids()
        {
            return ImmutableSet.<UUID>builder()
                    .addAll(manifests.ids())
                    .add(deletes.file())
                    .build();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws TableException CONFLICT if others have changed what the statement has read, the rows that it deletes, or
     *         the columns
     */
    @Override
    public Optional<TableVersion> apply(TableVersion next)
            throws IOException
    {
        copied.setNext(next);
        checkColumns(next);
        checkBase(next);
        Commits.checkFiles(next, base.version(), change::fileIds);
        checkRead(next);
        // The files of a lost attempt remain valid, unless another commit has changed the same entries
        if (written.isPresent() && !written.get().isValidFor(next)) {
            abort();
        }
        if (written.isEmpty()) {
            written = Optional.of(write(next));
        }
        ChangedEntries entries = written.get().entries();
        if (entries.contested()) {
            checkContested(next, entries);
        }
        if (change.added().isEmpty() && entries.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(next.withManifests(written.get().manifests().apply(next))
                .withOperation(change.operation(), summary(entries)));
    }

    private Written write(TableVersion next)
            throws IOException
    {
        DeletesMerge deletes = new DeletesMerge(storage.fileSystem(), storage.folder());
        try {
            ChangedEntries entries = ChangedEntries.find(manifests, deletes, base, next, change, readSet, copied);
            deletes.finish();
            return new Written(next.version() - 1, ManifestUpdate.write(manifests, next, entries.manifests(change.rewritten().sketches()), change.added()), deletes, entries);
        }
        catch (IOException | RuntimeException e) {
            deletes.abort();
            throw e;
        }
    }

    private Map<String, String> summary(ChangedEntries entries)
    {
        ImmutableMap.Builder<String, String> summary = ImmutableMap.builder();
        summary.putAll(change.summary());
        summary.putAll(SerialOrder.summary(change, readSet));
        if (change.affectedRowGroups().isEmpty() || !change.added().isEmpty()) {
            summary.putAll(change.added().summary());
        }
        if (!change.affectedRowGroups().isEmpty()) {
            summary.putAll(entries.summary(change.added().bytes()));
        }
        return summary.buildKeepingLast();
    }

    /**
     * Returns how many rows the last attempt has removed. These are the rows that were there when it committed.
     */
    public long deletedRows()
    {
        return written.map(files -> files.entries().deletedRows()).orElse(0L);
    }

    @Override
    public void abort()
    {
        written.ifPresent(files -> {
            files.manifests().abort();
            files.deletes().abort();
        });
        written = Optional.empty();
    }

    private void checkColumns(TableVersion next)
    {
        if (next.schemaId() != base.schemaId()) {
            throw new TableException(CONFLICT, "Another transaction changed the columns of the table, replaced it, or rolled it back after this statement began, in versions %s to %s. Retry the statement", base.version() + 1, next.version() - 1);
        }
    }

    /**
     * Checks that the version from which the statement started still has its files, if they decide about conflicts.
     */
    private void checkBase(TableVersion next)
    {
        boolean needed = !readSet.isBlind() || !change.affectedRowGroups().isEmpty();
        if (needed && next.isExpired(base.version())) {
            throw new TableException(CONFLICT, "Version %s of the table, which this statement has read, has expired before the statement was complete. Retry the statement", base.version());
        }
    }

    private void checkRead(TableVersion next)
            throws IOException
    {
        if (readSet.isBlind() || IsolationLevel.of(next.properties()) != SERIALIZABLE) {
            return;
        }
        ConcurrentChanges changes = ConcurrentChanges.find(manifests, base, next, readSet, copied);
        if (changes.added()) {
            throw conflict(next, ADDING);
        }
        if (changes.updated()) {
            throw conflict(next, ImmutableSet.of(OVERWRITE));
        }
        if (changes.removed() && !readSet.commutesWithDeletes()) {
            throw conflict(next, REMOVING);
        }
    }

    /**
     * Another write has removed rows that this one deletes or updates too. It may have moved them to row groups that it
     * added, for example in an UPDATE, and this write would not change them there. With snapshot isolation, this
     * matters also if this write would not select them there, because only one of two statements that run at the same
     * time changes a row.
     */
    private void checkContested(TableVersion next, ChangedEntries entries)
            throws IOException
    {
        if (ConcurrentChanges.find(manifests, base, next, readSet, copied).added()) {
            throw conflict(next, ADDING);
        }
        if (IsolationLevel.of(next.properties()) == SERIALIZABLE) {
            checkCount(next, entries);
        }
        else if (new MovedRows(storage, base, union(entries.deletedByOthers(), entries.updatedBesideDeletes())).mayExist(next)) {
            throw conflict(next, ImmutableSet.of(OVERWRITE));
        }
    }

    /**
     * Checks that a serial order explains the number of rows that the statement reports, which includes those that
     * others have deleted meanwhile.
     */
    private void checkCount(TableVersion next, ChangedEntries entries)
            throws IOException
    {
        if (!entries.deletedByOthers().isEmpty() && !order.isBeforeTruncation(next)) {
            throw new TableException(CONFLICT, "Another transaction has deleted rows that this statement deletes (%s of the rows, in %s), in versions %s to %s. Retry the statement", entries.rowsDeletedByOthers(), describe(entries.deletedByOthers()), base.version() + 1, next.version() - 1);
        }
        if (!entries.updatedBesideDeletes().isEmpty() && !order.isBeforeDeletes(next)) {
            throw new TableException(CONFLICT, "Another transaction has deleted rows that this statement may have updated (in %s), and may have read the columns that it updates, in versions %s to %s. Retry the statement", describe(entries.updatedBesideDeletes()), base.version() + 1, next.version() - 1);
        }
    }

    private static String describe(Set<UUID> rowGroups)
    {
        UUID first = rowGroups.iterator().next();
        return rowGroups.size() == 1 ? "the row group " + first : "%s row groups, such as %s".formatted(rowGroups.size(), first);
    }

    private TableException conflict(TableVersion next, Set<TableOperation> possible)
            throws IOException
    {
        String what = ConcurrentOperations.describe(storage.versions(), base, next, possible);
        return new TableException(CONFLICT, "Another transaction %s the part of the table that this statement has read, in versions %s to %s. Retry the statement", what, base.version() + 1, next.version() - 1);
    }
}
