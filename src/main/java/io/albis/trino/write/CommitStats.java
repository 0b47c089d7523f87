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
 * What became of the commits of this coordinator.
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
            default -> failures.update(1);
        }
    }

    /**
     * Versions of tables that were made, the first of each table among them, and how long it took.
     */
    @Managed
    @Nested
    public TimeStat getCommits()
    {
        return commits;
    }

    /**
     * How often another writer was first with a version, and the commit went on from there.
     */
    @Managed
    @Nested
    public CounterStat getRetries()
    {
        return retries;
    }

    /**
     * Commits that were given up because of what others committed.
     */
    @Managed
    @Nested
    public CounterStat getConflicts()
    {
        return conflicts;
    }

    /**
     * Commits of which it could not be found out whether they happened.
     */
    @Managed
    @Nested
    public CounterStat getUnknownOutcomes()
    {
        return unknownOutcomes;
    }

    /**
     * Commits that did not happen for another reason, such as a table that was dropped or storage that fails.
     */
    @Managed
    @Nested
    public CounterStat getFailures()
    {
        return failures;
    }
}
