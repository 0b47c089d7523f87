package io.albis.format.scan;

import io.albis.format.predicate.ColumnFilter;
import io.albis.format.request.ChunkReader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The filters that may discard rows of the current segment, in the order of evaluation.
 */
final class ActiveFilters
{
    private final List<ColumnFilter> active = new ArrayList<>();

    /**
     * Starts a segment.
     *
     * @param filters the filters to evaluate where they may discard rows
     */
    void startSegment(List<ColumnFilter> filters, int segment, int rows)
            throws IOException
    {
        active.clear();
        for (ColumnFilter filter : filters) {
            if (filter.startSegment(segment, rows)) {
                active.add(filter);
            }
        }
        active.sort(Comparator.comparingDouble(ColumnFilter::rank));
    }

    void clear()
    {
        active.clear();
    }

    boolean isEmpty()
    {
        return active.isEmpty();
    }

    /**
     * Returns the number of filters that use the bytes of a chunk reader.
     */
    int uses(ChunkReader chunks)
    {
        int uses = 0;
        for (ColumnFilter filter : active) {
            uses += filter.column().chunks() == chunks ? 1 : 0;
        }
        return uses;
    }

    /**
     * Returns a bit for each run whose values a filter needs from a chunk reader.
     */
    private int neededRuns(ChunkReader chunks)
    {
        int needed = 0;
        for (ColumnFilter filter : active) {
            needed |= filter.column().chunks() == chunks ? filter.droppingRuns() : 0;
        }
        return needed;
    }

    /**
     * Selects the rows of a run that match.
     *
     * @param rows rows within the run, ascending; those that match are moved to the front
     * @return the number of rows that match
     */
    int select(int run, int[] rows, int count, ScanFilters.ColumnStarter starter, WorkLimit work)
            throws IOException
    {
        int selected = count;
        for (ColumnFilter filter : active) {
            if (selected == 0) {
                break;
            }
            if (!filter.reads(run)) {
                continue;
            }
            starter.start(filter.column(), neededRuns(filter.column().chunks()));
            work.add(filter.column().chunks().length(run) + (long) selected * Long.BYTES);
            selected = filter.select(run, rows, selected);
        }
        return selected;
    }
}
