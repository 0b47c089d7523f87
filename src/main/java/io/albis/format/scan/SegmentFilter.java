package io.albis.format.scan;

import io.albis.format.request.ChunkReader;
import io.albis.format.run.Segment;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Selects the rows of each segment that match, run by run. The work can be interrupted between two runs.
 */
final class SegmentFilter
{
    private final ScanFilters filters;
    private final ColumnReader[] eager;
    private final ScanFilters.ColumnStarter starter;
    private final SegmentSelection selection;

    private int segmentRows;
    private int nextEager;
    private int nextRun;
    private int[] runRows = new int[0];
    private long rowsSkipped;
    private long runsSkipped;

    /**
     * Creates a filter that adds the rows that match to a selection.
     *
     * @param eager columns that are read with their segment; null for a column that the row group does not have
     */
    SegmentFilter(ScanFilters filters, ColumnReader[] eager, ScanFilters.ColumnStarter starter, SegmentSelection selection)
    {
        this.filters = requireNonNull(filters, "filters is null");
        this.eager = requireNonNull(eager, "eager is null");
        this.starter = requireNonNull(starter, "starter is null");
        this.selection = requireNonNull(selection, "selection is null");
    }

    void start(int segmentRows)
    {
        this.segmentRows = segmentRows;
        nextEager = 0;
        nextRun = 0;
        selection.start(segmentRows);
    }

    /**
     * Continues until all rows of the segment have been filtered or the work limit is reached.
     *
     * @return whether all rows have been filtered
     */
    boolean advance(WorkLimit work)
            throws IOException
    {
        while (nextEager < eager.length) {
            if (work.isUsedUp()) {
                return false;
            }
            if (eager[nextEager] != null) {
                ColumnReader column = starter.start(eager[nextEager], ChunkReader.ALL_RUNS);
                column.readAll();
                work.add(column.chunks().chunk().length());
            }
            nextEager++;
        }
        while (nextRun < Segment.runs(segmentRows)) {
            if (work.isUsedUp()) {
                return false;
            }
            selectRows(nextRun, work);
            nextRun++;
        }
        return true;
    }

    private void selectRows(int run, WorkLimit work)
            throws IOException
    {
        int count = Segment.runRows(segmentRows, run);
        boolean evaluates = filters.evaluates();
        if (!filters.mayMatch(run)) {
            rowsSkipped += count;
            runsSkipped++;
            selection.add(runRows, 0);
            return;
        }
        if (!evaluates) {
            selection.addAll(count);
            return;
        }
        if (runRows.length < count) {
            runRows = new int[count];
        }
        for (int row = 0; row < count; row++) {
            runRows[row] = row;
        }
        int selected = filters.select(run, runRows, count, starter, work);
        rowsSkipped += count - selected;
        selection.add(runRows, selected);
    }

    /**
     * Returns the number of runs that were skipped because no row of them can match.
     */
    long runsSkipped()
    {
        return runsSkipped;
    }

    /**
     * Returns the number of rows of all segments that did not match.
     */
    long rowsSkipped()
    {
        return rowsSkipped;
    }
}
