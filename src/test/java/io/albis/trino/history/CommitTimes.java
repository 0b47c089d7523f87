package io.albis.trino.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Checks that the versions of a table and the reads of its newest version happen in the order of time: each call takes
 * effect at a moment between its invocation and its response. It also limits when each version was committed.
 */
final class CommitTimes
{
    /**
     * Something that takes effect between two times.
     *
     * @param order twice the number of a version for its commit, and one more for a read of it as the newest one
     */
    private record Step(long order, long from, long to, Object what) {}

    private final Map<String, List<Step>> steps = new HashMap<>();
    private final Map<String, NavigableMap<Long, Version>> chains = new HashMap<>();

    private CommitTimes() {}

    /**
     * @param identified the version of queries that do not return its number
     */
    static void check(Versions versions, List<Call> calls, Map<Call, Version> identified, Consumer<String> anomalies)
    {
        CommitTimes times = new CommitTimes();
        versions.chains().forEach(chain -> times.chains.put(chain.firstEntry().getValue().table, chain));
        Map<String, Call> byQuery = new HashMap<>();
        calls.forEach(call -> call.outcome().queryId().ifPresent(id -> byQuery.put(id, call)));
        for (Version version : versions.all()) {
            version.call.ifPresent(call -> times.add(version.table, new Step(2 * version.number, call.invoked(), call.isDone() || call.isUnknown() ? call.responded() : Call.NEVER, version)));
            // The query that completed a RENAME
            Call committer = byQuery.get(version.queryId);
            if (committer != null) {
                times.add(version.table, new Step(2 * version.number, committer.invoked(), committer.responded(), version));
            }
        }
        calls.stream().filter(Call::isDone).forEach(times::addRead);
        identified.forEach((call, version) -> times.add(version.table, new Step(2 * version.number + 1, call.invoked(), call.responded(), call)));
        times.chains.forEach((table, chain) -> times.check(times.steps.getOrDefault(table, List.of()), chain, anomalies));
    }

    private void add(String table, Step step)
    {
        steps.computeIfAbsent(table, _ -> new ArrayList<>()).add(step);
    }

    private void addRead(Call call)
    {
        if (!Read.beginsWithTable(call.operation())) {
            return;
        }
        Set<List<String>> seen = new HashSet<>();
        call.outcome().rows().stream().filter(row -> row.size() > 2).forEach(row -> seen.add(row.subList(0, 2)));
        for (List<String> key : seen) {
            long version = Long.parseLong(key.get(1));
            if (call.operation() instanceof Read.Numbered) {
                // Any later version may be the newest one
                add(key.get(0), new Step(2 * version, 0, call.responded(), call));
            }
            else {
                add(key.get(0), new Step(2 * version + 1, call.invoked(), call.responded(), call));
            }
        }
    }

    private void check(List<Step> unordered, NavigableMap<Long, Version> chain, Consumer<String> anomalies)
    {
        List<Step> ordered = new ArrayList<>(unordered);
        ordered.sort(Comparator.comparingLong(Step::order));
        Step latest = null;
        Step latestOfSameOrder = null;
        for (Step step : ordered) {
            if (latestOfSameOrder != null && latestOfSameOrder.order() < step.order()) {
                latest = later(latest, latestOfSameOrder);
                latestOfSameOrder = null;
            }
            if (latest != null && latest.from() > step.to()) {
                anomalies.accept("This began only after what depends on it was over: %s. What depends on it: %s".formatted(latest.what(), step.what()));
            }
            latestOfSameOrder = later(latestOfSameOrder, step);
            long after = latest == null ? step.from() : Math.max(latest.from(), step.from());
            chain.tailMap((step.order() + 1) / 2, true).values().stream().findFirst().ifPresent(version -> version.earliest = Math.max(version.earliest, after));
        }
        long earliest = 0;
        for (Version version : chain.values()) {
            earliest = Math.max(earliest, version.earliest);
            version.earliest = earliest;
        }
        for (Step step : ordered) {
            Map.Entry<Long, Version> version = chain.floorEntry(step.order() / 2);
            if (version != null) {
                version.getValue().latest = Math.min(version.getValue().latest, step.to());
            }
        }
        long last = Call.NEVER;
        for (Version version : chain.descendingMap().values()) {
            last = Math.min(last, version.latest);
            version.latest = last;
        }
    }

    private static Step later(Step left, Step right)
    {
        if (left == null) {
            return right;
        }
        return left.from() >= right.from() ? left : right;
    }
}
