package io.albis.format.column;

import io.albis.format.io.AlbisDataException;
import io.albis.format.layout.row.RowDecoder;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.RunRows;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ValueBlock;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a scalar column of a column group in the row layout.
 */
public final class RowColumnReader
        implements ColumnReader
{
    private final AlbisColumn column;
    private final int index;
    private final int slot;
    private final ColumnGroupMetadata metadata;
    private final RowRunReader rows;
    private int segment;

    /**
     * Creates a reader that is at no segment yet.
     *
     * @param index index of the column in its column group
     * @param slot index of the column in the rows
     * @param rows reader of the runs, which all columns of the group share
     */
    public RowColumnReader(AlbisColumn column, int index, int slot, ColumnGroupMetadata metadata, RowRunReader rows)
    {
        this.column = column;
        this.index = index;
        this.slot = slot;
        this.metadata = metadata;
        this.rows = rows;
    }

    @Override
    public ColumnStatistics statistics(int segment)
            throws IOException
    {
        return metadata.statistics(index, segment);
    }

    @Override
    public List<ColumnStatistics> runStatistics(int segment)
            throws IOException
    {
        return metadata.runStatistics(index, segment);
    }

    @Override
    public AlbisDataException invalid(int segment, Exception cause)
    {
        return rows.invalid(segment, cause);
    }

    @Override
    public ChunkReader chunks()
    {
        return rows.chunks();
    }

    @Override
    public void startSegment(int segment)
            throws IOException
    {
        this.segment = segment;
        rows.startSegment(segment);
    }

    @Override
    public void readAgain(boolean again)
    {
        // runs stay in memory until they are passed, because they contain the other columns as well
    }

    @Override
    public Block read(SegmentRows selection)
            throws IOException
    {
        if (selection.isRun()) {
            return decode(selection.firstRun(), null, selection.count());
        }
        if (selection.byRun().size() == 1) {
            return decode(selection.list(), selection.byRun().getFirst());
        }
        BlockBuilder builder = column.type().createBlockBuilder(null, selection.count());
        for (RunRows part : selection.byRun()) {
            builder.appendBlockRange(decode(selection.list(), part), 0, part.count());
        }
        return builder.build();
    }

    private ValueBlock decode(int[] segmentRows, RunRows part)
            throws IOException
    {
        int[] runRows = new int[part.count()];
        for (int i = 0; i < runRows.length; i++) {
            runRows[i] = SegmentRows.inRun(segmentRows[part.begin() + i]);
        }
        return decode(part.run(), runRows, runRows.length);
    }

    @Override
    public int select(FilterState filter, int run, int[] runRows, int count)
            throws IOException
    {
        boolean all = count == Segment.runRows(metadata.segmentRows()[segment], run);
        return filter.select(decode(run, all ? null : Arrays.copyOf(runRows, count), count), runRows, count);
    }

    private ValueBlock decode(int run, int[] runRows, int count)
            throws IOException
    {
        RowDecoder decoder = rows.decoder(run, runRows, count);
        try {
            return (ValueBlock) decoder.decode(slot, runRows, count, statistics(segment).nullCount() > 0);
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw rows.invalid(e);
        }
    }
}
