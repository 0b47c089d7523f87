package io.albis.table.put;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How long a commit tries.
 *
 * @param contentionLimit for how long it tries again after others were first
 * @param minBackoff bound of the random wait before the second attempt; each wait after it may be twice as long
 * @param maxBackoff bound of every wait
 * @param putAttempts how often a file is put while the storage fails
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
     * Waits for a random time, so that writers that met once do not meet again.
     *
     * @param attempt how many there were, at least one
     */
    public void backOff(int attempt)
            throws InterruptedException
    {
        double factor = Math.pow(2, Math.min(attempt - 1, 30));
        long bound = (long) Math.min(minBackoff.toMillis() * factor, maxBackoff.toMillis());
        Thread.sleep(ThreadLocalRandom.current().nextLong(bound + 1));
    }
}
