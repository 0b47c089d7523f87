package io.albis.table.put;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Limits for the retries of a commit.
 *
 * @param contentionLimit how long a commit retries when other writers commit first
 * @param minBackoff upper bound of the random wait before the second attempt; the bound doubles with each further
 *         attempt
 * @param maxBackoff upper bound of every wait
 * @param putAttempts maximum number of attempts to put one file when the storage fails; positive
 */
public record CommitPolicy(Duration contentionLimit, Duration minBackoff, Duration maxBackoff, int putAttempts)
{
    public static final CommitPolicy DEFAULT = new CommitPolicy(Duration.ofMinutes(10), Duration.ofMillis(10), Duration.ofSeconds(1), 5);

    public CommitPolicy
    {
        requireNonNull(contentionLimit, "contentionLimit is null");
        requireNonNull(minBackoff, "minBackoff is null");
        requireNonNull(maxBackoff, "maxBackoff is null");
        checkArgument(putAttempts > 0, "putAttempts is not positive: %s", putAttempts);
    }

    /**
     * Waits for a random time, so that writers that collided once do not collide again.
     *
     * @param attempt number of attempts so far, at least 1
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    public void backOff(int attempt)
            throws InterruptedException
    {
        double factor = Math.pow(2, Math.min(attempt - 1, 30));
        long bound = (long) Math.min(minBackoff.toMillis() * factor, maxBackoff.toMillis());
        Thread.sleep(ThreadLocalRandom.current().nextLong(bound + 1));
    }
}
