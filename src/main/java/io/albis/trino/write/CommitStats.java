package io.albis.trino.write;

import io.airlift.stats.CounterStat;
import io.airlift.stats.TimeStat;
import io.albis.table.model.TableException.Reason;
import io.albis.table.version.CommitObserver;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import java.time.Duration;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Statistics about the commits of this coordinator.
 */
public class CommitStats
        implements CommitObserver
{
    private final TimeStat commits = new TimeStat(MILLISECONDS);
    private final CounterStat retries = new CounterStat();
    private final CounterStat conflicts = new CounterStat();
    private final CounterStat unknownOutcomes = new CounterStat();
    private final CounterStat failures = new CounterStat();

    @Override
    public void committed(Duration duration)
    {
        commits.add(duration.toNanos(), NANOSECONDS);
    }

    @Override
    public void lostRace()
    {
        retries.update(1);
    }

    @Override
    public void failed(Reason reason)
    {
        switch (reason) {
            case CONFLICT -> conflicts.update(1);
            case OUTCOME_UNKNOWN -> unknownOutcomes.update(1);
            case IO -> failures.update(1);
            // an operator has nothing to do about mistakes of users
            case SCHEMA_NOT_FOUND, TABLE_NOT_FOUND, VERSION_NOT_FOUND, ALREADY_EXISTS, SCHEMA_NOT_EMPTY, INVALID_NAME, INVALID_DEFINITION, LOCATION_NOT_ALLOWED, NOT_SUPPORTED -> {}
        }
    }

    /**
     * Returns the number of committed versions of tables, including the first version of each table, and the duration
     * of the commits.
     */
    @Managed
    @Nested
    public TimeStat getCommits()
    {
        return commits;
    }

    /**
     * Returns the number of commits that lost the race for a version to another writer and were retried on top of it.
     */
    @Managed
    @Nested
    public CounterStat getRetries()
    {
        return retries;
    }

    /**
     * Returns the number of commits that failed because another writer committed a conflicting change first.
     */
    @Managed
    @Nested
    public CounterStat getConflicts()
    {
        return conflicts;
    }

    /**
     * Returns the number of commits with an unknown outcome.
     */
    @Managed
    @Nested
    public CounterStat getUnknownOutcomes()
    {
        return unknownOutcomes;
    }

    /**
     * Returns the number of commits that failed because the storage failed, or because a file of the table is damaged.
     */
    @Managed
    @Nested
    public CounterStat getFailures()
    {
        return failures;
    }
}
