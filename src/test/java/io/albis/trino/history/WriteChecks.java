package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Expire;
import io.albis.trino.history.Write.RemoveOrphans;
import io.albis.trino.history.Write.Rename;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;

/**
 * Checks that each version has the rows of the previous one, changed by the statement that made it, and that each
 * statement that was acknowledged has made a version or had nothing to change.
 */
final class WriteChecks
{
    private final Versions versions;
    private final List<Call> calls;
    private final Map<Call, Version> matched;
    private final Consumer<String> anomalies;

    WriteChecks(Versions versions, List<Call> calls, Map<Call, Version> matched, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.matched = matched;
        this.anomalies = anomalies;
    }

    /**
     * @return number of versions that cannot be checked
     */
    long check()
    {
        long unchecked = 0;
        for (Version version : versions.all()) {
            if (!checkRows(version)) {
                unchecked++;
            }
        }
        calls.stream().filter(Call::isDone).forEach(this::checkCount);
        List<String> lost = new ArrayList<>();
        for (Call call : calls) {
            if (call.isDone() && call.operation() instanceof Write write && !matched.containsKey(call) && !hasNothingToChange(call, write)) {
                lost.add("The table has lost " + call);
            }
        }
        // They may have made versions that expired before anybody has seen them
        if (lost.size() > versions.unseen()) {
            lost.forEach(anomalies);
        }
        return unchecked;
    }

    /**
     * Checks that the number of changed rows is that for a version which the statement may have read.
     */
    private void checkCount(Call call)
    {
        if (call.count().isEmpty() || !(call.operation() instanceof Write write) || versions.unseen() > 0) {
            return;
        }
        List<Version> bases = versions.newest(write.table(), call.invoked(), call.responded());
        boolean explained = write instanceof Replace replace
                ? Model.count(replace, ImmutableMultiset.of()).equals(call.count())
                : bases.stream().anyMatch(base -> base.rows.isEmpty() || Model.count(write, base.rows.get()).isEmpty() || Model.count(write, base.rows.get()).equals(call.count()));
        if (!explained) {
            anomalies.accept("Wrong number of rows: %s has reported %s. The versions: %s".formatted(call, call.count(), bases));
        }
    }

    /**
     * @return false if it is not known what the version should have
     */
    private boolean checkRows(Version version)
    {
        if (version.call.isEmpty() || version.rows.isEmpty() || !(version.call.get().operation() instanceof Write write)) {
            // The version of a RENAME that cannot be matched is reported elsewhere
            return false;
        }
        Multiset<Row> rows = version.rows.get();
        if (version.operation.equals(Version.CREATE)) {
            if (write instanceof Replace replace && !rows.equals(Model.apply(replace, rows, rows).orElseThrow())) {
                wrongRows(version, rows, List.of(Model.apply(replace, rows, rows).orElseThrow()));
            }
            return write instanceof Replace;
        }
        Optional<Multiset<Row>> current = versions.previous(version).flatMap(previous -> previous.rows);
        if (write instanceof Rollback rollback) {
            current = versions.find(version.table, rollback.version()).flatMap(restored -> restored.rows);
        }
        if (current.isEmpty()) {
            return false;
        }
        List<Multiset<Row>> expected = new ArrayList<>();
        Model.apply(write, current.get(), current.get()).ifPresent(expected::add);
        if (expected.contains(rows)) {
            return true;
        }
        if (versions.previous(version).orElse(version).isolation == SERIALIZABLE) {
            wrongRows(version, rows, expected);
            return true;
        }
        for (Version base : bases(version)) {
            if (base.rows.isEmpty()) {
                return false;
            }
            Model.apply(write, base.rows.get(), current.get()).ifPresent(expected::add);
        }
        if (!expected.contains(rows)) {
            wrongRows(version, rows, expected);
        }
        return true;
    }

    /**
     * Returns the versions that the statement may have read.
     */
    private List<Version> bases(Version version)
    {
        Call call = version.call.orElseThrow();
        List<Version> bases = new ArrayList<>();
        for (Version base = versions.previous(version).orElse(null); base != null; base = versions.previous(base).orElse(null)) {
            if (versions.mayBeNewest(base, call.invoked(), call.responded())) {
                bases.add(base);
            }
            boolean replaced = base.call.isPresent() && (base.call.get().operation() instanceof Replace || base.call.get().operation() instanceof ReplaceSelect || base.call.get().operation() instanceof Rollback);
            if (replaced) {
                // A statement that began before is refused
                break;
            }
        }
        return bases;
    }

    private void wrongRows(Version version, Multiset<Row> rows, List<Multiset<Row>> expected)
    {
        String difference = expected.isEmpty()
                ? "it should have been refused"
                : "it lacks %s, and should not have %s".formatted(Multisets.difference(expected.getFirst(), rows), Multisets.difference(rows, expected.getFirst()));
        anomalies.accept("Wrong rows in %s: %s".formatted(version, difference));
    }

    /**
     * Returns whether the statement could have had nothing to change at some time between its invocation and its
     * response.
     */
    private boolean hasNothingToChange(Call call, Write write)
    {
        if (write instanceof Expire || write instanceof RemoveOrphans) {
            return true;
        }
        if (write instanceof Rename || write instanceof CreateTag || write instanceof DropTag || write instanceof Replace || write instanceof ReplaceSelect) {
            return false;
        }
        for (Version version : versions.newest(write.table(), call.invoked(), call.responded())) {
            if (write instanceof Rollback rollback) {
                if (version.number == rollback.version()) {
                    return true;
                }
            }
            else if (version.rows.isEmpty() || Model.apply(write, version.rows.get(), version.rows.get()).equals(version.rows)) {
                return true;
            }
        }
        // Rows that a DELETE has found may have been deleted by others one after the other
        return write instanceof Delete delete && othersDeleted(call, delete);
    }

    private boolean othersDeleted(Call call, Delete delete)
    {
        return versions.newest(delete.table(), call.invoked(), call.responded()).stream()
                .anyMatch(base -> versions.newest(delete.table(), call.invoked(), call.responded()).stream()
                        .filter(later -> later.table.equals(base.table) && later.number >= base.number)
                        .anyMatch(later -> base.rows.isPresent() && later.rows.isPresent() && Model.apply(delete, base.rows.get(), later.rows.get()).equals(later.rows)));
    }
}
