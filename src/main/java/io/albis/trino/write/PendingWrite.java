package io.albis.trino.write;

import com.google.common.collect.ImmutableSet;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.version.ReadSet;
import io.albis.trino.handle.WriteId;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.RetryMode;

import java.io.UncheckedIOException;
import java.util.Set;
import java.util.UUID;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.albis.trino.error.AlbisErrors.toTrinoException;
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
    // of row groups that are committed, or may be
    @GuardedBy("this")
    private Set<UUID> kept = ImmutableSet.of();
    // of the attempt that let nothing more be tried
    @GuardedBy("this")
    private TrinoException failure;

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
        COMMITTED,
        /**
         * It may be committed: its files stay.
         */
        UNKNOWN,
        ROLLED_BACK,
    }

    /**
     * Makes the rows visible. If it throws an {@link UncheckedIOException}, or a {@link TableException} of another reason than
     * OUTCOME_UNKNOWN, they are not and will not be, and it may be called again.
     */
    protected abstract void commit(TableRows rows, ReadSet readSet);

    protected void removeAll()
    {
        removeAllBut(ImmutableSet.of());
    }

    private void removeAllBut(Set<UUID> committed)
    {
        abandonedFiles.removeRowGroups(folder, id, committed);
    }

    public final synchronized void finish(TableRows rows, ReadSet readSet)
    {
        switch (state) {
            case OPEN -> commitOnce(rows, readSet);
            // with retry-policy QUERY the engine has written everything once more
            case COMMITTED -> {}
            case UNKNOWN -> throw failure;
            case ROLLED_BACK -> throw new TrinoException(GENERIC_INTERNAL_ERROR, "The write into %s was given up".formatted(tableName));
        }
        if (retryMode != NO_RETRIES) {
            // attempts that failed or were too slow; without retries there are none
            removeAllBut(kept);
        }
    }

    @GuardedBy("this")
    private void commitOnce(TableRows rows, ReadSet readSet)
    {
        // as long as nothing says otherwise
        state = State.UNKNOWN;
        failure = new TrinoException(ALBIS_COMMIT_ERROR, "It is not known whether what was written into %s is there".formatted(tableName));
        kept = rows.rowGroups().stream()
                .map(RowGroup::id)
                .collect(toImmutableSet());
        try {
            commit(rows, readSet);
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
            throw fail(new TrinoException(GENERIC_INTERNAL_ERROR, e));
        }
    }

    @GuardedBy("this")
    private TrinoException fail(TrinoException exception)
    {
        failure = exception;
        return exception;
    }

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
