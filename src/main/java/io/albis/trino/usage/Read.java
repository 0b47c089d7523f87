package io.albis.trino.usage;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Ordering;

import java.util.Comparator;
import java.util.SortedSet;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Comparator.comparingLong;

/**
 * Columns that are read at the same time.
 *
 * @param columns ids of the columns, at least one
 * @param count how often this happens
 */
record Read(SortedSet<Integer> columns, long count)
{
    /**
     * A total order, so that nothing depends on the order in which reads were recorded.
     */
    static final Comparator<Read> MOST_OFTEN_FIRST = comparingLong(Read::count).reversed()
            .thenComparing(Read::columns, Ordering.<Integer>natural().lexicographical());

    Read
    {
        columns = ImmutableSortedSet.copyOf(columns);
        checkArgument(!columns.isEmpty(), "columns is empty");
        checkArgument(count > 0, "count is not positive: %s", count);
    }
}
