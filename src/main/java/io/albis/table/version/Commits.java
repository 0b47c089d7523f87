package io.albis.table.version;

import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.name.TableNames;
import io.albis.table.put.CommitPolicy;
import io.albis.table.put.StorageCalls.StorageCall;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.IO;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * Makes the next version of a table. Whoever creates the file of that number has committed; the others look at what came
 * in between and try again. So somebody always gets on, nobody waits for a lock, and nobody can hold one up by dying.
 */
public final class Commits
{
    private final TableNames names;
    private final CommitPolicy policy;
    private final CommitObserver observer;

    public Commits(TableNames names, CommitPolicy policy, CommitObserver observer)
    {
        this.names = requireNonNull(names, "names is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.observer = requireNonNull(observer, "observer is null");
    }

    public interface Step
    {
        /**
         * Makes the change to {@code next}, which is the newest version with the next number. May be called many times,
         * each time with what others committed in between.
         *
         * @return empty if there is nothing to change
         * @throws TableException if the change cannot be made any more
         */
        Optional<TableVersion> apply(TableVersion next)
                throws IOException;
    }

    /**
     * @param knownVersion one that is known to be there
     * @return the version that was committed, or the newest one if there was nothing to change
     * @throws IOException if nothing was committed
     * @throws TableException OUTCOME_UNKNOWN, CONFLICT if others were always first, TABLE_NOT_FOUND if it was dropped,
     *         or what {@code step} throws
     */
    public TableVersion commit(Versions versions, long knownVersion, Step step)
            throws IOException
    {
        return reportFailure(() -> makeVersion(versions, knownVersion, step));
    }

    /**
     * Commits what is not a next version, but the first one.
     */
    public <T> T commitFirst(StorageCall<T> commit)
            throws IOException
    {
        long start = System.nanoTime();
        T result = reportFailure(commit);
        observer.committed(Duration.ofNanos(System.nanoTime() - start));
        return result;
    }

    private <T> T reportFailure(StorageCall<T> commit)
            throws IOException
    {
        try {
            return commit.call();
        }
        catch (TableException e) {
            observer.failed(e.reason());
            throw e;
        }
        catch (IOException e) {
            observer.failed(IO);
            throw e;
        }
    }

    private TableVersion makeVersion(Versions versions, long knownVersion, Step step)
            throws IOException
    {
        UUID commitId = UUID.randomUUID();
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            TableVersion newest = versions.newest(knownVersion);
            if (newest.name().isEmpty()) {
                throw new TableException(TABLE_NOT_FOUND, "The table was dropped meanwhile");
            }
            Optional<TableVersion> next = step.apply(newest.next(commitId, Instant.now().truncatedTo(ChronoUnit.MILLIS)));
            if (next.isEmpty()) {
                return newest;
            }
            if (next.get().name().isPresent()) {
                names.makeDurable(next.get().name().get());
            }
            if (versions.create(next.get())) {
                observer.committed(Duration.ofNanos(System.nanoTime() - start));
                return next.get();
            }
            observer.lostRace();
            knownVersion = next.get().version();
            if (System.nanoTime() - start > policy.contentionLimit().toNanos()) {
                throw new TableException(CONFLICT, "Others changed the table %s times while this commit tried to, for %s seconds", attempt, policy.contentionLimit().toSeconds());
            }
            backOff(attempt);
        }
    }

    private void backOff(int attempt)
    {
        try {
            policy.backOff(attempt);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TableException(IO, "Interrupted before the table was changed", e);
        }
    }
}
