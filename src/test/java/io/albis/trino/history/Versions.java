package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.ImmutableSet;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The versions of all tables that somebody has seen, by table and number.
 */
final class Versions
{
    /**
     * A table was dropped between two times.
     *
     * @param number number of its last version, which has no name, if it is known
     */
    record Drop(OptionalLong number, long from, long to) {}

    private final Map<String, NavigableMap<Long, Version>> chains = new TreeMap<>();
    private final Map<String, Long> lastObservations = new HashMap<>();
    private final Map<String, Drop> drops = new HashMap<>();

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
            versions.addObservation(call);
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
            OptionalLong committed = row.size() > 5 ? OptionalLong.of(Long.parseLong(row.get(5))) : OptionalLong.empty();
            Version version = new Version(row.get(0), Long.parseLong(row.get(2)), row.get(3), row.get(4), committed);
            Version known = chains.computeIfAbsent(version.table, _ -> new TreeMap<>()).putIfAbsent(version.number, version);
            if (known != null && (!known.operation.equals(version.operation) || !known.queryId.equals(version.queryId))) {
                anomalies.accept("A version has changed: %s was %s in %s".formatted(known, version, call));
            }
        }
    }

    private void addObservation(Call call)
    {
        if (call.isDone() && Read.beginsWithTable(call.operation())) {
            call.outcome().rows().forEach(row -> lastObservations.merge(row.getFirst(), call.invoked(), Math::max));
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
            Multiset<Row> rows = ImmutableMultiset.copyOf(Model.byVersion(call.outcome()).get(key));
            Set<String> columns = ImmutableSet.copyOf(Model.addedColumns(call.outcome()));
            Optional<Version> version = find(key.get(0), Long.parseLong(key.get(1)));
            if (version.isEmpty()) {
                // A version that expired before it was listed
                continue;
            }
            if (version.get().rows.isEmpty()) {
                version.get().rows = Optional.of(rows);
                version.get().columns = call.outcome().columns().isEmpty() ? Optional.empty() : Optional.of(columns);
            }
            else if (version.get().columns.isPresent() && !version.get().columns.get().equals(columns)) {
                anomalies.accept("Two reads of %s have found different columns: %s, and in %s %s".formatted(version.get(), version.get().columns.get(), call, columns));
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

    Version first(String table)
    {
        return chains.get(table).firstEntry().getValue();
    }

    /**
     * Returns the last version of a table that somebody has seen.
     */
    Optional<Version> last(String table)
    {
        return Optional.ofNullable(chains.get(table)).map(chain -> chain.lastEntry().getValue());
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
     * Returns when a query began that was the last one to find a table, or 0.
     */
    long lastObservation(String table)
    {
        return lastObservations.getOrDefault(table, 0L);
    }

    /**
     * Notes when a table was dropped.
     */
    void drop(String table, Drop drop)
    {
        drops.put(table, drop);
    }

    Optional<Drop> drop(String table)
    {
        return Optional.ofNullable(drops.get(table));
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
        if (higher == null) {
            return drop(version.table).map(Drop::to).orElse(Call.NEVER) >= from;
        }
        return higher.getValue().latest >= from;
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
}
