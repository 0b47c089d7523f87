package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

final class TestColumnUsage
{
    private static final UUID TABLE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final Set<Integer> COLUMNS = ImmutableSet.of(1, 2, 3, 4, 5);

    private long now;

    @Test
    void testSets()
    {
        ColumnUsage usage = usage(100, 1000);
        assertThat(usage.find(TABLE, COLUMNS)).isEmpty();
        record(usage, TABLE, ids(1, 2), ids());
        record(usage, TABLE, ids(3), ids(3));
        record(usage, OTHER, ids(4), ids());
        record(usage, TABLE, ids(1, 2), ids(2));
        record(usage, TABLE, ids(3), ids(3));
        assertThat(usage.find(TABLE, COLUMNS)).containsExactly(
                used(ids(3), ids(3), 2, 5),
                used(ids(1, 2), ids(), 1, 1),
                used(ids(1, 2), ids(2), 1, 4));
        assertThat(usage.find(OTHER, COLUMNS)).containsExactly(used(ids(4), ids(), 1, 3));
    }

    @Test
    void testDroppedColumns()
    {
        ColumnUsage usage = usage(100, 1000);
        record(usage, TABLE, ids(1, 2, 9), ids(9));
        record(usage, TABLE, ids(1, 2), ids());
        record(usage, TABLE, ids(9), ids(9));
        record(usage, TABLE, ids(1, 2), ids());
        assertThat(usage.find(TABLE, COLUMNS)).containsExactly(used(ids(1, 2), ids(), 3, 4));
        assertThat(usage.find(TABLE, ids(9))).containsExactly(used(ids(9), ids(9), 2, 3));
    }

    @Test
    void testBoundedSets()
    {
        ColumnUsage usage = usage(2, 1000);
        record(usage, TABLE, ids(1), ids());
        record(usage, TABLE, ids(2), ids());
        // the first one was read again, so the second one is forgotten
        record(usage, TABLE, ids(1), ids());
        record(usage, OTHER, ids(3), ids());
        assertThat(usage.find(TABLE, COLUMNS)).containsExactly(used(ids(1), ids(), 2, 3));
        assertThat(usage.find(OTHER, COLUMNS)).hasSize(1);
        for (int i = 0; i < 1000; i++) {
            record(usage, new UUID(1, i), ids(1), ids());
        }
        assertThat(usage.find(TABLE, COLUMNS)).isEmpty();
        assertThat(usage.find(new UUID(1, 998), COLUMNS)).hasSize(1);
        assertThat(usage.find(new UUID(1, 999), COLUMNS)).hasSize(1);
    }

    @Test
    void testBoundedColumns()
    {
        ColumnUsage usage = usage(100, 6);
        record(usage, TABLE, ids(1, 2), ids(1));
        record(usage, TABLE, ids(3, 4, 5), ids());
        assertThat(usage.find(TABLE, COLUMNS)).hasSize(2);
        record(usage, TABLE, ids(3), ids());
        assertThat(usage.find(TABLE, COLUMNS)).extracting(UsedColumns::columns).containsExactly(ids(3), ids(3, 4, 5));
        // a set that is larger than all memory
        record(usage, TABLE, ids(1, 2, 3, 4, 5), ids(1, 2));
        assertThat(usage.find(TABLE, COLUMNS)).isEmpty();
        record(usage, TABLE, ids(1), ids(1));
        assertThat(usage.find(TABLE, COLUMNS)).hasSize(1);
    }

    /**
     * A query counts once, however often it scans the table.
     */
    @Test
    void testQueriesOfTransaction()
    {
        ColumnUsage usage = usage(100, 1000);
        TransactionUsage transaction = new TransactionUsage(usage);
        for (String query : ImmutableList.of("first", "first", "second")) {
            transaction.record(query, TABLE, ImmutableList.of(2, 1), ImmutableList.of());
            transaction.record(query, TABLE, ImmutableList.of(2, 1), ImmutableList.of());
            transaction.record(query, OTHER, ImmutableList.of(1, 2), ImmutableList.of());
            // the rows are filtered by a column that the scan does not return
            transaction.record(query, TABLE, ImmutableList.of(), ImmutableList.of(3));
            // only the number of rows
            transaction.record(query, TABLE, ImmutableList.of(), ImmutableList.of());
        }
        new TransactionUsage(usage).record("third", TABLE, ImmutableList.of(1, 2), ImmutableList.of());
        assertThat(usage.find(TABLE, COLUMNS)).extracting(UsedColumns::columns, UsedColumns::queries)
                .containsExactly(tuple(ids(1, 2), 3L), tuple(ids(3), 2L));
        assertThat(usage.find(OTHER, COLUMNS)).extracting(UsedColumns::queries).containsExactly(2L);
    }

    private ColumnUsage usage(int maxSets, int maxColumns)
    {
        return new ColumnUsage(() -> Instant.ofEpochSecond(now), maxSets, maxColumns);
    }

    private void record(ColumnUsage usage, UUID table, SortedSet<Integer> columns, SortedSet<Integer> filtered)
    {
        now++;
        usage.record(table, columns, filtered);
    }

    private static UsedColumns used(SortedSet<Integer> columns, SortedSet<Integer> filtered, long queries, long last)
    {
        return new UsedColumns(columns, filtered, queries, Instant.ofEpochSecond(last));
    }

    private static SortedSet<Integer> ids(Integer... ids)
    {
        return ImmutableSortedSet.copyOf(ids);
    }
}
