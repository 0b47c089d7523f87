package io.albis.launcher.sizing;

import java.time.Duration;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The time and the resources that a number of clients needed together to run each query once for each client.
 *
 * @param latencies time of each query that was answered
 * @param failed number of queries that failed although they should not
 * @param used what the nodes counted meanwhile, with the largest heap that was seen
 * @param largestMemory memory of the query that needed most
 */
public record Measurement(int clients, List<Duration> latencies, int failed, Duration elapsed, Metrics used, long largestMemory)
{
    public Measurement
    {
        latencies = latencies.stream().sorted().collect(toImmutableList());
        requireNonNull(elapsed, "elapsed is null");
        requireNonNull(used, "used is null");
    }

    int answered()
    {
        return latencies.size();
    }

    /**
     * Returns the least time that a part of all queries do not exceed.
     */
    Duration percentile(int percent)
    {
        checkArgument(!latencies.isEmpty(), "no query was answered");
        return latencies.get(Math.max(1, Math.ceilDiv(latencies.size() * percent, 100)) - 1);
    }

    double cores()
    {
        return (double) used.processNanos() / elapsed.toNanos();
    }

    double perQuery(long total)
    {
        return (double) total / Math.max(1, answered());
    }
}
