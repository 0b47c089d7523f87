package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.request.ReadPlan;
import io.albis.format.run.SegmentRows;
import jakarta.annotation.Nullable;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/**
 * The state of a scan of the segments of one row group: the current segment, the phase of its scan, and the next page.
 */
final class SegmentScan
{
    private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

    private enum Phase
    {
        /**
         * All pages of the current segment have been returned, or there is no current segment yet.
         */
        LEAVING,
        /**
         * The indexes are being searched, before the next segment.
         */
        SEARCHING,
        /**
         * Planned reads of the current segment may still be in progress.
         */
        WAITING,
        /**
         * The filters are selecting rows of the current segment.
         */
        SELECTING,
        /**
         * The selected rows are being returned as pages.
         */
        RETURNING,
        /**
         * There are no more rows, or the reader is closed.
         */
        FINISHED,
    }

    private final ReaderOptions options;
    private final ReadPlan reads;
    private final SegmentPlanner planner;
    private final ScanFilters filters;
    private final RowSearch search;
    private final SegmentDeletes deletes;
    private final ScanColumns columns;
    private final SegmentFilter segmentFilter;
    private final SegmentSelection selection = new SegmentSelection();
    private final WorkLimit work = new WorkLimit();
    private final int[] segmentRows;
    // the segments to read, in this order
    private final int[] order;
    private final boolean ascending;

    private Phase phase = Phase.LEAVING;
    // index of the current segment in the order; -1 before the first one
    private int position = -1;
    // index of the current segment, or of the first one before it has been entered
    private int segment;
    // the next page, as soon as it is known
    @Nullable
    private SegmentRows page;

    private long segments;
    private long segmentsSkipped;
    private long rows;
    private long rowsExcluded;

    /**
     * Creates a scan that is before its first segment, and starts to search the indexes, or plans the first reads
     * ahead.
     *
     * @param sequence the segments to read
     */
    SegmentScan(ReaderOptions options, ReaderResources resources, ReadPlan reads, ScanFilters filters, RowSearch search, SegmentDeletes deletes, ScanColumns columns, SegmentSequence sequence)
            throws IOException
    {
        this.options = requireNonNull(options, "options is null");
        this.reads = requireNonNull(reads, "reads is null");
        this.filters = requireNonNull(filters, "filters is null");
        this.search = requireNonNull(search, "search is null");
        this.deletes = requireNonNull(deletes, "deletes is null");
        this.columns = requireNonNull(columns, "columns is null");
        this.segmentRows = sequence.rows();
        this.order = sequence.segments();
        this.ascending = sequence.ascending();
        this.segment = sequence.first();
        this.segmentFilter = new SegmentFilter(filters, options.readLazily() ? new ColumnReader[0] : columns.channels(), columns, selection, deletes);
        this.planner = new SegmentPlanner(resources, options, reads, columns.channels(), filters, deletes, segmentRows, sequence.endAhead());
        if (search.start()) {
            phase = Phase.SEARCHING;
        }
        else {
            planner.readAhead(segment);
        }
    }

    /**
     * Returns whether the next page is known, or that there are no more.
     */
    boolean isDecided()
    {
        return page != null || phase == Phase.FINISHED;
    }

    boolean isFinished()
    {
        return phase == Phase.FINISHED;
    }

