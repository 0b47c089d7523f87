package io.albis.format.scan;

import io.trino.spi.block.Block;

import java.io.IOException;

/**
 * A batch of rows as column vectors. This is the vector interface that the Albis paper mentions next to Table 4. A
 * column is read and decoded when it is first requested, and only at the positions that are selected at that time.
 * <p>
 * A batch is valid until its reader is asked for the next batch or is closed. The blocks of a batch remain valid.
 */
public interface AlbisBatch
{
    int positionCount();

    /**
     * Returns a column at the selected positions.
     *
     * @param channel index of the column in the projection of the reader
     * @throws io.albis.format.io.AlbisDataException if the file of the column is damaged
     * @throws IllegalStateException if the column has not been read yet and the batch is no longer valid
     */
    Block block(int channel)
            throws IOException;

    /**
     * Returns the positions of the rows in their row group, as a block of the type bigint. The position of a row never
     * changes, because deleted rows keep their positions.
     *
     * @throws IllegalStateException if the batch is no longer valid
     */
    Block positions()
            throws IOException;

    /**
     * Selects some of the positions, in the given order, for this batch from now on.
     */
    void selectPositions(int[] positions, int offset, int size);

    /**
     * Returns the size in bytes of the blocks that have been requested so far.
     */
    long sizeInBytes();

    /**
     * Returns the size in bytes of all memory that the requested blocks retain.
     */
    long retainedSizeInBytes();
}
