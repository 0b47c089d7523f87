package io.albis.format.layout;

import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;

/**
 * Collects the rows of a segment of one column group, and writes them in one of the layouts.
 */
public interface SegmentEncoder
{
    /**
     * Prepares for appending rows of a page.
     *
     * @param blocks one block for each column of the group
     * @param positionCount number of positions of the page
     * @throws io.albis.format.run.RowTooLargeException if a row is larger than the maximum row size
     */
    void prepare(ValueBlock[] blocks, int positionCount);

    /**
     * Returns how many of the rows starting at {@code offset} fit into the segment. May be zero.
     */
    int rowsThatFit(ValueBlock[] blocks, int offset, int count);

    boolean isFull();

    /**
     * Appends rows that all belong to the same run.
     */
    void append(ValueBlock[] blocks, int offset, int count);

    /**
     * Returns the size of the appended rows in bytes, based on their size in memory.
     */
    long size();

    /**
     * Writes the segment, and starts a new one.
     *
     * @return in the row layout, one node for all scalar columns if there are any; in the block layout, one node for
     *         each of them. A nested column has all its nodes in pre-order, which in the row layout follow the rows
     */
    List<NodeChunks> finish(ChunkOutput output)
            throws IOException;

    long retainedSize();
}
