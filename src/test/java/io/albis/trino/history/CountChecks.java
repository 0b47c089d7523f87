package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.SetColumn;
import io.albis.trino.history.Write.Update;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;

/**
 * Checks that each statement reports a number of changed rows that the isolation level allows. With SERIALIZABLE, this
 * is the number for the version before that of the statement, because the versions are a serial order. There are two
 * statements that need another order, and have no other effect than in the order of the versions: a DELETE whose rows a
 * TRUNCATE has removed, and an UPDATE in place of rows that others have deleted. With SNAPSHOT, the number is that for
 * any version that the statement may have read, and the statement has changed all of these rows that still exist.
 */
final class CountChecks
{
    private final Versions versions;
    private final Map<Call, Version> matched;
    private final Gaps gaps;
    private final Consumer<String> anomalies;

    /**
     * @param matched the version that each call has made
     */
    CountChecks(Versions versions, Map<Call, Version> matched, Gaps gaps, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.matched = matched;
        this.gaps = gaps;
        this.anomalies = anomalies;
    }

    void check(List<Call> calls)
    {
        for (Call call : calls) {
            if (call.isDone() && call.count().isPresent() && call.operation() instanceof Write write && !gaps.overlap(call) && !isExplained(call, write)) {
                anomalies.accept("Wrong number of rows: %s has reported %s. The versions: %s".formatted(call, call.count(), versions.newest(write.table(), call.invoked(), call.responded())));
            }
        }
    }

    private boolean isExplained(Call call, Write write)
    {
        OptionalLong withoutRows = Model.count(write, ImmutableMultiset.of());
        if (withoutRows.isEmpty()) {
            return true;
        }
        if (write instanceof Replace || write instanceof Create) {
            return withoutRows.equals(call.count());
        }
        Optional<Version> made = Optional.ofNullable(matched.get(call));
        Optional<Version> before = made.flatMap(versions::previous);
        if (before.isPresent() && before.get().isolation == SERIALIZABLE) {
            return before.get().rows.map(rows -> Model.count(write, rows).equals(call.count())).orElse(true) || isUpdateBeforeDeletes(call, write, before.get());
        }
        List<Version> newest = versions.newest(write.table(), call.invoked(), call.responded());
        return newest.stream()
                .anyMatch(base -> base.rows.map(rows -> isExplainedBy(base, rows, call, write, made.isEmpty()) && isComplete(base, rows, write, made.map(List::of).orElse(newest))).orElse(true));
    }

    private static boolean isComplete(Version base, Multiset<Row> rows, Write write, List<Version> after)
    {
        return base.isolation == SERIALIZABLE
                || after.stream().anyMatch(version -> version.rows.map(later -> Model.isComplete(write, rows, later)).orElse(true));
    }

    private boolean isExplainedBy(Version base, Multiset<Row> rows, Call call, Write write, boolean withoutVersion)
    {
        if (!Model.count(write, rows).equals(call.count())) {
            return false;
        }
        return !withoutVersion
                || base.isolation != SERIALIZABLE
                || Model.apply(write, rows, rows).equals(Optional.of(rows))
                || versions.next(base).map(next -> next.operation.equals(Version.TRUNCATE)).orElse(false);
    }

    /**
     * Returns whether an UPDATE in place may have counted rows that others have deleted since the version that it has
     * read. The others must have deleted the same rows if the UPDATE had run first.
     */
    private boolean isUpdateBeforeDeletes(Call call, Write write, Version last)
    {
        if (!(write instanceof Update || write instanceof SetColumn)) {
            return false;
        }
        long count = Model.count(write, last.rows.orElseThrow()).orElseThrow();
        Version later = last;
        while (count < call.count().orElseThrow()) {
            Optional<Version> base = versions.previous(later).filter(version -> versions.mayBeNewest(version, call.invoked(), call.responded()));
            if (base.isEmpty()) {
                return false;
            }
            if (base.get().rows.isEmpty()) {
                return true;
            }
            if (later.call.isPresent() && later.call.get().operation() instanceof Delete delete && readsOtherColumns(delete, write)) {
                count += Model.count(write, base.get().rows.get()).orElseThrow() - Model.count(write, later.rows.orElseThrow()).orElseThrow();
            }
            later = base.get();
        }
        return count == call.count().orElseThrow();
    }

    private static boolean readsOtherColumns(Delete delete, Write update)
    {
        // an UPDATE changes the amounts
        return delete.modulus() == 1 || update instanceof SetColumn;
    }
}
