package io.albis.format.layout;

import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkOutput;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.List;

/**
 * Collects the rows of a segment of one column group, in one of the layouts.
 */
public interface SegmentEncoder
{
    /**
     * Looks at a page before it is written.
     *
     * @param blocks one for each column of the group
     */
    void prepare(ValueBlock[] blocks, int positionCount);

    /**
     * How many of the rows from {@code offset} on fit in the segment; may be none.
     */
    int rowsThatFit(ValueBlock[] blocks, int offset, int count);

    boolean isFull();

    /**
     * @param count of rows that stand in one run
     */
    void append(ValueBlock[] blocks, int offset, int count);

    /**
     * Bytes of the rows so far, counted as in memory.
     */
    long size();

    /**
     * Writes the segment, and begins a new one.
     *
     * @return one for each column (block layout), or one (row layout)
     */
    List<Chunk> finish(ChunkOutput output)
            throws IOException;

    long retainedSize();
}
