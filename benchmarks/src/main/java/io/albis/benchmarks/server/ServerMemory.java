package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;

import java.util.Map;

/**
 * The limits with which a single query may use most of the heap, because queries run one at a time.
 */
final class ServerMemory
{
    private ServerMemory() {}

    /**
     * Returns the configuration properties of a server.
     *
     * @param heapBytes size of the heap of its process
     * @param servers number of servers that run tasks on this heap
     */
    public static Map<String, String> properties(long heapBytes, int servers)
    {
        return ImmutableMap.of(
                "query.max-memory-per-node", part(heapBytes, 0.6 / servers),
                // Other servers may have the same heap
                "memory.heap-headroom-per-node", part(heapBytes, 1 - 0.8 / servers));
    }

    private static String part(long bytes, double part)
    {
        return DataSize.ofBytes((long) (bytes * part)).toBytesValueString();
    }
}
