package io.albis.benchmarks.tpch;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A query with a predicate on the largest table.
 *
 * @param name name of the task
 * @param passed number of rows that the predicate leaves
 * @param rows number of rows in the table
 */
public record SelectiveQuery(String name, String predicate, long passed, long rows)
{
    public SelectiveQuery
    {
        requireNonNull(name, "name is null");
        requireNonNull(predicate, "predicate is null");
        checkArgument(passed >= 0 && passed <= rows && rows > 0, "%s of %s rows", passed, rows);
    }

    public double percent()
    {
        return 100.0 * passed / rows;
    }
}
