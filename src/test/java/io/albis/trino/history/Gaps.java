package io.albis.trino.history;

import io.albis.trino.history.Naming.Drop;
import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Naming.Unregister;
import io.albis.trino.history.Read.Chain;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.Replace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Versions that expired, or whose table was dropped, before anybody has seen them. Statements at the same time cannot
 * be checked exactly.
 */
final class Gaps
{
    /**
     * Versions that were committed between two times.
     *
     * @param table empty for a table that nobody has seen
     * @param count number of the versions, if it is known
     */
    private record Gap(Optional<String> table, long from, long to, OptionalLong count) {}

    private final Versions versions;
    private final List<Call> calls;
    private final List<Gap> gaps = new ArrayList<>();

    private Gaps(Versions versions, List<Call> calls)
    {
        this.versions = versions;
        this.calls = calls;
    }

    /**
     * @param matched the version that each call has made
     */
    static Gaps find(Versions versions, List<Call> calls, Map<Call, Version> matched)
    {
        Gaps gaps = new Gaps(versions, calls);
        versions.chains().forEach(gaps::addChain);
        calls.stream().filter(call -> !matched.containsKey(call)).forEach(gaps::addTableThatNobodyHasSeen);
        return gaps;
    }

    private void addChain(NavigableMap<Long, Version> chain)
    {
        Version previous = null;
        for (Version version : chain.values()) {
            if (previous == null && version.number > 1 && !version.operation.equals(Version.CREATE)) {
                gaps.add(new Gap(Optional.of(version.table), 0, version.latest, OptionalLong.of(version.number - 1)));
            }
            if (previous != null && version.number > previous.number + 1) {
                gaps.add(new Gap(Optional.of(version.table), previous.earliest, version.latest, OptionalLong.of(version.number - previous.number - 1)));
            }
            previous = version;
        }
        addLast(chain.lastEntry().getValue());
    }

    private void addLast(Version last)
    {
        Optional<Versions.Drop> drop = versions.drop(last.table);
        if (drop.isPresent() && drop.get().number().isPresent()) {
            long count = drop.get().number().getAsLong() - last.number - 1;
            if (count > 0) {
                gaps.add(new Gap(Optional.of(last.table), last.earliest, drop.get().to(), OptionalLong.of(count)));
            }
            return;
        }
        long from = Math.max(last.earliest, versions.lastObservation(last.table));
        dropped(call -> call.responded() >= from).ifPresent(to -> gaps.add(new Gap(Optional.of(last.table), from, to, OptionalLong.empty())));
    }

    private void addTableThatNobodyHasSeen(Call call)
    {
        if (!call.mayTakeEffect() || !(call.operation() instanceof Create || call.operation() instanceof Replace)) {
            return;
        }
        String name = call.operation().table();
        Optional<Long> listed = call.isDone() || call.isUnknown() ? listed(name, call.responded()) : Optional.empty();
        if (listed.isPresent() && !mayLoseName(name, call.invoked(), listed.get())) {
            dropped(drop -> drop.operation().table().equals(name) && drop.overlaps(call.invoked(), listed.get()))
                    .ifPresent(to -> gaps.add(new Gap(Optional.empty(), call.invoked(), Math.min(to, listed.get()), OptionalLong.empty())));
            return;
        }
        dropped(drop -> drop.operation().table().equals(name) && drop.responded() >= call.invoked())
                .or(() -> dropped(drop -> drop.responded() >= call.invoked()))
                .ifPresent(to -> gaps.add(new Gap(Optional.empty(), call.invoked(), to, OptionalLong.empty())));
    }

    /**
     * Returns when a query was over that would have found a table that nobody had seen, if it still had a name.
     */
    private Optional<Long> listed(String name, long after)
    {
        return calls.stream()
                .filter(call -> call.operation() instanceof Chain && call.operation().table().equals(name) && call.invoked() > after)
                .filter(call -> call.isDone() || call.failedWith("TABLE_NOT_FOUND"))
                .map(Call::responded)
                .min(Long::compare);
    }

    private boolean mayLoseName(String name, long from, long to)
    {
        return calls.stream().anyMatch(call -> (call.operation() instanceof Rename || call.operation() instanceof Unregister)
                && call.operation().table().equals(name)
                && call.mayTakeEffect()
                && call.overlaps(from, to));
    }

    /**
     * Returns when the last one of some statements was over that may have dropped a table.
     */
    private Optional<Long> dropped(Predicate<Call> drops)
    {
        return calls.stream()
                .filter(call -> call.operation() instanceof Drop && call.mayTakeEffect() && drops.test(call))
                .map(Call::responded)
                .max(Long::compare);
    }

    /**
     * Returns whether there may be such versions at some time of an interval.
     */
    boolean overlap(long from, long to)
    {
        return gaps.stream().anyMatch(gap -> gap.from() <= to && gap.to() >= from);
    }

    boolean overlap(Call call)
    {
        return overlap(call.invoked(), call.responded());
    }

    boolean overlap(String table, long from, long to)
    {
        return gaps.stream().anyMatch(gap -> gap.table().equals(Optional.of(table)) && gap.from() <= to && gap.to() >= from);
    }

    /**
     * Returns whether there may be an unknown number of such versions during a call.
     */
    boolean overlapUncounted(Call call)
    {
        return gaps.stream().anyMatch(gap -> gap.count().isEmpty() && gap.from() <= call.responded() && gap.to() >= call.invoked());
    }

    /**
     * Returns how many such versions are known to exist.
     */
    long count()
    {
        return gaps.stream().mapToLong(gap -> gap.count().orElse(0)).sum();
    }
}
