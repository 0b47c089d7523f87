package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Naming.Register;
import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Read.Newest;
import io.albis.trino.history.Read.Rows;
import io.albis.trino.history.Read.Totals;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks that a query without the number of its version has returned the rows of a version that was the newest at some
 * time between its invocation and its response, and that each name referred to the table that had it. What queries with
 * a number return is checked by {@link Versions} and {@link CommitTimes}.
 */
final class ReadChecks
{
    private final Versions versions;
    private final List<Call> calls;
    private final Gaps gaps;
    private final Consumer<String> anomalies;

    ReadChecks(Versions versions, List<Call> calls, Gaps gaps, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.gaps = gaps;
        this.anomalies = anomalies;
    }

    /**
     * Returns the version that a query has read if its result is that of only one version.
     */
    Map<Call, Version> identify()
    {
        ImmutableMap.Builder<Call, Version> identified = ImmutableMap.builder();
        for (Call call : calls) {
            if (call.isDone() && (call.operation() instanceof Rows || call.operation() instanceof Totals)) {
                List<Version> candidates = candidates(call, call.operation().table());
                if (candidates.size() == 1 && !gaps.overlap(call) && !isBeingRenamed(call, call.operation().table())) {
                    identified.put(call, candidates.getFirst());
                }
            }
        }
        return identified.buildOrThrow();
    }

    private List<Version> candidates(Call call, String name)
    {
        return versions.newest(name, call.invoked(), call.responded()).stream()
                .filter(version -> version.rows.isEmpty() || isResult(call, version.rows.get()))
                .toList();
    }

    void check()
    {
        for (Call call : calls) {
            if (!call.isDone()) {
                continue;
            }
            switch (call.operation()) {
                case Rows rows -> checkSomeVersion(call, rows.table());
                case Totals totals -> checkSomeVersion(call, totals.table());
                case Newest newest -> checkName(call, newest.table());
                default -> {}
            }
        }
    }

    private void checkSomeVersion(Call call, String name)
    {
        boolean matches = !candidates(call, name).isEmpty();
        // The version that it has read may have expired before anybody else has seen it
        if (!matches && !gaps.overlap(call) && !isBeingRenamed(call, name)) {
            anomalies.accept("A query has not returned the rows of any version that may have been the newest: %s returned %s. The versions: %s".formatted(
                    call,
                    call.outcome().rows(),
                    versions.newest(name, call.invoked(), call.responded()).stream().map(version -> version.number + " " + version.rows).toList()));
        }
    }

    private static boolean isResult(Call call, Multiset<Row> rows)
    {
        return switch (call.operation()) {
            case Rows query -> call.outcome().rows().stream()
                    .map(Row::parse)
                    .collect(ImmutableMultiset.toImmutableMultiset())
                    .equals(Model.map(Model.select(rows, query.range()::contains), row -> row.withAdded(Map.of())));
            case Totals query -> call.outcome().rows().equals(List.of(List.of(
                    String.valueOf(rows.size()),
                    String.valueOf(rows.stream().mapToLong(Row::amount).sum()),
                    String.valueOf(Model.select(rows, query.range()::contains).size()),
                    String.valueOf(rows.stream().mapToLong(Row::writer).sum()))));
            default -> throw new IllegalArgumentException("%s has no such result".formatted(call));
        };
    }

    private void checkName(Call call, String name)
    {
        Set<List<String>> seen = new HashSet<>();
        call.outcome().rows().forEach(row -> seen.add(row.subList(0, 2)));
        for (List<String> key : seen) {
            versions.find(key.get(0), Long.parseLong(key.get(1)))
                    .filter(version -> version.name != null && !version.name.equals(name) && !isBeingRenamed(call, name))
                    .ifPresent(version -> anomalies.accept("A name has referred to a table with another name: %s has read %s".formatted(call, version)));
        }
    }

    /**
     * While a table is renamed, it may be found by both names. A table that is registered may be found before it has a
     * version with its name.
     */
    private boolean isBeingRenamed(Call query, String name)
    {
        return calls.stream().anyMatch(call -> ((call.operation() instanceof Rename rename && rename.to().equals(name)) || (call.operation() instanceof Register register && register.table().equals(name)))
                && call.overlaps(query.invoked(), query.responded()));
    }
}
