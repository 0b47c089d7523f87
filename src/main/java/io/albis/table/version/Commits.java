package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.io.AlbisDataException;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;
import io.albis.table.name.TableNameStorage;
import io.albis.table.put.CommitPolicy;
import io.albis.table.put.StorageCalls.StorageCall;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import static io.albis.table.model.SchemaFeatures.COLUMN_DEFAULTS;
import static io.albis.table.model.SchemaFeatures.PARTITIONS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.IO;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static io.albis.table.model.TableVersion.CONDEMNED_WRITES;
import static io.albis.table.model.TableVersion.UNREGISTERED;
import static java.util.Objects.requireNonNull;

/**
 * Commits the next version of a table. The writer that creates the file of the next number has committed. A writer that
 * loses the race reapplies its change to the new version and retries. There are no locks, so some writer always makes
 * progress, and a writer that dies does not block others.
 */
public final class Commits
{
    private static final Set<String> KNOWN_WRITER_FEATURES = ImmutableSet.of(CONDEMNED_WRITES, UNREGISTERED, COLUMN_DEFAULTS, PARTITIONS);

    private final TableNameStorage names;
    private final CommitPolicy policy;
    private final CommitObserver observer;
    private final Map<String, String> summary;

    /**
     * Creates an object that commits versions of tables.
     *
     * @param summary information that is added to the summary of each version
     */
    public Commits(TableNameStorage names, CommitPolicy policy, CommitObserver observer, Map<String, String> summary)
    {
        this.names = requireNonNull(names, "names is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.observer = requireNonNull(observer, "observer is null");
        this.summary = ImmutableMap.copyOf(summary);
    }

    /**
     * The change that a commit makes to a table.
     */
    public interface Step
    {
        /**
         * Applies the change to a version. This is called once for each attempt, each time with the newest version.
         *
         * @param next copy of the newest version with the next number
         * @return the version to commit; empty if there is nothing to change
         * @throws TableException if the change can no longer be made
         */
        Optional<TableVersion> apply(TableVersion next)
                throws IOException;

        /**
         * Deletes the files that the attempts have written. It is called if the commit certainly did not take place.
         */
        default void abort() {}
    }

    /**
     * Commits a change to an existing table, and retries while other writers commit first.
     *
     * @param knownVersion number of a version that is known to exist
     * @return the version that was committed, or the newest version if there was nothing to change
     * @throws IOException if the storage failed and nothing was committed
     * @throws TableException OUTCOME_UNKNOWN; CONFLICT if other writers committed first in all attempts, or if the
     *         table was unregistered; TABLE_NOT_FOUND if it was dropped; or any exception of {@code step}
     */
    public TableVersion commit(Versions versions, long knownVersion, Step step)
            throws IOException
    {
        try {
            return commitName(versions, knownVersion, next -> {
                if (next.isUnregistered()) {
                    throw new TableException(CONFLICT, "The table was unregistered by another transaction");
                }
                return step.apply(next);
            });
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                step.abort();
            }
            throw e;
        }
        catch (IOException e) {
            step.abort();
            throw e;
        }
    }

    /**
     * Commits a name, like {@link #commit}, even if the table is unregistered.
     */
    public TableVersion commitName(Versions versions, long knownVersion, Step step)
            throws IOException
    {
        return reportFailure(() -> makeVersion(versions, knownVersion, step));
    }

    /**
     * Returns the information that is added to the summary of each version.
     */
    public Map<String, String> summary()
    {
        return summary;
    }

    /**
     * Runs a call that commits the first version of a table, and reports its result to the observer.
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
                throw new TableException(TABLE_NOT_FOUND, "The table was dropped by another transaction");
            }
            checkWriterFeatures(newest);
            Optional<Optional<TableVersion>> next = tryApply(versions, newest, step, newest.next(commitId, now()).withSummary(summary));
            if (next.isPresent()) {
                if (next.get().isEmpty()) {
                    return newest;
                }
                TableVersion version = next.get().get();
                // No entry refers to a table that is unregistered, and its name may never have had one
                if (version.name().isPresent() && !version.isUnregistered()) {
                    names.makeDurable(version.name().get());
                }
                // Queries of a time between the beginning and the end of a long commit do not find its version later
                version = version.withTime(now());
                if (versions.create(version)) {
                    observer.committed(Duration.ofNanos(System.nanoTime() - start));
                    return version;
                }
            }
            observer.lostRace();
            knownVersion = newest.version() + 1;
            // The first attempt may take long because it verifies rows or reads many manifests, and the next does not
            if (attempt > 1 && System.nanoTime() - start > policy.contentionLimit().toNanos()) {
                throw new TableException(CONFLICT, "Other writers committed first in all %s attempts to change the table within %s seconds. Retry the statement", attempt, policy.contentionLimit().toSeconds());
            }
            backOff(attempt);
        }
    }

    /**
     * @return empty if a file may be missing because versions have expired in the meantime
     */
    private static Optional<Optional<TableVersion>> tryApply(Versions versions, TableVersion newest, Step step, TableVersion next)
            throws IOException
    {
        try {
            return Optional.of(step.apply(next));
        }
        catch (AlbisDataException e) {
            if (!versions.newest(newest.version()).expired().equals(newest.expired())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Checks that this version of Albis can create the next version without losing what a newer one depends on.
     *
     * @throws TableException NOT_SUPPORTED if it cannot
     */
    public static void checkWriterFeatures(TableVersion version)
    {
        for (String feature : version.writerFeatures()) {
            if (!KNOWN_WRITER_FEATURES.contains(feature)) {
                throw new TableException(NOT_SUPPORTED, "Changing the table requires the feature '%s', which this version of Albis does not support. Upgrade the Albis plugin", feature);
            }
        }
    }

    /**
     * Checks that no other statement has condemned the files of this one. It may have deleted them.
     *
     * @param since a version that existed before the files did
     * @param ids ids of the files
     * @throws TableException CONFLICT if it has
     */
    public static void checkFiles(TableVersion next, long since, Supplier<Set<UUID>> ids)
    {
        if (!next.mayAdd(since, ids)) {
            throw new TableException(CONFLICT, "This statement ran for so long that remove_orphan_files has removed files that it has written. Retry the statement, or use a longer retention");
        }
    }

    /**
     * Returns whether {@link #checkWriterFeatures} accepts a version.
     */
    public static boolean knowsWriterFeatures(TableVersion version)
    {
        return KNOWN_WRITER_FEATURES.containsAll(version.writerFeatures());
    }

    private static Instant now()
    {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private void backOff(int attempt)
    {
        try {
            policy.backOff(attempt);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TableException(IO, "The statement was interrupted before the table was changed", e);
        }
    }
}
