package io.albis.trino.history;

import io.albis.trino.history.Event.Invoked;
import io.albis.trino.history.Event.Responded;
import io.albis.trino.history.Outcome.Kind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An operation with its outcome.
 *
 * @param responded when the client was told; {@link #NEVER} if the outcome is unknown and the statement may still take
 *         effect
 */
record Call(long number, int client, Operation operation, long invoked, long responded, Outcome outcome)
{
    static final long NEVER = Long.MAX_VALUE;

    static List<Call> of(List<Event> events)
    {
        Map<Long, Responded> responses = new HashMap<>();
        for (Event event : events) {
            if (event instanceof Responded responded) {
                responses.put(responded.call(), responded);
            }
        }
        List<Call> calls = new ArrayList<>();
        for (Event event : events) {
            if (event instanceof Invoked invoked) {
                calls.add(of(invoked, Optional.ofNullable(responses.get(invoked.call()))));
            }
        }
        return calls;
    }

    private static Call of(Invoked invoked, Optional<Responded> response)
    {
        Outcome outcome = response.map(Responded::outcome)
                .orElseGet(() -> Outcome.unknown(Optional.empty(), "", "The history ends before the response"));
        // Others may complete what a server has begun before it was killed, if it gives a name
        boolean mayFollow = outcome.kind() == Kind.UNKNOWN || (outcome.kind() == Kind.ENDED && Naming.newName(invoked.operation()).isPresent());
        long responded = mayFollow ? NEVER : response.orElseThrow().nanos();
        return new Call(invoked.call(), invoked.client(), invoked.operation(), invoked.nanos(), responded, outcome);
    }

    boolean isDone()
    {
        return outcome.kind() == Kind.DONE;
    }

    boolean isUnknown()
    {
        return outcome.kind() == Kind.UNKNOWN || outcome.kind() == Kind.ENDED;
    }

    /**
     * A statement that gives a name may be completed by others after the storage has failed.
     */
    boolean mayTakeEffect()
    {
        return isDone() || isUnknown() || failedWith(Checker.STORAGE_FAILED);
    }

    boolean failedWith(String error)
    {
        return outcome.kind() == Kind.FAILED && outcome.error().equals(Optional.of(error));
    }

    boolean overlaps(long from, long to)
    {
        return invoked <= to && responded >= from;
    }

    OptionalLong count()
    {
        return outcome.count();
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof Call call && call.number == number;
    }

    @Override
    public int hashCode()
    {
        return Long.hashCode(number);
    }

    @Override
    public String toString()
    {
        return "call %s of client %s, %s at %s to %s: %s %s".formatted(number, client, outcome.kind(), seconds(invoked), responded == NEVER ? "?" : seconds(responded), operation, outcome.message().orElse(""));
    }

    private static String seconds(long nanos)
    {
        return "%.3f s".formatted(nanos / 1e9);
    }
}
