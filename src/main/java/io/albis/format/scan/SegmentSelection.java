package io.albis.format.scan;

import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentRows;
import jakarta.annotation.Nullable;

import java.util.Arrays;

import static java.lang.Math.min;

/**
 * The rows of a segment that the filters left, handed out in pages: the rows of a run of which all are left, or those of
 * several runs together.
 */
final class SegmentSelection
{
    private int[] rows = new int[0];
    // where in rows those of each run begin and end
    private final int[] ends = new int[Segment.MAX_RUNS + 1];
    private int segmentRows;
    private int runs;
    private int nextRun;

    /**
     * Begins with no row of any run.
     */
    void start(int segmentRows)
    {
        this.segmentRows = segmentRows;
        runs = 0;
        nextRun = 0;
    }

    /**
     * Ends a segment of which nothing is left to hand out.
     */
    void clear()
    {
        start(0);
    }

    /**
     * All rows of the next run.
     */
    void addAll(int count)
    {
        // the rows themselves are not looked at: there are as many as the run has
        ends[runs + 1] = ends[runs] + count;
        runs++;
    }

    /**
     * Some rows of the next run.
     *
     * @param runRows within the run
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
     * A bit for each run that has a row.
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
     * The rows of the next page; null if there are no more.
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
