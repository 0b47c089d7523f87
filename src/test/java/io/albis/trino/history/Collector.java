package io.albis.trino.history;

import io.albis.trino.history.Outcome.Kind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Reads each version of the tables before it expires, and lists the tables without a name before their files are
 * deleted.
 */
final class Collector
{
    private static final int BATCH = 8;
    private static final long MARGIN_SECONDS = 3;
    // Listing tables takes time
    private static final int ROUNDS_PER_LISTING = 5;
    // Operations after which a version may have other columns
    private static final Set<String> CHANGES_OF_COLUMNS = Set.of("alter", "replace", "rollback");

    private final Workload workload;
    private final Function<Operation, Outcome> client;
    // By table: the last version that was listed, the versions whose rows are still to be read, and those at which the
    // columns may change
    private final Map<String, Long> listed = new TreeMap<>();
    private final Map<String, TreeSet<Long>> unread = new HashMap<>();
    private final Map<String, TreeSet<Long>> changes = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> dropped = new HashSet<>();
    private final Map<String, String> unregistered = new TreeMap<>();
    // Names of tables that had none at the end
    private final List<String> kept = new ArrayList<>();
    private int rounds;
    // All versions that others had replaced by then were read
    private volatile long completeNanos = System.nanoTime();
    private volatile long listedNanos = System.nanoTime();

    Collector(Workload workload, Function<Operation, Outcome> client)
    {
        this.workload = workload;
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
        for (String name : names()) {
            complete &= list(name);
        }
        names.forEach((table, name) -> collect(name, table));
        rounds++;
        if (rounds % ROUNDS_PER_LISTING == 0) {
            complete &= listWithoutName();
        }
        for (Map.Entry<String, TreeSet<Long>> entry : unread.entrySet()) {
            complete &= entry.getValue().isEmpty() || dropped.contains(entry.getKey()) || unregistered.containsKey(entry.getKey());
        }
        if (complete) {
            completeNanos = start;
        }
        return complete;
    }

    /**
     * Reads what is left at the end, also of tables that have no name.
     *
     * @return whether nothing is left to be read
     */
    boolean collectAll()
    {
        boolean complete = listWithoutName();
        for (String location : List.copyOf(unregistered.values())) {
            String name = "kept_" + (kept.size() + 1);
            kept.add(name);
            client.apply(new Naming.Register(name, location));
            complete = false;
        }
        return collect() && complete;
    }

    private List<String> names()
    {
        List<String> names = new ArrayList<>(Workload.NAMES);
        names.addAll(kept);
        return names;
    }

    /**
     * Returns a retention with which hardly any version expires that was not read.
     */
    long retentionSeconds()
    {
        return secondsSince(completeNanos);
    }

    /**
     * Returns a retention with which hardly any files are deleted of a table that was not listed as dropped.
     */
    long vacuumSeconds()
    {
        return secondsSince(listedNanos);
    }

    private static long secondsSince(long nanos)
    {
        return NANOSECONDS.toSeconds(System.nanoTime() - nanos) + MARGIN_SECONDS;
    }

    private boolean list(String name)
    {
        Outcome chain = client.apply(new Read.Chain(name, listed));
        if (chain.kind() != Kind.DONE) {
            return chain.error().orElse("").equals("TABLE_NOT_FOUND");
        }
        for (List<String> row : chain.rows()) {
            String table = row.get(0);
            long version = Long.parseLong(row.get(2));
            listed.merge(table, version, Math::max);
            unread.computeIfAbsent(table, _ -> new TreeSet<>()).add(version);
            changes.computeIfAbsent(table, _ -> new TreeSet<>());
            if (CHANGES_OF_COLUMNS.contains(row.get(3))) {
                changes.get(table).add(version);
            }
            // A RENAME and a registration make versions, too
            names.put(table, name);
            workload.sawCommit(name, Long.parseLong(row.get(5)));
        }
        return true;
    }

    private boolean listWithoutName()
    {
        long start = System.nanoTime();
        Outcome lost = client.apply(new Read.LostTables());
        if (lost.kind() != Kind.DONE) {
            return false;
        }
        unregistered.clear();
        for (List<String> row : lost.rows()) {
            switch (row.get(1)) {
                case "dropped" -> dropped.add(row.get(0));
                case "unregistered" -> unregistered.put(row.get(0), row.get(5));
                default -> {}
            }
        }
        workload.sawUnregistered(Set.copyOf(unregistered.values()));
        listedNanos = start;
        return true;
    }

    private void collect(String name, String table)
    {
        if (dropped.contains(table)) {
            return;
        }
        for (List<Long> batch : batches(table)) {
            if (!collect(name, table, batch) && batch.size() > 1) {
                // One of them may have expired
                batch.forEach(version -> collect(name, table, List.of(version)));
            }
        }
    }

    /**
     * Returns versions that can be read together, because they have the same columns.
     */
    private List<List<Long>> batches(String table)
    {
        List<List<Long>> batches = new ArrayList<>();
        List<Long> batch = new ArrayList<>();
        for (long version : unread.get(table)) {
            if (!batch.isEmpty() && (batch.size() == BATCH || !changes.get(table).subSet(batch.getLast(), false, version, true).isEmpty())) {
                batches.add(batch);
                batch = new ArrayList<>();
            }
            batch.add(version);
        }
        batches.add(batch);
        return batches.stream().filter(versions -> !versions.isEmpty()).collect(toImmutableList());
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
