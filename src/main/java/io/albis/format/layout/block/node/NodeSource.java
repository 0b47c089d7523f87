package io.albis.format.layout.block.node;

import io.albis.format.run.ChunkSource;
import io.albis.format.run.NodeSegment;

import java.io.IOException;

/**
 * Provides the stored bytes of one node of a nested column in the current segment.
 */
public interface NodeSource
{
    NodeSegment segment()
            throws IOException;

    /**
     * Goes to a chunk of the node.
     *
     * @param chunk index of the chunk in the segment
     * @param runs a bit for each run of the chunk that may be requested
     */
    ChunkSource open(int chunk, int runs)
            throws IOException;
}
