package io.albis.trino.history;

import io.albis.table.model.IsolationLevel;
import io.albis.trino.history.Write.Rename;
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
 * Finds the call that made each version: the version has the id of its query. The exception is a RENAME that another
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
        });
        Call call = byQuery.get(version.queryId);
        if (call == null) {
            anomalies.accept("Nobody has made " + version);
            return;
        }
        if (version.operation.equals(Version.RENAME)) {
            if (call.operation() instanceof Rename rename && !matched.containsKey(call) && (version.name == null || rename.table().equals(version.name))) {
                version.name = rename.to();
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
        switch (call.operation()) {
            case Replace replace -> replaced(version, replace.table(), replace.isolation());
            case ReplaceSelect replace -> replaced(version, replace.table(), replace.isolation());
            case Rollback rollback -> version.isolation = versions.find(version.table, rollback.version())
                    .map(restored -> restored.isolation)
                    .orElse(null);
            default -> {}
        }
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
        return calls.stream().anyMatch(call -> isRename(call, from, to) && call.overlaps(helper.invoked(), helper.responded()));
    }

    private static boolean isRename(Call call, String from, String to)
    {
        return call.operation() instanceof Rename rename
                && rename.to().equals(to)
                && (from == null || rename.table().equals(from))
                && mayTakeEffect(call);
    }

    private static void replaced(Version version, String name, IsolationLevel isolation)
    {
        if (version.operation.equals(Version.CREATE)) {
            version.name = name;
        }
        version.isolation = isolation;
    }

    private void complete(Completion completion)
    {
        Set<Call> candidates = new HashSet<>();
        for (Call call : calls) {
            if (isRename(call, completion.from(), completion.to())
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

    /**
     * A RENAME that failed because of the storage may be completed later.
     */
    private static boolean mayTakeEffect(Call rename)
    {
        return rename.isDone() || rename.isUnknown() || rename.failedWith(Checker.STORAGE_FAILED);
    }

    private void assign(Version version, Call call)
    {
        version.call = Optional.of(call);
        Version other = matched.putIfAbsent(call, version);
        if (other != null) {
            anomalies.accept("A statement has made two versions, %s and %s".formatted(other, version));
        }
        boolean storageFailedRename = call.operation() instanceof Rename && call.failedWith(Checker.STORAGE_FAILED);
        if (!call.isDone() && !call.isUnknown() && !storageFailedRename) {
            anomalies.accept("A statement that failed has made " + version);
        }
        if (call.operation() instanceof Read) {
            anomalies.accept("A query has made " + version);
        }
    }
}
