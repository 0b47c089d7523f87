package io.albis.format.run;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The chunks that one segment stores for a node: a scalar column, or a part of a nested column.
 *
 * @param chunks one chunk for a scalar column and for the root of a nested column; any number for other nodes
 * @param elements number of elements in each run of an array or a map; empty for other nodes. Callers must not modify
 *         the array
 */
public record NodeChunks(List<Chunk> chunks, int[] elements)
{
    private static final int[] NO_ELEMENTS = {};

    public NodeChunks
    {
        chunks = ImmutableList.copyOf(chunks);
        requireNonNull(elements, "elements is null");
    }

    /**
     * Returns what a segment stores for a scalar column, or for all scalar columns in the row layout.
     */
    public static NodeChunks of(Chunk chunk)
    {
        return new NodeChunks(ImmutableList.of(chunk), NO_ELEMENTS);
    }
}
