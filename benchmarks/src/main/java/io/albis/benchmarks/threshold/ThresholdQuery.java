package io.albis.benchmarks.threshold;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A query for a part of the rows.
 *
 * @param series predicate and columns of the query, which it has in common with those for other parts
 * @param share part of the rows that match its predicate, counted
 */
public record ThresholdQuery(String name, String series, String sql, double share)
{
    public ThresholdQuery
    {
        requireNonNull(name, "name is null");
        requireNonNull(series, "series is null");
        requireNonNull(sql, "sql is null");
        checkArgument(share >= 0 && share <= 1, "not a share: %s", share);
    }
}
