package io.albis.trino.history;

import io.albis.trino.history.Event.Invoked;
import io.albis.trino.history.Event.Killed;
import io.albis.trino.history.Event.Responded;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the kills of a history have hit.
 *
 * @param duringWrites kills while a statement that writes ran on the server, or on any server for a kill of storage
 * @param interrupting kills of servers after which the outcome of such a statement is unknown
 */
record Kills(long servers, long storage, long duringWrites, long interrupting)
{
    static Kills of(List<Event> events)
    {
        Set<Long> unknown = new HashSet<>();
        for (Call call : Call.of(events)) {
            if (call.isUnknown()) {
                unknown.add(call.number());
            }
        }
        Map<Long, String> writes = new HashMap<>();
        long servers = 0;
        long storage = 0;
        long duringWrites = 0;
        long interrupting = 0;
        for (Event event : events) {
            switch (event) {
                case Invoked invoked when invoked.operation() instanceof Write -> writes.put(invoked.call(), invoked.server());
                case Responded responded -> writes.remove(responded.call());
                case Killed killed when killed.storage() -> {
                    storage++;
                    duringWrites += writes.isEmpty() ? 0 : 1;
                }
                case Killed killed -> {
                    servers++;
                    duringWrites += writes.containsValue(killed.what()) ? 1 : 0;
                    interrupting += writes.entrySet().stream().anyMatch(write -> write.getValue().equals(killed.what()) && unknown.contains(write.getKey())) ? 1 : 0;
                }
                default -> {}
            }
        }
        return new Kills(servers, storage, duringWrites, interrupting);
    }

    long all()
    {
        return servers + storage;
    }
}
