package io.albis.benchmarks.concurrent;

import io.airlift.units.Duration;
import io.trino.testing.QueryFailedException;

import java.util.List;
import java.util.function.LongFunction;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * A client that runs statements in turn until the time is over.
 *
 * @param repeating whether a statement that conflicts with others is repeated at once, and not after the pause
 * @param pause time between the end of a statement and the next one
 * @param deadline value of the nano clock after which the client begins no statement
 */
record MixedClient(RetriedStatement statement, List<Step> steps, boolean repeating, Duration pause, long deadline)
        implements Runnable
{
    public MixedClient
    {
        requireNonNull(statement, "statement is null");
        steps = List.copyOf(steps);
        requireNonNull(pause, "pause is null");
    }

    /**
     * A statement that the client repeats.
     *
     * @param sql creates the statement from a number that increases
     */
    record Step(LongFunction<String> sql, OperationResult result) {}

    @Override
    public void run()
    {
        for (long number = 0; remaining() > 0; number++) {
            for (Step step : steps) {
                run(step, number);
            }
            sleep();
        }
    }

    private void run(Step step, long number)
    {
        try {
            statement.run(step.sql().apply(number), step.result().latencies(), repeating ? deadline : System.nanoTime());
        }
        catch (QueryFailedException e) {
            step.result().fail(e, statement.server().isConflict(e));
        }
    }

    private long remaining()
    {
        return deadline - System.nanoTime();
    }

    private void sleep()
    {
        try {
            NANOSECONDS.sleep(max(0, min(remaining(), pause.roundTo(NANOSECONDS))));
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
