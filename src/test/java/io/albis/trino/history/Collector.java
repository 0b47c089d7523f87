package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import io.albis.trino.history.Outcome.Kind;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Reads each version of the tables before it expires.
 */
final class Collector
{
    private static final int BATCH = 8;
    private static final long MARGIN_SECONDS = 10;

    private final Function<Operation, Outcome> client;
    // By table: the last version that was listed, and the versions whose rows are still to be read
    private final Map<String, Long> listed = new TreeMap<>();
    private final Map<String, TreeSet<Long>> unread = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    // All versions that others had replaced by then were read
    private volatile long completeNanos = System.nanoTime();

    Collector(Function<Operation, Outcome> client)
    {
        this.client = client;
    }

    /**
     * Reads what is new.
     *
     * @return whether nothing is left to be read
     */
    boolean collect()
    {
        long start = System.nanoTime();
        boolean complete = true;
        for (String name : Workload.NAMES) {
            Outcome chain = client.apply(new Read.Chain(name, listed));
            if (chain.kind() == Kind.DONE) {
                for (List<String> row : chain.rows()) {
                    long version = Long.parseLong(row.get(2));
                    listed.merge(row.get(0), version, Math::max);
                    unread.computeIfAbsent(row.get(0), _ -> new TreeSet<>()).add(version);
                    // A RENAME makes a version, too
                    names.put(row.get(0), name);
                }
            }
            else {
                complete &= chain.error().orElse("").equals("TABLE_NOT_FOUND");
            }
        }
        names.forEach((table, name) -> collect(name, table));
        complete &= unread.values().stream().allMatch(TreeSet::isEmpty);
        if (complete) {
            completeNanos = start;
        }
        return complete;
    }

    /**
     * Returns a retention with which hardly any version expires that was not read.
     */
    long retentionSeconds()
    {
        return NANOSECONDS.toSeconds(System.nanoTime() - completeNanos) + MARGIN_SECONDS;
    }

    private void collect(String name, String table)
    {
        for (List<Long> batch : ImmutableList.copyOf(Iterables.partition(ImmutableList.copyOf(unread.get(table)), BATCH))) {
            if (!collect(name, table, batch) && batch.size() > 1) {
                // One of them may have expired
                batch.forEach(version -> collect(name, table, List.of(version)));
            }
        }
    }

    private boolean collect(String name, String table, List<Long> versions)
    {
        Outcome outcome = client.apply(new Read.Numbered(name, versions));
        boolean expired = versions.size() == 1 && outcome.message().orElse("").contains("has expired");
        boolean found = outcome.kind() == Kind.DONE && outcome.rows().stream().allMatch(row -> row.get(0).equals(table));
        if (found || expired) {
            unread.get(table).removeAll(versions);
        }
        return found;
    }
}
