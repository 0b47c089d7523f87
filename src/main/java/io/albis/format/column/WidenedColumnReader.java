package io.albis.format.column;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.AlbisDataException;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Run;
import io.albis.format.run.SegmentRows;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.FlatBlocks;
import io.albis.format.type.Widening;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.ValueBlock;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Reads a column that is stored with a narrower type than the column has now.
 */
public final class WidenedColumnReader
        implements ColumnReader
{
    private final ColumnReader stored;
    private final Widening widening;
    // the dictionary of the last block and its conversion, because all pages of a segment share a dictionary
    @Nullable
    private ValueBlock dictionary;
    @Nullable
    private ValueBlock widenedDictionary;

    /**
     * @param stored reads the column with the type with which it is stored
     */
    public WidenedColumnReader(ColumnReader stored, Widening widening)
    {
        this.stored = requireNonNull(stored, "stored is null");
        this.widening = requireNonNull(widening, "widening is null");
    }

    @Override
    public ColumnStatistics statistics(int segment)
            throws IOException
    {
        return widen(segment, stored.statistics(segment));
    }

    @Override
    public List<ColumnStatistics> runStatistics(int segment)
            throws IOException
    {
        List<ColumnStatistics> runs = stored.runStatistics(segment);
        ImmutableList.Builder<ColumnStatistics> widened = ImmutableList.builderWithExpectedSize(runs.size());
        for (ColumnStatistics run : runs) {
            widened.add(widen(segment, run));
        }
        return widened.build();
    }

    private ColumnStatistics widen(int segment, ColumnStatistics statistics)
            throws IOException
    {
        try {
            return statistics.widen(widening);
        }
        catch (IllegalArgumentException e) {
            throw invalid(segment, e);
        }
    }

    @Override
    public AlbisDataException invalid(int segment, Exception cause)
    {
        return stored.invalid(segment, cause);
    }

    @Override
    public ChunkReader chunks()
    {
        return stored.chunks();
    }

    @Override
    public void startSegment(int segment)
            throws IOException
    {
        stored.startSegment(segment);
    }

    @Override
    public void readAgain(boolean again)
    {
        stored.readAgain(again);
    }

    @Override
    public void retainOnly(int runs)
    {
        stored.retainOnly(runs);
    }

    @Override
    public void pass(int run)
    {
        stored.pass(run);
    }

    @Override
    public void readAll()
            throws IOException
    {
        stored.readAll();
    }

    @Override
    public Block read(SegmentRows rows)
            throws IOException
    {
        Block block = stored.read(rows);
        if (block instanceof DictionaryBlock ids) {
            if (ids.getDictionary() != dictionary) {
                dictionary = ids.getDictionary();
                widenedDictionary = widening.widen(dictionary);
            }
            return ids.createProjection(widenedDictionary);
        }
        return widening.widen(block);
    }

    @Override
    public int select(FilterState filter, int run, int[] rows, int count)
            throws IOException
    {
        if (widening.keepsKeys()) {
            return stored.select(filter, run, rows, count);
        }
        int[] segmentRows = new int[count];
        for (int i = 0; i < count; i++) {
            segmentRows[i] = run * Run.MAX_ROWS + rows[i];
        }
        Block values = read(SegmentRows.ofRows(segmentRows));
        return filter.select(FlatBlocks.flat(values, 0, count), rows, count);
    }
}
