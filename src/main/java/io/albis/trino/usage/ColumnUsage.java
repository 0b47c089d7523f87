package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Ordering;
import com.google.common.primitives.ImmutableIntArray;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;

/**
 * The columns that queries of this coordinator have read together since it was started. The memory is bounded: the sets
 * of columns that were not read for the longest time are forgotten.
 */
public final class ColumnUsage
{
    private static final int MAX_SETS = 10_000;
    // The limit applies to all sets together. Each column takes four bytes
    private static final int MAX_COLUMNS = 1_000_000;

    private static final Comparator<Iterable<Integer>> LEXICOGRAPHICAL = Ordering.<Integer>natural().lexicographical();
    private static final Comparator<UsedColumns> MOST_USED_FIRST = comparingLong(UsedColumns::queries).reversed()
            .thenComparing(UsedColumns::columns, LEXICOGRAPHICAL)
            .thenComparing(UsedColumns::filtered, LEXICOGRAPHICAL);

    private final InstantSource clock;
    private final int maxSets;
    private final int maxColumns;

    // the set that was read last is the last one
    @GuardedBy("this")
    private final Map<ScannedSet, Use> uses = new LinkedHashMap<>(16, 0.75f, true);
    @GuardedBy("this")
    private long retainedColumns;

    private record ScannedSet(UUID table, ImmutableIntArray columns, ImmutableIntArray filtered)
    {
        int size()
        {
            return columns.length() + filtered.length();
        }
    }

    private record Use(long queries, Instant last) {}

    public ColumnUsage()
    {
        this(InstantSource.system(), MAX_SETS, MAX_COLUMNS);
    }

    ColumnUsage(InstantSource clock, int maxSets, int maxColumns)
    {
        this.clock = requireNonNull(clock, "clock is null");
        this.maxSets = maxSets;
        this.maxColumns = maxColumns;
    }

    /**
     * Records that a query reads columns of a table.
     *
     * @param columns ids of all columns that it reads together
     * @param filtered ids of those by which it filters rows
     */
    public synchronized void record(UUID table, SortedSet<Integer> columns, SortedSet<Integer> filtered)
    {
        ScannedSet set = new ScannedSet(table, ImmutableIntArray.copyOf(columns), ImmutableIntArray.copyOf(filtered));
        Use use = uses.get(set);
        uses.put(set, new Use(use == null ? 1 : use.queries() + 1, clock.instant()));
        if (use == null) {
            retainedColumns += set.size();
            removeEldest();
        }
    }

    @GuardedBy("this")
    private void removeEldest()
    {
        Iterator<ScannedSet> eldest = uses.keySet().iterator();
        while (uses.size() > maxSets || retainedColumns > maxColumns) {
            retainedColumns -= eldest.next().size();
            eldest.remove();
        }
    }

    /**
     * Returns the usage of a table, the columns that most queries have read first.
     *
     * @param columns ids of the columns that the table has. Others were dropped, and are left out
     */
    public List<UsedColumns> find(UUID table, Set<Integer> columns)
    {
        Map<List<SortedSet<Integer>>, UsedColumns> found = new HashMap<>();
        for (Map.Entry<ScannedSet, Use> entry : uses(table)) {
            SortedSet<Integer> used = retained(entry.getKey().columns(), columns);
            if (used.isEmpty()) {
                continue;
            }
            SortedSet<Integer> filtered = retained(entry.getKey().filtered(), columns);
            // several sets can have the same remaining columns
            found.merge(ImmutableList.of(used, filtered), new UsedColumns(used, filtered, entry.getValue().queries(), entry.getValue().last()), UsedColumns::plus);
        }
        return found.values().stream()
                .sorted(MOST_USED_FIRST)
                .collect(toImmutableList());
    }

    private synchronized List<Map.Entry<ScannedSet, Use>> uses(UUID table)
    {
        ImmutableList.Builder<Map.Entry<ScannedSet, Use>> result = ImmutableList.builder();
        uses.forEach((set, use) -> {
            if (set.table().equals(table)) {
                result.add(Map.entry(set, use));
            }
        });
        return result.build();
    }

    private static SortedSet<Integer> retained(ImmutableIntArray ids, Collection<Integer> columns)
    {
        ImmutableSortedSet.Builder<Integer> result = ImmutableSortedSet.naturalOrder();
        ids.forEach(id -> {
            if (columns.contains(id)) {
                result.add(id);
            }
        });
        return result.build();
    }
}
