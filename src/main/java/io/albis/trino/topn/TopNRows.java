package io.albis.trino.topn;

import io.albis.format.scan.AlbisBatch;

import java.io.IOException;
import java.util.Arrays;

import static java.util.Objects.requireNonNull;

/**
 * Selects the rows of the batches of one page source by a threshold. It reads only the sort key.
 */
public final class TopNRows
{
    private final TopNThreshold threshold;
    private final int channel;
    private int[] rows = new int[0];
    private long droppedRows;

    /**
     * @param channel channel of the sort key in the batches
     */
    public TopNRows(TopNThreshold threshold, int channel)
    {
        this.threshold = requireNonNull(threshold, "threshold is null");
        this.channel = channel;
    }

    /**
     * Selects the rows of a batch that the scan has to return.
     *
     * @return whether any row is selected
     */
    public boolean select(AlbisBatch batch)
            throws IOException
    {
        int count = batch.positionCount();
        if (rows.length < count) {
            rows = new int[count];
        }
        int selected = threshold.select(batch.block(channel), count, rows);
        droppedRows += count - selected;
        if (selected > 0 && selected < count) {
            // the blocks of the batch keep the array
            batch.selectPositions(Arrays.copyOf(rows, selected), 0, selected);
        }
        return selected > 0;
    }

    /**
     * Returns the number of rows that were dropped after their sort key had been read.
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
