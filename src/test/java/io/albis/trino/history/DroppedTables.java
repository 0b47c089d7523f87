package io.albis.trino.history;

import io.albis.trino.history.Naming.Drop;
import io.albis.trino.history.Read.LostTables;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Finds out when tables were dropped, and checks that no other table has lost its name and that nobody finds a table
 * that was dropped.
 */
final class DroppedTables
{
    private static final String DROPPED = "dropped";
    private static final String UNREGISTERED = "unregistered";
    private static final String DAMAGED = "damaged";

    private final Versions versions;
    private final List<Call> calls;
    private final Consumer<String> anomalies;

    DroppedTables(Versions versions, List<Call> calls, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.anomalies = anomalies;
    }

    /**
     * Notes the tables that queries have listed as dropped.
     */
    void find()
    {
        for (Call call : calls) {
            if (call.isDone() && call.operation() instanceof LostTables) {
                call.outcome().rows().forEach(row -> find(call, row));
            }
        }
    }

    private void find(Call call, List<String> row)
    {
        String table = row.get(0);
        switch (row.get(1)) {
            case DAMAGED -> anomalies.accept("A table is damaged: %s in %s".formatted(row, call));
            case UNREGISTERED -> checkRowCount(table, Long.parseLong(row.get(2)), row);
            case DROPPED -> {
                if (versions.drop(table).isEmpty()) {
                    dropped(table, Long.parseLong(row.get(2)), row.get(4), call);
                    checkRowCount(table, Long.parseLong(row.get(2)) - 1, row);
                }
            }
            default -> {}
        }
    }

    private void dropped(String table, long number, String name, Call found)
    {
        Optional<Version> last = versions.last(table);
        if (last.isPresent() && last.get().number >= number) {
            anomalies.accept("A table was dropped by version %s, which others have seen as %s: %s".formatted(number, last.get(), found));
        }
        long from = last.map(version -> version.earliest).orElse(0L);
        List<Call> drops = calls.stream()
                .filter(call -> call.operation() instanceof Write write
                        && write.table().equals(name)
                        && (mayDrop(call) || (last.isEmpty() && mayAbandon(call)))
                        && call.overlaps(from, found.responded()))
                .toList();
        if (drops.isEmpty()) {
            anomalies.accept("Nobody has dropped the table %s with the name %s, which %s has found".formatted(table, name, found));
            return;
        }
        versions.drop(table, new Versions.Drop(
                OptionalLong.of(number),
                Math.max(from, drops.stream().mapToLong(Call::invoked).min().orElseThrow()),
                Math.min(found.responded(), drops.stream().mapToLong(Call::responded).max().orElseThrow())));
    }

    private static boolean mayDrop(Call call)
    {
        return call.operation() instanceof Drop && call.mayTakeEffect();
    }

    /**
     * Returns whether the call may have dropped the table that it failed to create, which never had the name.
     */
    private static boolean mayAbandon(Call call)
    {
        return !call.isDone() && switch (call.operation()) {
            case Create _, Replace _, ReplaceSelect _ -> true;
            default -> false;
        };
    }

    private void checkRowCount(String table, long number, List<String> row)
    {
        versions.find(table, number)
                .flatMap(version -> version.rows)
                .filter(rows -> rows.size() != Long.parseLong(row.get(3)))
                .ifPresent(rows -> anomalies.accept("A table without a name has other rows than before: %s, and had %s".formatted(row, rows)));
    }

    /**
     * Notes the tables that statements have certainly dropped, because they had the name all the time, and checks that
     * nobody finds them afterward.
     */
    void check(Names names)
    {
        for (Call call : calls) {
            if (call.isDone() && call.operation() instanceof Drop drop) {
                names.table(drop.table(), call)
                        .filter(table -> versions.drop(table).isEmpty())
                        .ifPresent(table -> versions.drop(table, new Versions.Drop(OptionalLong.empty(), call.invoked(), call.responded())));
            }
        }
        for (Call call : calls) {
            if (call.isDone() && Read.beginsWithTable(call.operation())) {
                call.outcome().rows().stream()
                        .map(List::getFirst)
                        .distinct()
                        .filter(table -> versions.drop(table).map(Versions.Drop::to).orElse(Call.NEVER) < call.invoked())
                        .forEach(table -> anomalies.accept("A query has found the table %s, which was dropped: %s".formatted(table, call)));
            }
        }
    }
}
