package io.albis.trino.write;

import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.table.model.TableException;
import io.albis.table.row.ReadSet;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.WriteId;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.RetryMode;

import java.io.UncheckedIOException;
import java.util.Set;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static java.util.Objects.requireNonNull;

/**
 * A statement that writes rows, from its begin to its end. With retry-policy TASK, the engine also retries the task
 * that finishes the write. It does so after the task has failed, after it has committed but its result was lost, or
 * while it still runs. So a write can be finished several times, and commits at most once.
 */
abstract class PendingWrite
{
    private final AbandonedFiles abandonedFiles;
    private final String tableName;
    private final Location folder;
    private final WriteId id;
    private final RetryMode retryMode;

    @GuardedBy("this")
    private State state = State.OPEN;
    // ids of the row groups and deletes files that are or may be committed
    @GuardedBy("this")
    private Set<UUID> kept = ImmutableSet.of();
    // of the commit with the unknown outcome, after which no other attempt is made
    @GuardedBy("this")
    private TrinoException failure;

    /**
     * Creates a write that has not been committed.
     *
     * @param folder of the table
     */
    protected PendingWrite(AbandonedFiles abandonedFiles, String tableName, Location folder, WriteId id, RetryMode retryMode)
    {
        this.abandonedFiles = requireNonNull(abandonedFiles, "abandonedFiles is null");
        this.tableName = requireNonNull(tableName, "tableName is null");
        this.folder = requireNonNull(folder, "folder is null");
        this.id = requireNonNull(id, "id is null");
        this.retryMode = requireNonNull(retryMode, "retryMode is null");
    }

    private enum State
    {
        /**
         * Nothing is committed.
         */
        OPEN,
        COMMITTED,
        /**
         * The outcome of the commit is unknown, so the files remain.
         */
        UNKNOWN,
        ROLLED_BACK,
    }

    /**
     * Checks the changes before anything is committed.
     *
     * @throws RuntimeException if the changes must not be committed; the write can still be rolled back
     */
    protected void check(WrittenChanges changes) {}

    /**
     * Completes what the statement has read, before anything is committed.
     *
     * @throws RuntimeException like {@link #check}
     */
    protected ReadSet complete(ReadSet readSet)
    {
        return readSet;
    }

    /**
     * Makes the changes visible. If it throws an {@link UncheckedIOException}, or a {@link TableException} with a
     * reason other than OUTCOME_UNKNOWN, the changes are not visible and will not become visible, and it may be called
     * again.
     */
    protected abstract void commit(WrittenChanges changes, ReadSet readSet);

    /**
     * Removes all files of the write, of which nothing is committed.
     */
    protected void removeAll()
    {
        removeAllBut(ImmutableSet.of());
    }

    /**
     * Removes the files of the write, except those that are committed.
     */
    protected void removeAllBut(Set<UUID> committed)
    {
        abandonedFiles.removeRowGroups(folder, id, committed);
    }

    /**
     * Commits the changes if the write is not committed yet. With retries, it then removes the files of other
     * attempts.
     *
     * @throws TrinoException if the commit fails, or an earlier one had an unknown outcome
     */
    public final synchronized void finish(WrittenChanges changes, ReadSet readSet)
    {
        switch (state) {
            case OPEN -> commitOnce(changes, readSet);
            // a retry of a write that is committed; with retry-policy QUERY, the engine has written all rows again
            case COMMITTED -> {}
            case UNKNOWN -> throw failure;
            case ROLLED_BACK -> throw new TrinoException(GENERIC_INTERNAL_ERROR, "The write into %s was rolled back".formatted(tableName));
        }
        if (retryMode != NO_RETRIES) {
            // files of attempts that failed or were too slow; without retries there are none
            removeAllBut(kept);
        }
    }

    @GuardedBy("this")
    private void commitOnce(WrittenChanges changes, ReadSet readSet)
    {
        check(changes);
        ReadSet completeReadSet = complete(readSet);
        // the state if the commit is interrupted by an unexpected error
        state = State.UNKNOWN;
        failure = new TrinoException(ALBIS_COMMIT_ERROR, "It is not known whether the changes of %s are committed".formatted(tableName));
        // An earlier attempt to create the table may have put a version, which is the newest one if this attempt fails
        kept = ImmutableSet.<UUID>builder().addAll(kept).addAll(changes.fileIds()).build();
        try {
            commit(changes, completeReadSet);
            kept = changes.fileIds();
            state = State.COMMITTED;
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                state = State.OPEN;
            }
            throw fail(toTrinoException(e));
        }
        catch (UncheckedIOException e) {
            state = State.OPEN;
            throw fail(toTrinoException(e));
        }
        catch (RuntimeException e) {
            throw fail(new TrinoException(ALBIS_COMMIT_ERROR, failure.getMessage(), e));
        }
    }

    @GuardedBy("this")
    private TrinoException fail(TrinoException exception)
    {
        failure = exception;
        return exception;
    }

    /**
     * Removes the files of the write, except those that are or may be committed.
     */
    public final synchronized void rollback()
    {
        switch (state) {
            case OPEN -> {
                state = State.ROLLED_BACK;
                removeAll();
            }
            case UNKNOWN -> removeAllBut(kept);
            case COMMITTED, ROLLED_BACK -> {}
        }
    }
}
