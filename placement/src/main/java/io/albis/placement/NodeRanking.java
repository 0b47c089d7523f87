package io.albis.placement;

import java.util.Collection;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * An order of all DataNodes that depends only on a key, computed by rendezvous hashing. Adding or removing a node does
 * not change the order of the other nodes.
 */
final class NodeRanking
{
    private final long key;

    private NodeRanking(long key)
    {
        this.key = key;
    }

    static NodeRanking of(UUID rowGroup)
    {
        return new NodeRanking(mix(rowGroup.getMostSignificantBits() ^ mix(rowGroup.getLeastSignificantBits())));
    }

    /**
     * Returns a ranking that does not depend on the order in which the nodes are given.
     */
    static NodeRanking of(Collection<String> datanodes)
    {
        long key = 0;
        for (String datanode : datanodes) {
            key += hash(datanode);
        }
        return new NodeRanking(mix(key));
    }

    /**
     * Compares two DataNodes by their IDs.
     */
    int compare(String left, String right)
    {
        int result = Long.compare(mix(key ^ hash(left)), mix(key ^ hash(right)));
        return result != 0 ? result : left.compareTo(right);
    }

    private static long hash(String text)
    {
        requireNonNull(text, "text is null");
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return mix(hash);
    }

    // The finalizer of splitmix64, which makes every bit of the result depend on every bit of the input
    private static long mix(long value)
    {
        value = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        value = (value ^ (value >>> 27)) * 0x94D049BB133111EBL;
        return value ^ (value >>> 31);
    }
}
