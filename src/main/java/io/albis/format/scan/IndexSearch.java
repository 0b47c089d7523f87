package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.PageChecksum;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

import static java.util.Objects.requireNonNull;

/**
 * Finds the rows that match several filters: counts the rows of each filter, reads the positions of the filters that
 * match the fewest rows, and combines them. A filter that is left out is evaluated on the rows that were found.
 */
final class IndexSearch
{
    // So few rows are read with fewer requests than another index is searched
    private static final int FEW_ROWS = 8;

    /**
     * The result of a search.
     *
     * @param rows the positions of the rows that match the filters, including those that are deleted
     * @param filters the filters that need not be evaluated any more
     */
    record Found(RoaringBitmap rows, List<FilterSearch> filters)
    {
        Found
        {
            requireNonNull(rows, "rows is null");
            filters = ImmutableList.copyOf(filters);
        }
    }

    private record Counted(FilterSearch search, int rows) {}

    private final List<FilterSearch> searches;
    private final long rowGroupRows;
    private final ReaderThresholds thresholds;
    private final Optional<Executor> executor;

    /**
     * @param searches the searches of different filters
     * @param rowGroupRows number of rows of the row group
     * @param executor searches several indexes at the same time; empty if the storage does not benefit from this
     */
    IndexSearch(List<FilterSearch> searches, long rowGroupRows, ReaderThresholds thresholds, Optional<Executor> executor)
    {
        this.searches = ImmutableList.copyOf(searches);
        this.rowGroupRows = rowGroupRows;
        this.thresholds = requireNonNull(thresholds, "thresholds is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    /**
     * Searches the indexes.
     *
     * @return empty if it is faster to read the columns
     */
    Optional<Found> search()
            throws IOException
    {
        List<Counted> counted = count();
        if (counted.isEmpty() || expectedRows(counted) > rowGroupRows * thresholds.maxFoundShare()) {
            return Optional.empty();
        }
        RoaringBitmap rows = null;
        List<FilterSearch> used = new ArrayList<>();
        for (Counted next : counted) {
            FilterSearch search = next.search();
            // reading the page of each row is an alternative to reading the positions
            if (rows != null && search.positionBytes() > rows.getLongCardinality() * PageChecksum.PAGE_SIZE) {
                continue;
            }
            Optional<RoaringBitmap> positions = search.positions();
            if (positions.isPresent()) {
                rows = rows == null ? positions.get() : RoaringBitmap.and(rows, positions.get());
                used.add(search);
            }
        }
        return rows == null ? Optional.empty() : Optional.of(new Found(rows, used));
    }

    /**
     * Counts the rows of the filters. Stops at a filter that matches few rows or none.
     *
     * @return the filters that match few enough rows, in ascending order of their number
     */
    private List<Counted> count()
            throws IOException
    {
        int maxRows = (int) (rowGroupRows * (searches.size() > 1 ? thresholds.maxCombinedShare() : thresholds.maxFoundShare()));
        List<FilterSearch> order = new ArrayList<>(searches);
        order.sort(Comparator.comparingLong(FilterSearch::expectedRows));
        if (executor.isPresent() && order.size() > 1 && order.getFirst().expectedRows() > FEW_ROWS) {
            // keeps what it finds for the following loop
            ParallelReads reads = new ParallelReads();
            order.forEach(search -> reads.add(() -> search.count(maxRows)));
            reads.runAll(executor.get());
        }
        List<Counted> counted = new ArrayList<>();
        for (FilterSearch search : order) {
            OptionalInt rows = search.count(maxRows);
            if (rows.isPresent()) {
                Counted found = new Counted(search, rows.getAsInt());
                if (rows.getAsInt() <= FEW_ROWS) {
                    return ImmutableList.of(found);
                }
                counted.add(found);
            }
        }
        counted.sort(Comparator.comparingInt(Counted::rows));
        return counted;
    }

    /**
     * Returns the rows that match all filters if each one matches the same share of the rows of any other one.
     */
    private double expectedRows(List<Counted> counted)
    {
        double rows = rowGroupRows;
        for (Counted filter : counted) {
            rows *= (double) filter.rows() / rowGroupRows;
        }
        return rows;
    }
}
