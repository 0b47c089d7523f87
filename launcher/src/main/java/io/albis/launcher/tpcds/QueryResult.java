package io.albis.launcher.tpcds;

import java.time.Duration;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The outcome of a query.
 *
 * @param rows number of rows in the result, or number of rows that were read before the query failed
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
     * Returns whether the query failed because of a problem in the server or the plugin.
     */
    public boolean isUnexpected()
    {
        return failure.isPresent() && !failure.orElseThrow().expected();
    }
}
