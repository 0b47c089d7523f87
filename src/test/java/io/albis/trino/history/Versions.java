package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Read.Chain;
import io.albis.trino.history.Read.Newest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The versions of all tables that somebody has seen, by table and number.
 */
final class Versions
{
    private final Map<String, NavigableMap<Long, Version>> chains = new TreeMap<>();

    private Versions() {}

    /**
     * Collects the versions and their rows from the results of reads. All reads of a version must return the same.
     */
    static Versions of(List<Call> calls, Consumer<String> anomalies)
    {
        Versions versions = new Versions();
        for (Call call : calls) {
            if (call.isDone() && call.operation() instanceof Chain) {
                versions.addChain(call, anomalies);
            }
        }
        for (Call call : calls) {
            if (call.isDone() && (call.operation() instanceof Newest || call.operation() instanceof Read.Numbered)) {
                versions.addRows(call, anomalies);
            }
        }
        return versions;
    }

    private void addChain(Call call, Consumer<String> anomalies)
    {
        for (List<String> row : call.outcome().rows()) {
            Version version = new Version(row.get(0), Long.parseLong(row.get(2)), row.get(3), row.get(4));
            Version known = chains.computeIfAbsent(version.table, _ -> new TreeMap<>()).putIfAbsent(version.number, version);
            if (known != null && (!known.operation.equals(version.operation) || !known.queryId.equals(version.queryId))) {
                anomalies.accept("A version has changed: %s was %s in %s".formatted(known, version, call));
            }
        }
    }

    private void addRows(Call call, Consumer<String> anomalies)
    {
        Set<Long> found = new HashSet<>();
        Set<List<String>> seen = new HashSet<>();
        for (List<String> row : call.outcome().rows()) {
            seen.add(row.subList(0, 2));
        }
        for (List<String> key : seen) {
            found.add(Long.parseLong(key.get(1)));
            Multiset<Row> rows = ImmutableMultiset.copyOf(Model.byVersion(call.outcome().rows()).get(key));
            Optional<Version> version = find(key.get(0), Long.parseLong(key.get(1)));
            if (version.isEmpty()) {
                // A version that expired before it was listed
                continue;
            }
            if (version.get().rows.isEmpty()) {
                version.get().rows = Optional.of(rows);
            }
            else if (!version.get().rows.get().equals(rows)) {
                anomalies.accept("Two reads of %s differ: %s, and in %s %s".formatted(version.get(), version.get().rows.get(), call, rows));
            }
        }
        boolean oneTable = seen.stream().map(List::getFirst).distinct().count() == 1;
        if (!oneTable || (call.operation() instanceof Read.Numbered read && !found.equals(new HashSet<>(read.versions())))) {
            anomalies.accept("A query has not returned the versions that it names: %s returned %s".formatted(call, seen));
        }
    }

    Optional<Version> find(String table, long number)
    {
        return Optional.ofNullable(chains.getOrDefault(table, new TreeMap<>()).get(number));
    }

    Iterable<NavigableMap<Long, Version>> chains()
    {
        return chains.values();
    }

    List<Version> all()
    {
        List<Version> all = new ArrayList<>();
        chains.values().forEach(chain -> all.addAll(chain.values()));
        return all;
    }

    Optional<Version> previous(Version version)
    {
        return find(version.table, version.number - 1);
    }

    Optional<Version> next(Version version)
    {
        return find(version.table, version.number + 1);
    }

    /**
     * Returns whether the version may have been the newest at some time of an interval.
     */
    boolean mayBeNewest(Version version, long from, long to)
    {
        if (version.earliest > to) {
            return false;
        }
        Map.Entry<Long, Version> higher = chains.get(version.table).higherEntry(version.number);
        return higher == null || higher.getValue().latest >= from;
    }

    /**
     * Returns the versions of one name that may have been the newest at some time of an interval.
     */
    List<Version> newest(String name, long from, long to)
    {
        List<Version> newest = new ArrayList<>();
        for (Version version : all()) {
            if ((version.name == null || version.name.equals(name)) && mayBeNewest(version, from, to)) {
                newest.add(version);
            }
        }
        return newest;
    }

    /**
     * Returns how many versions nobody has seen before they expired.
     */
    long unseen()
    {
        long unseen = 0;
        for (NavigableMap<Long, Version> chain : chains.values()) {
            long first = chain.firstEntry().getValue().operation.equals(Version.CREATE) ? chain.firstKey() : 1;
            unseen += chain.lastKey() - first + 1 - chain.size();
        }
        return unseen;
    }

    Map<String, List<Version>> byQuery()
    {
        Map<String, List<Version>> byQuery = new HashMap<>();
        all().forEach(version -> byQuery.computeIfAbsent(version.queryId, _ -> new ArrayList<>()).add(version));
        return byQuery;
    }
}
