package io.albis.trino.history;

import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.albis.trino.history.Alteration.RenameColumn;
import io.albis.trino.history.Naming.Drop;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Insert;
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
    private final Gaps gaps;
    private final Consumer<String> anomalies;

    WriteChecks(Versions versions, List<Call> calls, Map<Call, Version> matched, Gaps gaps, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.matched = matched;
        this.gaps = gaps;
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
        new CountChecks(versions, matched, gaps, anomalies).check(calls);
        List<String> duringGaps = new ArrayList<>();
        for (Call call : calls) {
            if (call.isDone() && call.operation() instanceof Write write && !matched.containsKey(call) && !hasNothingToChange(call, write)) {
                String anomaly = "The table has lost " + call;
                if (!gaps.overlap(call)) {
                    anomalies.accept(anomaly);
                }
                else if (!gaps.overlapUncounted(call)) {
                    duringGaps.add(anomaly);
                }
            }
        }
        // They may have made versions that nobody has seen
        if (duringGaps.size() > gaps.count()) {
            duringGaps.forEach(anomalies);
        }
        return unchecked;
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
        checkColumns(version);
        Multiset<Row> rows = version.rows.get();
        if (version.operation.equals(Version.CREATE)) {
            boolean known = write instanceof Replace || write instanceof Create;
            if (known && !rows.equals(Model.apply(write, rows, rows).orElseThrow())) {
                wrongRows(version, rows, List.of(Model.apply(write, rows, rows).orElseThrow()));
            }
            return known;
        }
        Optional<Multiset<Row>> current = write instanceof Rollback rollback
                ? versions.find(version.table, rollback.version()).flatMap(restored -> restored.rows)
                : versions.previous(version).flatMap(before -> before.rows);
        if (current.isEmpty()) {
            return false;
        }
        List<Multiset<Row>> expected = new ArrayList<>();
        Optional<Version> previous = versions.previous(version);
        AddedColumns columns = new AddedColumns(previous, bases(version));
        if (!columns.areKnown(write)) {
            return false;
        }
        columns.named(write).forEach(named -> Model.apply(named, current.get(), current.get()).ifPresent(expected::add));
        if (expected.contains(rows)) {
            return true;
        }
        if (previous.orElse(version).isolation == SERIALIZABLE) {
            wrongRows(version, rows, expected);
            return true;
        }
        for (Version base : bases(version)) {
            if (base.rows.isEmpty()) {
                return false;
            }
            Optional<Multiset<Row>> renamed = columns.rename(base);
            if (renamed.isEmpty()) {
                return false;
            }
            columns.named(write).forEach(named -> Model.apply(named, renamed.get(), current.get()).ifPresent(expected::add));
        }
        if (!expected.contains(rows)) {
            wrongRows(version, rows, expected);
        }
        return true;
    }

    private void checkColumns(Version version)
    {
        if (version.added != null && version.columns.isPresent() && !version.columns.get().equals(version.added.keySet())) {
            anomalies.accept("Wrong columns in %s: it has %s instead of %s".formatted(version, version.columns.get(), version.added.keySet()));
        }
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
        // The version of a DROP has no name by which anybody could read it
        if (write instanceof Maintenance || write instanceof Drop) {
            return true;
        }
        if (write instanceof RenameColumn rename && renamedByOthers(call, rename)) {
            return true;
        }
        if (write instanceof Naming || write instanceof Alteration || write instanceof CreateTag || write instanceof DropTag || write instanceof Create || write instanceof Replace || write instanceof ReplaceSelect) {
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
        // Rows that a DELETE has found may have been deleted by others one after the other. With SERIALIZABLE, this
        // would be a conflict
        if (write instanceof Delete delete && othersDeleted(call, delete)) {
            return true;
        }
        // The rows of versions that nobody has seen are unknown. An INSERT changes any rows
        return !(write instanceof Insert) && gaps.overlap(call);
    }

    /**
     * Returns whether the column may have had its new name already.
     */
    private boolean renamedByOthers(Call call, RenameColumn rename)
    {
        return versions.newest(rename.table(), call.invoked(), call.responded()).stream()
                .anyMatch(version -> version.added == null || version.added.containsKey(rename.to()));
    }

    private boolean othersDeleted(Call call, Delete delete)
    {
        return versions.newest(delete.table(), call.invoked(), call.responded()).stream()
                .filter(base -> base.isolation != SERIALIZABLE)
                .anyMatch(base -> versions.newest(delete.table(), call.invoked(), call.responded()).stream()
                        .filter(later -> later.table.equals(base.table) && later.number >= base.number)
                        .anyMatch(later -> base.rows.isPresent() && later.rows.isPresent() && Model.apply(delete, base.rows.get(), later.rows.get()).equals(later.rows)));
    }
}
