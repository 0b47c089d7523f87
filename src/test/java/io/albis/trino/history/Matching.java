package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.albis.table.model.IsolationLevel;
import io.albis.trino.history.Alteration.AddColumn;
import io.albis.trino.history.Alteration.DropColumn;
import io.albis.trino.history.Alteration.RenameColumn;
import io.albis.trino.history.Naming.Register;
import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Naming.Unregister;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the call that made each version: the version has the id of its query. The exception is a new name that another
 * query has completed, because its own server has died or was slow.
 */
final class Matching
{
    /**
     * A RENAME that a call has completed for another one.
     */
    private record Completion(Version version, Call helper, String from, String to) {}

    private final Versions versions;
    private final List<Call> calls;
    private final Consumer<String> anomalies;
    private final Map<String, Call> byQuery = new HashMap<>();
    private final Map<Call, Version> matched = new HashMap<>();
    private final List<Completion> completions = new ArrayList<>();

    private Matching(Versions versions, List<Call> calls, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.anomalies = anomalies;
    }

    /**
     * Sets the calls, the names, and the isolation levels of versions.
     *
     * @return the version that each call has made
     */
    static Map<Call, Version> match(Versions versions, List<Call> calls, Consumer<String> anomalies)
    {
        return new Matching(versions, calls, anomalies).match();
    }

    private Map<Call, Version> match()
    {
        for (Call call : calls) {
            call.outcome().queryId().ifPresent(id -> byQuery.put(id, call));
        }
        for (NavigableMap<Long, Version> chain : versions.chains()) {
            for (Version version : chain.values()) {
                match(version, versions.previous(version));
            }
        }
        completions.forEach(this::complete);
        return matched;
    }

    private void match(Version version, Optional<Version> previous)
    {
        previous.ifPresent(before -> {
            version.name = before.name;
            version.isolation = before.isolation;
            version.tags = before.tags;
            version.added = before.added;
        });
        Call call = byQuery.get(version.queryId);
        if (call == null) {
            anomalies.accept("Nobody has made " + version);
            return;
        }
        if (version.operation.equals(Version.RENAME) || version.operation.equals(Version.REGISTER)) {
            if (!matched.containsKey(call) && gives(version.name, call.operation())) {
                version.name = Naming.newName(call.operation()).orElseThrow();
            }
            else {
                // A table is renamed when a query opens it under its new name
                String to = openedName(call, version.name);
                completions.add(new Completion(version, call, version.name, to));
                version.name = to;
                return;
            }
        }
        assign(version, call);
        if (call.operation() instanceof Write write) {
            change(version, write);
        }
    }

    /**
     * Sets what a statement has changed beside rows.
     */
    private void change(Version version, Write write)
    {
        switch (write) {
            case Create create -> replaced(version, create.table(), create.isolation());
            case Replace replace -> replaced(version, replace.table(), replace.isolation());
            case ReplaceSelect replace -> replaced(version, replace.table(), replace.isolation());
            case Unregister _ -> version.name = Version.NO_NAME;
            case CreateTag tag -> version.tags = with(version.tags, tag.tag(), tag.version());
            case DropTag tag -> version.tags = without(version.tags, tag.tag());
            case AddColumn add -> version.added = with(version.added, add.column(), version.number);
            case DropColumn drop -> version.added = without(version.added, drop.column());
            case RenameColumn rename -> version.added = version.added == null || !version.added.containsKey(rename.column())
                    ? null
                    : with(without(version.added, rename.column()), rename.to(), version.added.get(rename.column()));
            case Rollback rollback -> {
                Optional<Version> restored = versions.find(version.table, rollback.version());
                version.isolation = restored.map(found -> found.isolation).orElse(null);
                version.added = restored.map(found -> found.added).orElse(null);
            }
            default -> {}
        }
    }

    private static Map<String, Long> with(Map<String, Long> map, String name, long value)
    {
        return map == null ? null : ImmutableMap.<String, Long>builder().putAll(map).put(name, value).buildKeepingLast();
    }

    private static Map<String, Long> without(Map<String, Long> map, String name)
    {
        return map == null ? null : ImmutableMap.copyOf(Maps.filterKeys(map, key -> !key.equals(name)));
    }

    /**
     * Returns the name by which a query has opened a table that had another name.
     */
    private String openedName(Call call, String from)
    {
        // A RENAME also opens the table that has its new name, to find out whether there is one
        if (call.operation() instanceof Rename rename && !isAskedFor(from, rename.table(), call) && isAskedFor(from, rename.to(), call)) {
            return rename.to();
        }
        return call.operation().table();
    }

    private boolean isAskedFor(String from, String to, Call helper)
    {
        return calls.stream().anyMatch(call -> gives(call, from, to) && call.overlaps(helper.invoked(), helper.responded()));
    }

    /**
     * Returns whether a statement may have given a name to a table that had another one, or none.
     */
    private static boolean gives(Call call, String from, String to)
    {
        return call.mayTakeEffect() && Naming.newName(call.operation()).equals(Optional.of(to)) && gives(from, call.operation());
    }

    private static boolean gives(String from, Operation operation)
    {
        return switch (operation) {
            case Rename rename -> from == null || rename.table().equals(from);
            case Register _ -> from == null || from.equals(Version.NO_NAME);
            default -> false;
        };
    }

    private static void replaced(Version version, String name, IsolationLevel isolation)
    {
        if (version.operation.equals(Version.CREATE)) {
            version.name = name;
            version.tags = ImmutableMap.of();
        }
        version.added = ImmutableMap.of();
        version.isolation = isolation;
    }

    private void complete(Completion completion)
    {
        Set<Call> candidates = new HashSet<>();
        for (Call call : calls) {
            if (gives(call, completion.from(), completion.to())
                    && !matched.containsKey(call)
                    && call.overlaps(completion.helper().invoked(), completion.helper().responded())) {
                candidates.add(call);
            }
        }
        // A version belongs to a call that was acknowledged rather than to one whose outcome is unknown
        candidates.stream()
                .min((left, right) -> Long.compare(left.responded(), right.responded()))
                .ifPresentOrElse(
                        call -> assign(completion.version(), call),
                        () -> anomalies.accept("Nobody has asked for the RENAME to %s that %s completed: %s".formatted(completion.to(), completion.helper(), completion.version())));
    }

    private void assign(Version version, Call call)
    {
        version.call = Optional.of(call);
        Version other = matched.putIfAbsent(call, version);
        if (other != null) {
            anomalies.accept("A statement has made two versions, %s and %s".formatted(other, version));
        }
        if (!call.isDone() && !call.isUnknown() && !mayFailAfterVersion(call)) {
            anomalies.accept("A statement that failed has made " + version);
        }
        if (call.operation() instanceof Read) {
            anomalies.accept("A query has made " + version);
        }
    }

    /**
     * Returns whether the storage failed a statement that has more to do after its version: another client completes a
     * RENAME, and the next run of a statement that collects garbage deletes what this one has left.
     */
    private static boolean mayFailAfterVersion(Call call)
    {
        return call.failedWith(Checker.STORAGE_FAILED) && switch (call.operation()) {
            case Maintenance.Expire _, Maintenance.RemoveOrphans _, Maintenance.Vacuum _ -> true;
            default -> Naming.newName(call.operation()).isPresent();
        };
    }
}
