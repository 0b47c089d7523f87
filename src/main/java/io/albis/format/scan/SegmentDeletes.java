package io.albis.format.scan;

import io.albis.format.delete.DeletedPositions;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.RowRanges;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import org.roaringbitmap.RoaringBitmap;

import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The deleted rows of a row group by segments and runs. A scan leaves out other rows in the same way.
 */
final class SegmentDeletes
{
    private DeletedPositions deleted;
    private final int[] segmentRows;
    // position of the first row of each segment in the row group
    private final long[] begins;

    /**
     * @param segmentRows the number of rows of each segment
     */
    SegmentDeletes(DeletedPositions deleted, int[] segmentRows)
    {
        this.deleted = requireNonNull(deleted, "deleted is null");
        this.segmentRows = requireNonNull(segmentRows, "segmentRows is null");
        this.begins = new long[segmentRows.length];
        long begin = 0;
        for (int segment = 0; segment < segmentRows.length; segment++) {
            begins[segment] = begin;
            begin += segmentRows[segment];
        }
    }

    /**
     * Treats the rows that are not in a bitmap as deleted.
     */
    void excludeOthers(RoaringBitmap found)
    {
        deleted = deleted.withoutOthers(found, Arrays.stream(segmentRows).asLongStream().sum());
    }

    /**
     * Returns the number of rows of a segment that are not in a bitmap, including deleted ones.
     */
    long rowsWithout(int segment, RoaringBitmap found)
    {
        return segmentRows[segment] - found.rangeCardinality(begin(segment), begin(segment) + segmentRows[segment]);
    }

    /**
     * Returns the retained memory in bytes.
     */
    long retainedSize()
    {
        return deleted.isEmpty() ? 0 : deleted.retainedSize();
    }

    /**
     * Returns the position of the first row of a segment in the row group.
     */
    long begin(int segment)
    {
        return begins[segment];
    }

    /**
     * Returns a bit for each run of a segment, which is not set if all its rows are deleted. Bits after the last run
     * have no meaning.
     */
    int liveRuns(int segment)
    {
        if (deleted.isEmpty()) {
            return ChunkReader.ALL_RUNS;
        }
        int live = 0;
        for (int run = 0; run < Segment.runs(segmentRows[segment]); run++) {
            long begin = begin(segment, run);
            live |= deleted.isFull(begin, begin + count(segment, run)) ? 0 : 1 << run;
        }
        return live;
    }

    /**
     * Returns the number of rows of a run that are deleted.
     */
    int deletedRows(int segment, int run)
    {
        if (deleted.isEmpty()) {
            return 0;
        }
        long begin = begin(segment, run);
        return (int) deleted.cardinality(begin, begin + count(segment, run));
    }

    /**
     * Selects the rows of a run that are not deleted.
     *
     * @param rows receives the rows within the run, ascending
     * @return the number of rows that are not deleted
     */
    int selectLive(int segment, int run, int[] rows)
    {
        return deleted.selectLive(begin(segment, run), count(segment, run), rows);
    }

    /**
     * Returns the rows of a run that are not deleted, as ranges if it is faster to decode the rows between them too.
     *
     * @param deletedRows the number of rows that are deleted
     */
    Optional<RowRanges> liveRanges(int segment, int run, int deletedRows)
    {
        int count = count(segment, run);
        if (!RowRanges.mayBeWorthwhile(count - deletedRows, count)) {
            return Optional.empty();
        }
        return RowRanges.between(deleted.deletedRows(begin(segment, run), count), count);
    }

    /**
     * Removes deleted rows from selected rows of a run.
     *
     * @param rows rows within the run, ascending; those that are not deleted are moved to the front
     * @return the number of rows that are not deleted
     */
    int removeDeleted(int segment, int run, int[] rows, int count)
    {
        return deleted.removeFrom(begin(segment, run), rows, count);
    }

    private long begin(int segment, int run)
    {
        return begins[segment] + (long) run * Run.MAX_ROWS;
    }

    private int count(int segment, int run)
    {
        return Segment.runRows(segmentRows[segment], run);
    }
}
