package io.albis.format.scan;

import io.albis.format.run.RowPositions;
import io.albis.format.run.SegmentRows;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;

import java.io.IOException;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkState;

/**
 * A batch of rows of one segment.
 */
final class SegmentBatch
        implements AlbisBatch
{
    private final ScanColumns columns;
    private final Block[] blocks;
    private final RowPositions positions;
    private SegmentRows rows;
    private boolean expired;

    SegmentBatch(ScanColumns columns, SegmentRows rows, RowPositions positions)
    {
        this.columns = columns;
        this.blocks = new Block[columns.channelCount()];
        this.rows = rows;
        this.positions = positions;
    }

    @Override
    public int positionCount()
    {
        return rows.count();
    }

    @Override
    public Block block(int channel)
            throws IOException
    {
        if (blocks[channel] == null) {
            checkValid();
            blocks[channel] = columns.read(channel, rows);
        }
        return blocks[channel];
    }

    @Override
    public Block positions()
            throws IOException
    {
        checkValid();
        return new LongArrayBlock(rows.count(), Optional.empty(), positions.of(rows));
    }

    private void checkValid()
    {
        checkState(!expired, "the batch is no longer valid, because the reader has moved on or is closed");
    }

    @Override
    public void selectPositions(int[] selected, int offset, int size)
    {
        rows = rows.select(selected, offset, size);
        for (int channel = 0; channel < blocks.length; channel++) {
            if (blocks[channel] != null) {
                blocks[channel] = blocks[channel].getPositions(selected, offset, size);
            }
        }
    }

    @Override
    public long sizeInBytes()
    {
        long size = 0;
        for (Block block : blocks) {
            size += block == null ? 0 : block.getSizeInBytes();
        }
        return size;
    }

    @Override
    public long retainedSizeInBytes()
    {
        long size = rows.retainedSize();
        for (Block block : blocks) {
            size += block == null ? 0 : block.getRetainedSizeInBytes();
        }
        return size;
    }

    /**
     * Ends the batch. Columns that have not been read cannot be read any more.
     */
    void expire()
    {
        expired = true;
    }
}
