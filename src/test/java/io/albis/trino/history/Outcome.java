package io.albis.trino.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * What a client was told.
 *
 * @param queryId empty if the server has not given the statement an id, and therefore never runs it
 * @param columns names of the columns of the rows; empty if they do not matter
 * @param rows values as text, or null
 * @param count number of rows that were changed
 */
public record Outcome(Kind kind, Optional<String> queryId, Optional<String> error, Optional<String> message, List<String> columns, List<List<String>> rows, OptionalLong count)
{
    public enum Kind
    {
        DONE,
        /**
         * The statement has certainly changed nothing.
         */
        FAILED,
        /**
         * The statement may have taken effect, or may still do so.
         */
        UNKNOWN,
        /**
         * The statement may have taken effect. It does not do so any more, because nothing of its server reaches the
         * storage any more.
         */
        ENDED,
    }

    public Outcome
    {
        requireNonNull(kind, "kind is null");
        columns = columns == null ? List.of() : List.copyOf(columns);
        // values may be null
        rows = rows == null ? List.of() : Collections.unmodifiableList(new ArrayList<>(rows));
    }

    static Outcome done(Optional<String> queryId, List<List<String>> rows, OptionalLong count)
    {
        return done(queryId, List.of(), rows, count);
    }

    static Outcome done(Optional<String> queryId, List<String> columns, List<List<String>> rows, OptionalLong count)
    {
        return new Outcome(Kind.DONE, queryId, Optional.empty(), Optional.empty(), columns, rows, count);
    }

    static Outcome failed(Optional<String> queryId, String error, String message)
    {
        return new Outcome(Kind.FAILED, queryId, Optional.of(error), Optional.of(message), List.of(), List.of(), OptionalLong.empty());
    }

    static Outcome unknown(Optional<String> queryId, String error, String message)
    {
        return new Outcome(Kind.UNKNOWN, queryId, Optional.of(error), Optional.of(message), List.of(), List.of(), OptionalLong.empty());
    }

    /**
     * Returns what a client knows that has lost the server before the answer arrived.
     */
    Outcome withoutAnswer()
    {
        return new Outcome(Kind.ENDED, queryId, Optional.of(""), Optional.of("The server was killed before it answered %s %s".formatted(kind, message.orElse(""))), List.of(), List.of(), OptionalLong.empty());
    }
}
