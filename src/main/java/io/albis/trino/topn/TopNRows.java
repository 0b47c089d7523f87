package io.albis.trino.topn;

import io.albis.format.scan.AlbisBatch;
import io.trino.spi.block.Block;

import java.io.IOException;
import java.util.Arrays;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Selects the rows of the batches of one page source by a threshold. It reads only the first sort key, and the other
 * ones where rows are not later than the threshold in the first one.
 */
public final class TopNRows
{
    private final TopNThreshold threshold;
    private final int[] channels;
    private int[] rows = new int[0];
    private long droppedRows;

    /**
     * @param channels channels of the sort keys in the batches
     */
    public TopNRows(TopNThreshold threshold, int[] channels)
    {
        this.threshold = requireNonNull(threshold, "threshold is null");
        this.channels = channels.clone();
        checkArgument(channels.length == threshold.keyCount(), "there are %s channels for %s keys", channels.length, threshold.keyCount());
    }

    /**
     * Selects the rows of a batch that the scan has to return.
     *
     * @return whether any row is selected
     */
    public boolean select(AlbisBatch batch)
            throws IOException
    {
        if (rows.length < batch.positionCount()) {
            rows = new int[batch.positionCount()];
        }
        if (channels.length > 1) {
            int candidates = threshold.selectByFirstKey(batch.block(channels[0]), batch.positionCount(), rows);
            if (!select(batch, candidates)) {
                return false;
            }
        }
        Block[] keys = new Block[channels.length];
        for (int key = 0; key < keys.length; key++) {
            keys[key] = batch.block(channels[key]);
        }
        return select(batch, threshold.select(keys, batch.positionCount(), rows));
    }

    private boolean select(AlbisBatch batch, int selected)
    {
        int count = batch.positionCount();
        droppedRows += count - selected;
        if (selected > 0 && selected < count) {
            // the blocks of the batch keep the array
            batch.selectPositions(Arrays.copyOf(rows, selected), 0, selected);
        }
        return selected > 0;
    }

    /**
     * Returns the number of rows that were dropped after their first sort key had been read.
     */
    public long droppedRows()
    {
        return droppedRows;
    }

    /**
     * Returns the memory for which this page source must account, in bytes.
     */
    public long retainedSize()
    {
        return (long) rows.length * Integer.BYTES + threshold.claim(this);
    }

    public void close()
    {
        threshold.release(this);
    }
}
