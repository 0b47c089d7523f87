package io.albis.format.scan;

import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import jakarta.annotation.Nullable;

import java.util.Arrays;

import static java.lang.Math.min;

/**
 * The selected rows of a segment, divided into pages. A run whose rows are all selected is a page. The selected rows of
 * several other consecutive runs form a page together.
 */
final class SegmentSelection
{
    private int[] rows = new int[0];
    // the rows of run n are at the indexes from ends[n] to ends[n + 1] of rows
    private final int[] ends = new int[Segment.MAX_RUNS + 1];
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
        ends[runs + 1] = ends[runs] + count;
        runs++;
    }

    /**
     * Adds the selected rows of the next run.
     *
     * @param runRows rows within the run, ascending
     */
    void add(int[] runRows, int count)
    {
        int begin = ends[runs];
        if (rows.length < begin + count) {
            rows = Arrays.copyOf(rows, Math.max(begin + count, min(segmentRows, 2 * (begin + count))));
        }
        int first = runs * Run.MAX_ROWS;
        for (int i = 0; i < count; i++) {
            rows[begin + i] = first + runRows[i];
        }
        addAll(count);
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
        while (nextRun < runs && !isWhole(nextRun) && ends[nextRun + 1] - ends[first] <= Run.MAX_ROWS) {
            nextRun++;
        }
        int[] page = Arrays.copyOfRange(rows, ends[first], ends[nextRun]);
        return new SegmentRows(page, 0, page.length);
    }
}
