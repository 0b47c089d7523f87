package io.albis.trino;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.format.metadata.RowGroup;
import io.albis.table.ReadSet;
import io.albis.table.TableException;
import io.albis.table.TableRows;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.RetryMode;

import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.trino.AlbisErrors.toTrinoException;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static io.trino.spi.connector.RetryMode.NO_RETRIES;
import static java.util.Objects.requireNonNull;

/**
 * A CREATE TABLE AS or INSERT from its begin to its end. With retry-policy TASK the engine also retries the task that
 * finishes it: after that has failed, or after it has committed and nobody heard of it, or while it still runs.
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
    // of the attempt that let nothing more be tried
    @GuardedBy("this")
    private Optional<TrinoException> failure = Optional.empty();

    /**
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
        /**
         * Nothing is committed, and some of the files are gone.
         */
        FAILED,
        COMMITTED,
        /**
         * It may be committed: its files stay.
         */
        UNKNOWN,
        ROLLED_BACK,
    }

    /**
     * Makes the rows visible. If it throws an {@link UncheckedIOException}, or a {@link TableException} of another reason than
     * OUTCOME_UNKNOWN, they are not and never will be.
     */
    protected abstract void commit(TableRows rows, ReadSet readSet);

    /**
     * Whether the files that were written are still there after the commit has failed.
     */
    protected abstract boolean canCommitAgain();

    protected void removeAll()
    {
        removeAllBut(Set.of());
    }

    protected final void removeAllBut(Set<UUID> committed)
    {
        abandonedFiles.removeRowGroups(folder, id, committed);
    }

    public final synchronized void finish(TableRows rows, ReadSet readSet)
    {
        switch (state) {
            case OPEN -> {}
            case COMMITTED -> {
                return;
            }
            case FAILED, UNKNOWN -> throw failure.orElseThrow();
            case ROLLED_BACK -> throw new TrinoException(GENERIC_INTERNAL_ERROR, "The write into %s was given up".formatted(tableName));
        }
        commitOnce(rows, readSet);
        if (retryMode != NO_RETRIES) {
            // attempts that failed or were too slow; without retries there are none
            removeAllBut(rows.rowGroups().stream()
                    .map(RowGroup::id)
                    .collect(toImmutableSet()));
        }
    }

    @GuardedBy("this")
    private void commitOnce(TableRows rows, ReadSet readSet)
    {
        // as long as nothing says otherwise
        state = State.UNKNOWN;
        try {
            commit(rows, readSet);
            state = State.COMMITTED;
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                state = canCommitAgain() ? State.OPEN : State.FAILED;
            }
            throw fail(toTrinoException(e));
        }
        catch (UncheckedIOException e) {
            state = canCommitAgain() ? State.OPEN : State.FAILED;
            throw fail(toTrinoException(e));
        }
        catch (RuntimeException e) {
            throw fail(new TrinoException(GENERIC_INTERNAL_ERROR, e));
        }
    }

    @GuardedBy("this")
    private TrinoException fail(TrinoException exception)
    {
        failure = Optional.of(exception);
        return exception;
    }

    public final synchronized void rollback()
    {
        if (state == State.OPEN || state == State.FAILED) {
            state = State.ROLLED_BACK;
            removeAll();
        }
    }
}
