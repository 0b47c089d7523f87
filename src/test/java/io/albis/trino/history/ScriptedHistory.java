package io.albis.trino.history;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Collections.nCopies;

/**
 * A history that a test makes up. Calls take effect one after the other, unless the test says otherwise.
 */
final class ScriptedHistory
{
    static final String TABLE_ID = "id of a";

    private final List<Event> events = new ArrayList<>();

    private record Content(List<String> added, List<Row> rows) {}

    private final List<List<String>> chain = new ArrayList<>();
    private final List<Content> contents = new ArrayList<>();
    private String table = TABLE_ID;
    private long time;
    private long calls;

    /**
     * Returns the time before the next call.
     */
    long now()
    {
        return time;
    }

    /**
     * Adds a call that was invoked and answered after all others.
     */
    String call(Operation operation, Outcome.Kind kind, List<List<String>> rows)
    {
        time += 10;
        return call(operation, time - 9, time - 1, outcome -> switch (kind) {
            case DONE -> Outcome.done(Optional.of(outcome), rows, OptionalLong.empty());
            case FAILED -> Outcome.failed(Optional.of(outcome), Checker.CONFLICT, "");
            case UNKNOWN -> Outcome.unknown(Optional.of(outcome), "", "");
            case ENDED -> Outcome.done(Optional.of(outcome), rows, OptionalLong.empty()).withoutAnswer();
        });
    }

    interface Answer
    {
        Outcome of(String queryId);
    }

    /**
     * @return the id of the query
     */
    String call(Operation operation, long invoked, long responded, Answer answer)
    {
        calls++;
        String queryId = "query " + calls;
        events.add(new Event.Invoked(invoked, "", calls, 1, "server", operation));
        events.add(new Event.Responded(responded, "", calls, answer.of(queryId)));
        time = Math.max(time, responded);
        return queryId;
    }

    /**
     * Adds a version to the table.
     */
    ScriptedHistory version(String operation, String queryId, Row... rows)
    {
        return version(operation, queryId, List.of(), List.of(rows), contents.size());
    }

    /**
     * @param added columns that were added to the table
     */
    ScriptedHistory version(String operation, String queryId, List<String> added, List<Row> rows, long committed)
    {
        contents.add(new Content(ImmutableList.copyOf(added), ImmutableList.copyOf(rows)));
        chain.add(List.of(table, "", String.valueOf(contents.size()), operation, queryId, String.valueOf(committed)));
        return this;
    }

    /**
     * Adds a statement that was acknowledged, and its version.
     */
    ScriptedHistory write(String operation, Write write, Row... rows)
    {
        return version(operation, call(write, Outcome.Kind.DONE, List.of()), rows);
    }

    /**
     * Adds a query that reads a version as the newest one.
     */
    ScriptedHistory read(long version, Row... rows)
    {
        call(new Read.Newest("a"), Outcome.Kind.DONE, rows(version, List.of(rows)));
        return this;
    }

    static List<List<String>> rows(long version, List<Row> rows)
    {
        return rows(TABLE_ID, version, List.of(), rows);
    }

    private static List<List<String>> rows(String table, long version, List<String> added, List<Row> rows)
    {
        List<List<String>> result = new ArrayList<>();
        for (Row row : rows) {
            List<String> values = new ArrayList<>(List.of(table, String.valueOf(version)));
            values.addAll(row.values());
            added.forEach(column -> values.add(Optional.ofNullable(row.added().get(column)).map(String::valueOf).orElse(null)));
            result.add(values);
        }
        if (rows.isEmpty()) {
            List<String> values = new ArrayList<>(List.of(table, String.valueOf(version)));
            values.addAll(nCopies(Row.COLUMN_COUNT + added.size(), null));
            result.add(values);
        }
        return result;
    }

    /**
     * Returns the answer to a query that returns the rows of a version.
     *
     * @param added columns that were added to the table
     */
    Answer rows(long version, List<String> added, List<Row> rows)
    {
        List<String> columns = ImmutableList.<String>builder()
                .add("table_id", "version", "id", "uid", "writer", "amount")
                .addAll(added)
                .build();
        String table = this.table;
        return queryId -> Outcome.done(Optional.of(queryId), columns, rows(table, version, added, rows), OptionalLong.empty());
    }

    /**
     * Lets somebody read all versions.
     */
    void collect()
    {
        List<List<String>> listed = chain.stream()
                .map(row -> {
                    List<String> complete = new ArrayList<>(row);
                    complete.set(1, String.valueOf(chain.size()));
                    return complete;
                })
                .collect(toImmutableList());
        call(new Read.Chain("a", Map.of()), Outcome.Kind.DONE, listed);
        for (int version = 1; version <= contents.size(); version++) {
            Content content = contents.get(version - 1);
            time += 10;
            call(new Read.Numbered("a", List.of((long) version)), time - 9, time - 1, rows(version, content.added(), content.rows()));
        }
    }

    /**
     * Lets somebody find the table without a name, which another one has afterward.
     */
    void dropped(long version, long rows)
    {
        dropped(table, version, rows);
        table = TABLE_ID + " after " + time;
        chain.clear();
        contents.clear();
    }

    void killStorage()
    {
        events.add(new Event.Killed(time, "", "storage", true));
    }

    /**
     * Lets somebody find a table without a name, which was a.
     */
    void dropped(String table, long version, long rows)
    {
        call(new Read.LostTables(), Outcome.Kind.DONE, List.of(List.of(table, "dropped", String.valueOf(version), String.valueOf(rows), "a", "folder")));
    }

    /**
     * Lets somebody read all versions, and checks the history.
     */
    List<String> check()
    {
        collect();
        return Checker.check(events).anomalies();
    }
}
