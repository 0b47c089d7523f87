package io.albis.format.scan;

import io.albis.format.run.SegmentRows;
import io.trino.spi.block.Block;

import java.io.IOException;

import static com.google.common.base.Preconditions.checkState;

/**
 * A batch of rows of one segment.
 */
final class SegmentBatch
        implements AlbisBatch
{
    private final ScanColumns columns;
    private final Block[] blocks;
    private SegmentRows rows;
    private boolean expired;

    SegmentBatch(ScanColumns columns, SegmentRows rows)
    {
        this.columns = columns;
        this.blocks = new Block[columns.channelCount()];
        this.rows = rows;
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
            checkState(!expired, "the batch is no longer valid, because the reader has moved on or is closed");
            blocks[channel] = columns.read(channel, rows);
        }
        return blocks[channel];
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
        long size = rows.rows() == null ? 0 : (long) rows.rows().length * Integer.BYTES;
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
