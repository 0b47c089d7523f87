package io.albis.format.scan;

import io.albis.format.run.RowRanges;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import jakarta.annotation.Nullable;

import java.util.Arrays;
import java.util.Optional;

import static java.lang.Math.min;

/**
 * The selected rows of a segment, divided into pages. A run of which all rows or most of them are selected is a page.
 * The selected rows of several other consecutive runs form a page together.
 */
final class SegmentSelection
{
    private int[] rows = new int[0];
    // the rows of run n are at the indexes from ends[n] to ends[n + 1] of rows
    private final int[] ends = new int[Segment.MAX_RUNS + 1];
    // the ranges of a run of which most rows are selected; null for other runs
    private final RowRanges[] ranges = new RowRanges[Segment.MAX_RUNS];
    private int segmentRows;
    private int runs;
    private int nextRun;

    /**
     * Starts a segment. Its runs are added afterwards.
     */
    void start(int segmentRows)
    {
        this.segmentRows = segmentRows;
        runs = 0;
        nextRun = 0;
    }

    /**
     * Ends a segment.
     */
    void clear()
    {
        start(0);
    }

    /**
     * Adds all rows of the next run.
     */
    void addAll(int count)
    {
        // the row numbers are not needed, because the count shows that the run is selected as a whole
        end(count, null);
    }

    /**
     * Adds ranges of the next run.
     */
    void add(RowRanges runRanges)
    {
        // the row numbers are not needed either
        end(runRanges.rows(), runRanges);
    }

    private void end(int count, @Nullable RowRanges runRanges)
    {
        ends[runs + 1] = ends[runs] + count;
        ranges[runs] = runRanges;
        runs++;
    }

    /**
     * Adds the selected rows of the next run.
     *
     * @param runRows rows within the run, ascending
     */
    void add(int[] runRows, int count)
    {
        int all = Segment.runRows(segmentRows, runs);
        if (count == all) {
            addAll(count);
            return;
        }
        if (RowRanges.mayBeWorthwhile(count, all)) {
            Optional<RowRanges> found = RowRanges.find(runRows, 0, count);
            if (found.isPresent()) {
                add(found.get());
                return;
            }
        }
        int begin = ends[runs];
        if (rows.length < begin + count) {
            rows = Arrays.copyOf(rows, Math.max(begin + count, min(segmentRows, 2 * (begin + count))));
        }
        int first = runs * Run.MAX_ROWS;
        for (int i = 0; i < count; i++) {
            rows[begin + i] = first + runRows[i];
        }
        end(count, null);
    }

    /**
     * Returns a bit for each run that has a selected row.
     */
    int runsWithRows()
    {
        int bits = 0;
        for (int run = 0; run < runs; run++) {
            bits |= count(run) > 0 ? 1 << run : 0;
        }
        return bits;
    }

    private int count(int run)
    {
        return ends[run + 1] - ends[run];
    }

    private boolean isWhole(int run)
    {
        return count(run) == Segment.runRows(segmentRows, run);
    }

    /**
     * Returns the rows of the next page, or null if there are no more.
     */
    @Nullable
    SegmentRows next()
    {
        while (nextRun < runs && count(nextRun) == 0) {
            nextRun++;
        }
        if (nextRun == runs) {
            return null;
        }
        int first = nextRun;
        nextRun++;
        if (isWhole(first)) {
            return SegmentRows.ofRun(first, count(first));
        }
        if (ranges[first] != null) {
            return SegmentRows.ofRanges(first, ranges[first]);
        }
        while (nextRun < runs && !isWhole(nextRun) && ranges[nextRun] == null && ends[nextRun + 1] - ends[first] <= Run.MAX_ROWS) {
            nextRun++;
        }
        return SegmentRows.ofRows(Arrays.copyOfRange(rows, ends[first], ends[nextRun]));
    }
}
