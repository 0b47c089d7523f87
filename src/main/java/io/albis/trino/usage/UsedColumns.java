package io.albis.trino.usage;

import com.google.common.collect.ImmutableSortedSet;

import java.time.Instant;
import java.util.SortedSet;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Columns that queries have read together.
 *
 * @param columns ids of the columns, at least one
 * @param filtered ids of those by which the queries have filtered rows
 * @param queries number of the queries
 * @param lastUsed when the last of them has begun to read
 */
public record UsedColumns(SortedSet<Integer> columns, SortedSet<Integer> filtered, long queries, Instant lastUsed)
{
    public UsedColumns
    {
        columns = ImmutableSortedSet.copyOf(columns);
        filtered = ImmutableSortedSet.copyOf(filtered);
        checkArgument(!columns.isEmpty(), "columns is empty");
        checkArgument(columns.containsAll(filtered), "columns %s do not contain filtered columns %s", columns, filtered);
        checkArgument(queries > 0, "queries is not positive: %s", queries);
        requireNonNull(lastUsed, "lastUsed is null");
    }

    /**
     * Returns the usage by these queries and those of another usage of the same columns.
     */
    UsedColumns plus(UsedColumns other)
    {
        checkArgument(columns.equals(other.columns) && filtered.equals(other.filtered), "usages are not of the same columns");
        return new UsedColumns(columns, filtered, queries + other.queries, lastUsed.isAfter(other.lastUsed) ? lastUsed : other.lastUsed);
    }
}
