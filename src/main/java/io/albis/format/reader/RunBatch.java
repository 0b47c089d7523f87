package io.albis.format.reader;

import io.albis.format.AlbisBatch;
import io.trino.spi.block.Block;
import jakarta.annotation.Nullable;

import java.io.IOException;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.checkFromIndexSize;

/**
 * The selected rows of one run.
 */
final class RunBatch
        implements AlbisBatch
{
    private final RowGroupReader reader;
    private final int segment;
    private final int run;
    private final Block[] blocks;
    // rows within the run; null for all
    @Nullable
    private int[] positions;
    private int positionCount;
    private boolean expired;

    RunBatch(RowGroupReader reader, int channelCount, int segment, int run, @Nullable int[] positions, int positionCount)
    {
        this.reader = reader;
        this.blocks = new Block[channelCount];
        this.segment = segment;
        this.run = run;
        this.positions = positions;
        this.positionCount = positionCount;
    }

    @Override
    public int positionCount()
    {
        return positionCount;
    }

    @Override
    public Block block(int channel)
            throws IOException
    {
        if (blocks[channel] == null) {
            checkState(!expired, "the reader has gone on since this batch");
            blocks[channel] = reader.readBlock(channel, segment, run, positions, positionCount);
        }
        return blocks[channel];
    }

    @Override
    public void selectPositions(int[] selected, int offset, int size)
    {
        checkFromIndexSize(offset, size, selected.length);
        int[] newPositions = new int[size];
        for (int i = 0; i < size; i++) {
            int position = selected[offset + i];
            newPositions[i] = positions == null ? position : positions[position];
        }
        for (int channel = 0; channel < blocks.length; channel++) {
            if (blocks[channel] != null) {
                blocks[channel] = blocks[channel].getPositions(selected, offset, size);
            }
        }
        positions = newPositions;
        positionCount = size;
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
        long size = positions == null ? 0 : (long) positions.length * Integer.BYTES;
        for (Block block : blocks) {
            size += block == null ? 0 : block.getRetainedSizeInBytes();
        }
        return size;
    }

    void expire()
    {
        expired = true;
    }
}
