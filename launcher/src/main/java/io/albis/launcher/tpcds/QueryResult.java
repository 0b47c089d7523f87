package io.albis.launcher.tpcds;

import java.time.Duration;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * How a query went.
 *
 * @param rows of the result, or read until it failed
 */
public record QueryResult(int number, long rows, Duration elapsed, Optional<QueryFailure> failure)
{
    public QueryResult
    {
        requireNonNull(elapsed, "elapsed is null");
        requireNonNull(failure, "failure is null");
    }

    public boolean isAnswered()
    {
        return failure.isEmpty();
    }

    /**
     * Failed in a way that says something about the server or the plugin.
     */
    public boolean isUnexpected()
    {
        return failure.isPresent() && !failure.orElseThrow().expected();
    }
}
