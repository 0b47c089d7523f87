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
    private final List<List<String>> chain = new ArrayList<>();
    private final List<List<Row>> contents = new ArrayList<>();
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
        contents.add(ImmutableList.copyOf(rows));
        chain.add(List.of(TABLE_ID, "", String.valueOf(contents.size()), operation, queryId));
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
        if (rows.isEmpty()) {
            List<String> row = new ArrayList<>(List.of(TABLE_ID, String.valueOf(version)));
            row.addAll(nCopies(4, null));
            return List.of(row);
        }
        return rows.stream()
                .map(row -> ImmutableList.<String>builder().add(TABLE_ID, String.valueOf(version)).addAll(row.values()).build())
                .collect(toImmutableList());
    }

    /**
     * Lets somebody read all versions, and checks the history.
     */
    List<String> check()
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
            call(new Read.Numbered("a", List.of((long) version)), Outcome.Kind.DONE, rows(version, contents.get(version - 1)));
        }
        return Checker.check(events).anomalies();
    }
}
