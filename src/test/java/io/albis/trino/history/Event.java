package io.albis.trino.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import static com.fasterxml.jackson.annotation.JsonTypeInfo.Id.NAME;

/**
 * A line of a history.
 */
@JsonTypeInfo(use = NAME, property = "event")
@JsonSubTypes({
        @JsonSubTypes.Type(value = Event.Note.class, name = "note"),
        @JsonSubTypes.Type(value = Event.Invoked.class, name = "invoked"),
        @JsonSubTypes.Type(value = Event.Responded.class, name = "responded"),
        @JsonSubTypes.Type(value = Event.Killed.class, name = "killed"),
})
sealed interface Event
{
    /**
     * Returns nanoseconds since the beginning, on a clock that never goes backward.
     */
    long nanos();

    /**
     * Returns the wall-clock time.
     */
    String time();

    record Note(long nanos, String time, String text)
            implements Event {}

    record Invoked(long nanos, String time, long call, int client, String server, Operation operation)
            implements Event {}

    record Responded(long nanos, String time, long call, Outcome outcome)
            implements Event {}

    /**
     * @param storage whether it was storage, so that statements may fail
     */
    record Killed(long nanos, String time, String what, boolean storage)
            implements Event {}
}
