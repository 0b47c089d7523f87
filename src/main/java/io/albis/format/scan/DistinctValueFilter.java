package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.filter.TestedValues;
import io.albis.format.index.ValueListReader;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Run;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Optional;

/**
 * Selects the rows whose values may match a test, where the distinct values of a column are stored. It discards no row
 * of other segments, because a test of each row is slower than the engine, which evaluates the predicate again.
 */
final class DistinctValueFilter
        extends ColumnFilter
{
    private final TestedValues values;

    DistinctValueFilter(ColumnTest test, ColumnReader column)
    {
        super(test.column(), column, test.values().newFilter());
        this.values = test.values();
    }

    @Override
    boolean isSearchable()
    {
        return true;
    }

    @Override
    boolean isWorthSearch(int[] segmentRows, SegmentShare share)
    {
        int segments = share.end(segmentRows.length) - share.begin(segmentRows.length);
        return segments > 1 || (segments == 1 && segmentRows[share.begin(segmentRows.length)] > Run.MAX_ROWS);
    }

    @Override
    Optional<RoaringBitmap> find(ValueListReader index, int maxRows)
            throws IOException
    {
        return index.find(values, maxRows);
    }

    @Override
    boolean mayMatch(int segment, int rows)
    {
        return true;
    }

    @Override
    int matchingRuns(int segment, int rows)
    {
        return ChunkReader.ALL_RUNS;
    }

    @Override
    int droppingRuns(int segment, int rows)
    {
        return ChunkReader.ALL_RUNS;
    }

    @Override
    boolean mayDrop(int segment, int rows)
            throws IOException
    {
        return column().storesDistinctValues(segment);
    }

    @Override
    long claim(Object reader)
    {
        return values.claim(reader);
    }

    @Override
    void release(Object reader)
    {
        values.release(reader);
    }
}
