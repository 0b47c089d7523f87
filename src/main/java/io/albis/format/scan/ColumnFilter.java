package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.column.FilterState;
import io.albis.format.filter.ValueFilter;
import io.albis.format.index.ValueListReader;
import io.albis.format.schema.AlbisColumn;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The filter on one column. It prunes segments by their statistics and selects rows by their values.
 */
abstract sealed class ColumnFilter
        permits DomainFilter, DistinctValueFilter
{
    // Filtering text costs more than filtering numbers.
    private static final int VARIABLE_WIDTH_COST = 4;

    // Elements are read with the lengths of the arrays or maps and with the keys of maps
    private static final int ELEMENT_COST = 16;

    // A search for more rows takes longer than a scan of the column, and the rows are in most of its runs
    private static final int MAX_FOUND_SHARE = 32;

    private final AlbisColumn tableColumn;
    private final ColumnReader column;
    private final FilterState state;
    private final int cost;

    private long seen;
    private long selected;
    private boolean selectsAll;
    // a bit for each run of the segment that may contain rows that do not match
    private int droppingRuns;

    ColumnFilter(AlbisColumn tableColumn, ColumnReader column, ValueFilter filter)
    {
        this.tableColumn = requireNonNull(tableColumn, "tableColumn is null");
        this.column = requireNonNull(column, "column is null");
        this.state = new FilterState(filter);
        this.cost = cost(tableColumn);
    }

    private static int cost(AlbisColumn column)
    {
        if (column.container().isPresent()) {
            return ELEMENT_COST;
        }
        return column.storageType().isVariableWidth() ? VARIABLE_WIDTH_COST : 1;
    }

    /**
     * Finds the rows that match with the index of the column, unless it leaves little to read otherwise.
     *
     * @param segmentRows the number of rows of each segment
     * @param share the segments to read
     * @return empty if there is no index, or if it is faster to read the column
     */
    final Optional<RoaringBitmap> findRows(ScanFilters.IndexSource indexes, int[] segmentRows, SegmentShare share)
            throws IOException
    {
        if (!isSearchable()) {
            return Optional.empty();
        }
        Optional<ValueListReader> index = indexes.index(tableColumn);
        if (index.isEmpty() || !isWorthSearch(segmentRows, share)) {
            return Optional.empty();
        }
        return find(index.get(), Arrays.stream(segmentRows).sum() / MAX_FOUND_SHARE);
    }

    /**
     * Returns whether an index can find the rows that match.
     */
    abstract boolean isSearchable();

    /**
     * Returns whether a search can save much.
     */
    abstract boolean isWorthSearch(int[] segmentRows, SegmentShare share)
            throws IOException;

    /**
     * Finds the rows that match.
     *
     * @param maxRows the most rows that are of interest
     * @return empty if there are more, or if it is faster to read the column
     */
    abstract Optional<RoaringBitmap> find(ValueListReader index, int maxRows)
            throws IOException;

    /**
     * Returns whether a segment may contain rows that match.
     */
    abstract boolean mayMatch(int segment, int rows)
            throws IOException;

    /**
     * Returns a bit for each run of a segment that may contain rows that match.
     */
    abstract int matchingRuns(int segment, int rows)
            throws IOException;

    /**
     * Returns a bit for each run of a segment that may contain rows that do not match.
     */
    abstract int droppingRuns(int segment, int rows)
            throws IOException;

    /**
     * Returns whether the filter may discard rows of a segment.
     */
    abstract boolean mayDrop(int segment, int rows)
            throws IOException;

    /**
     * Starts a segment.
     *
     * @return whether the segment may contain rows that do not match; otherwise its values need not be read
     */
    final boolean startSegment(int segment, int rows)
            throws IOException
    {
        selectsAll = !mayDrop(segment, rows);
        droppingRuns = selectsAll ? 0 : droppingRuns(segment, rows);
        return !selectsAll;
    }

    /**
     * Returns a bit for each run of the current segment that may contain rows that do not match.
     */
    final int droppingRuns()
    {
        return droppingRuns;
    }

    /**
     * Returns whether the values of a run of the current segment have to be read.
     */
    final boolean reads(int run)
    {
        return (droppingRuns & (1 << run)) != 0;
    }

    final ColumnReader column()
    {
        return column;
    }

    /**
     * Selects the rows of a run that match.
     *
     * @param rows rows within the run, ascending; those that match are moved to the front
     * @return the number of rows that match
     */
    final int select(int run, int[] rows, int count)
            throws IOException
    {
        if (selectsAll || !reads(run)) {
            return count;
        }
        int size = column.select(state, run, rows, count);
        seen += count;
        selected += size;
        return size;
    }

    /**
     * Returns the retained memory in bytes. It includes the shared values unless another reader counts them.
     */
    final long retainedSize(Object reader)
    {
        return state.retainedSize() + claim(reader);
    }

    /**
     * Returns the bytes of the shared values that the reader must count.
     */
    abstract long claim(Object reader);

    /**
     * Lets another reader count the shared values.
     */
    abstract void release(Object reader);

    /**
     * Returns the number of values that have been filtered.
     */
    final long seen()
    {
        return seen;
    }

    /**
     * Returns the fraction of the filtered values that matched, or one half while no values have been filtered.
     */
    final double selectivity()
    {
        return (selected + 1.0) / (seen + 2.0);
    }

    /**
     * Returns the cost of discarding a row. Filters are evaluated in ascending order of this cost.
     */
    final double rank()
    {
        return cost / (1 - selectivity());
    }
}