    /**
     * Advances to the next page as far as this is possible without waiting for storage and within the
     * {@link WorkLimit}.
     *
     * @return a future that is done if there is nothing to wait for; otherwise this method makes progress once it is
     *         done
     */
    CompletableFuture<?> advance()
            throws IOException
    {
        work.reset();
        if (page == null && filters.isNone()) {
            finish();
        }
        while (!isDecided()) {
            switch (phase) {
                case LEAVING -> {
                    if (work.isUsedUp()) {
                        return DONE;
                    }
                    columns.leave();
                    selection.clear();
                    enterNext();
                }
                case SEARCHING -> {
                    if (!search.ended().isDone()) {
                        return search.ended();
                    }
                    search.finish().ifPresent(this::excludeOthers);
                    phase = Phase.LEAVING;
                }
                case WAITING -> {
                    CompletableFuture<?> ready = reads.ready(segment);
                    if (!ready.isDone()) {
                        return ready;
                    }
                    segmentFilter.start(segment, segmentRows[segment]);
                    phase = Phase.SELECTING;
                }
                case SELECTING -> {
                    if (!segmentFilter.advance(work)) {
                        return DONE;
                    }
                    endSelection();
                    phase = Phase.RETURNING;
                }
                case RETURNING -> {
                    page = selection.next();
                    if (page == null) {
                        phase = Phase.LEAVING;
                    }
                }
                case FINISHED -> throw new IllegalStateException("the scan is finished");
            }
        }
        return reads.ready(segment);
    }

    /**
     * Enters the next segment, unless the scan ends before it, no row of it can match, or all its rows are deleted.
     */
    private void enterNext()
            throws IOException
    {
        int next = position + 1;
        // in another order, nothing is planned for later segments
        reads.pass(ascending && next < order.length ? order[next] : Integer.MAX_VALUE);
        if (next == order.length) {
            finish();
            return;
        }
        work.add(WorkLimit.SEGMENT);
        filters.refresh();
        if (filters.isNone()) {
            finish();
            return;
        }
        if (search.start()) {
            phase = Phase.SEARCHING;
            return;
        }
        position = next;
        segment = order[next];
        int count = segmentRows[segment];
        if (options.pruneSegments() && !filters.mayMatch(segment, count)) {
            segmentsSkipped++;
            return;
        }
        int runs = filters.matchingRuns(segment, count) & deletes.liveRuns(segment);
        if (runs == 0) {
            segmentsSkipped++;
            return;
        }
        segments++;
        rows += count;
        filters.startSegment(segment, count, runs);
        planner.planFrom(segment);
        columns.enter(segment, runs);
        phase = Phase.WAITING;
    }

    /**
     * Leaves out the rows of the following segments that a search has not found.
     */
    private void excludeOthers(RoaringBitmap found)
    {
        for (int next = position + 1; next < order.length; next++) {
            rowsExcluded += deletes.rowsWithout(order[next], found);
        }
        deletes.excludeOthers(found);
    }

    private void endSelection()
            throws IOException
    {
        int runs = selection.runsWithRows();
        columns.select(runs, segmentRows[segment]);
        planner.planExpected(segment, runs);
    }

    /**
     * Returns the next page, which {@link #advance} has found.
     *
     * @return null if there are no more
     */
    @Nullable
    SegmentRows takePage()
    {
        SegmentRows taken = page;
        if (taken != null) {
            columns.startPage(taken);
            page = null;
        }
        return taken;
    }

    /**
     * Returns the position of the first row of the current segment in the row group.
     */
    long segmentBegin()
    {
        return deletes.begin(segment);
    }

    void finish()
    {
        phase = Phase.FINISHED;
    }

    /**
     * Returns the number of segments that were not skipped.
     */
    long segments()
    {
        return segments;
    }

    /**
     * Returns the number of segments that were skipped because no row of them can match, or because all their rows are
     * deleted.
     */
    long segmentsSkipped()
    {
        return segmentsSkipped;
    }

    /**
     * Returns the number of runs that were skipped within segments that were not. All rows of such a run are deleted
     * or do not match.
     */
    long runsSkipped()
    {
        return segmentFilter.runsSkipped();
    }

    /**
     * Returns the number of rows of the segments that were not skipped.
     */
    long rows()
    {
        return rows;
    }

    /**
     * Returns the number of rows that indexes have excluded before their segment was read.
     */
    long rowsExcluded()
    {
        return rowsExcluded;
    }

    /**
     * Returns the number of rows that were deleted or did not match, in segments that were not skipped.
     */
    long rowsSkipped()
    {
        return segmentFilter.rowsSkipped();
    }
}
