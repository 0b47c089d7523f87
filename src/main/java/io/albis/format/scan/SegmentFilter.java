package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.RowRanges;
import io.albis.format.run.Segment;

import java.io.IOException;
import java.util.Optional;

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
    private final SegmentDeletes deletes;

    private int segment;
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
    SegmentFilter(ScanFilters filters, ColumnReader[] eager, ScanFilters.ColumnStarter starter, SegmentSelection selection, SegmentDeletes deletes)
    {
        this.filters = requireNonNull(filters, "filters is null");
        this.eager = requireNonNull(eager, "eager is null");
        this.starter = requireNonNull(starter, "starter is null");
        this.selection = requireNonNull(selection, "selection is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
    }

    void start(int segment, int segmentRows)
    {
        this.segment = segment;
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
        int deleted = deletes.deletedRows(segment, run);
        if (!evaluates && deleted == 0) {
            selection.addAll(count);
            return;
        }
        if (!evaluates) {
            Optional<RowRanges> live = deletes.liveRanges(segment, run, deleted);
            if (live.isPresent()) {
                work.add((long) deleted * Integer.BYTES);
                rowsSkipped += deleted;
                selection.add(live.get());
                return;
            }
        }
        if (runRows.length < count) {
            runRows = new int[count];
        }
        int selected;
        if (deleted == 0) {
            selected = evaluate(run, allRows(count), work);
        }
        else if (!evaluates || deleted > count / 2) {
            work.add((long) count * Integer.BYTES);
            int live = deletes.selectLive(segment, run, runRows);
            selected = evaluates ? evaluate(run, live, work) : live;
        }
        else {
            // most filters are faster on a whole run than on some of its rows
            selected = evaluate(run, allRows(count), work);
            selected = deletes.removeDeleted(segment, run, runRows, selected);
        }
        rowsSkipped += count - selected;
        selection.add(runRows, selected);
    }

    private int allRows(int count)
    {
        for (int row = 0; row < count; row++) {
            runRows[row] = row;
        }
        return count;
    }

    private int evaluate(int run, int count, WorkLimit work)
            throws IOException
    {
        return filters.select(run, runRows, count, starter, work);
    }

    /**
     * Returns the number of runs that were skipped because no row of them can match, or because all their rows are
     * deleted.
     */
    long runsSkipped()
    {
        return runsSkipped;
    }

    /**
     * Returns the number of rows of all segments that did not match or are deleted.
     */
    long rowsSkipped()
    {
        return rowsSkipped;
    }
}
