package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import io.albis.trino.history.Event.Invoked;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * The statements of a recorded history, which clients run again.
 */
final class RecordedStatements
{
    private final List<Operation> first;
    private final Map<Integer, Queue<Operation>> byClient = new HashMap<>();
    private final long operations;

    RecordedStatements(List<Event> events)
    {
        List<Operation> first = new ArrayList<>();
        long operations = 0;
        for (Event event : events) {
            if (event instanceof Invoked invoked && invoked.client() != HistoryRun.COLLECTOR) {
                byClient.computeIfAbsent(invoked.client(), _ -> new ArrayDeque<>()).add(invoked.operation());
                operations++;
            }
            else if (event instanceof Invoked invoked && invoked.operation() instanceof Write.Replace) {
                first.add(invoked.operation());
            }
        }
        this.first = ImmutableList.copyOf(first);
        this.operations = operations;
    }

    /**
     * Returns the statements before all others.
     */
    List<Operation> first()
    {
        return first;
    }

    /**
     * Returns the highest number of a client.
     */
    int clients()
    {
        return byClient.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    long operations()
    {
        return operations;
    }

    /**
     * Returns the next statement of a client, which only one thread may ask for.
     */
    Optional<Operation> next(int client)
    {
        return Optional.ofNullable(byClient.get(client)).map(Queue::poll);
    }
}
