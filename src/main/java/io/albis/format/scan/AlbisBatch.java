package io.albis.format.scan;

import io.trino.spi.block.Block;

import java.io.IOException;

/**
 * Rows as vectors: the vector interface that the Albis paper mentions beside Table 4. A column is read and decoded when
 * it is first asked for, and only at the positions that are selected by then.
 * <p>
 * A batch is valid until the reader that made it is asked for the next one or closed; blocks that it handed out stay valid.
 */
public interface AlbisBatch
{
    int positionCount();

    /**
     * @param channel index of a column in the projection of the reader
     * @throws AlbisDataException if the file of the column is damaged
     * @throws IllegalStateException if the reader went on since
     */
    Block block(int channel)
            throws IOException;

    /**
     * Keeps only some of the positions, in the given order.
     */
    void selectPositions(int[] positions, int offset, int size);

    /**
     * Bytes of the blocks that were asked for so far.
     */
    long sizeInBytes();

    /**
     * As {@link #sizeInBytes}, with all memory that the blocks keep alive.
     */
    long retainedSizeInBytes();
}
