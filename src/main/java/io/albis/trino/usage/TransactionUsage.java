package io.albis.trino.usage;

import com.google.common.collect.ImmutableSortedSet;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * Records what the queries of one transaction read. A query counts once for the same columns, even if it scans a table
 * several times or is retried.
 */
public final class TransactionUsage
{
    private final ColumnUsage usage;

    @GuardedBy("this")
    private String query = "";
    @GuardedBy("this")
    private final Set<Scan> recorded = new HashSet<>();

    private record Scan(UUID table, SortedSet<Integer> columns, SortedSet<Integer> filtered) {}

    public TransactionUsage(ColumnUsage usage)
    {
        this.usage = requireNonNull(usage, "usage is null");
    }

    /**
     * Records that a query reads columns of a table.
     *
     * @param query id of the query. The queries of a transaction follow each other
     * @param columns ids of the columns that are returned or filtered
     * @param filtered ids of the columns by which rows are filtered
     */
    public void record(String query, UUID table, Collection<Integer> columns, Collection<Integer> filtered)
    {
        Scan scan = new Scan(
                table,
                ImmutableSortedSet.<Integer>naturalOrder().addAll(columns).addAll(filtered).build(),
                ImmutableSortedSet.copyOf(filtered));
        if (!scan.columns().isEmpty() && isNew(query, scan)) {
            usage.record(table, scan.columns(), scan.filtered());
        }
    }

    private synchronized boolean isNew(String query, Scan scan)
    {
        if (!this.query.equals(query)) {
            this.query = query;
            recorded.clear();
        }
        return recorded.add(scan);
    }
}
