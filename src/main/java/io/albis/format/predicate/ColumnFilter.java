package io.albis.format.predicate;

import io.albis.format.column.ColumnReader;
import io.albis.format.column.FilterState;
import io.albis.format.filter.ValueFilter;
import io.albis.format.index.DirectorySource;
import io.albis.format.index.FoundValues;
import io.albis.format.index.ValueListReader;
import io.albis.format.request.ChunkReader;
import io.albis.format.schema.AlbisColumn;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The filter on one column. It prunes segments by their statistics and selects rows by their values.
 */
public abstract sealed class ColumnFilter
        permits DomainFilter, DistinctValueFilter
{
    // Filtering text costs more than filtering numbers.
    private static final int VARIABLE_WIDTH_COST = 4;

    // Elements are read with the lengths of the arrays or maps and with the keys of maps
    private static final int ELEMENT_COST = 16;

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

    public final AlbisColumn tableColumn()
    {
        return tableColumn;
    }

    /**
     * Returns whether an index may find the rows that match. Other filters exclude at most nulls.
     */
    public abstract boolean isSearchable();

    /**
     * Returns whether an index can find the rows that match.
     */
    public abstract boolean canSearch(ValueListReader index);

    /**
     * Returns a number of rows that match at least; 0 if nothing is known.
     */
    public int fewestRows(ValueListReader index)
    {
        return 0;
    }

    /**
     * Returns an estimate of the rows that match, to compare searches; all rows if nothing is known, so that other
     * indexes are searched first.
     */
    public long expectedRows(ValueListReader index)
    {
        return index.rows();
    }

    /**
     * Finds the values that match. Thread safe.
     *
     * @param maxRows the most rows that are of interest
     * @param maxBytes the most bytes to read
     * @return empty if there are more rows, or if it is faster to read the column
     */
    public abstract Optional<FoundValues> findValues(ValueListReader index, DirectorySource directory, int maxRows, long maxBytes)
            throws IOException;

    /**
     * Returns how an index finds rows that do not match.
     *
     * @return empty if it finds none of them, or if this takes longer than a search for those that match
     */
    public abstract Optional<RowExclusion> exclusion(ValueListReader index);

    /**
     * Returns an object that equals only those of the same filter in other readers of the scan.
     */
    public abstract Object shared();

    /**
     * Returns a bit for each run of a segment all of whose rows match; none if nothing is known.
     */
    public int containedRuns(int segment, int rows)
            throws IOException
    {
        return 0;
    }

    /**
     * Returns whether a segment may contain rows that match, or nothing is known.
     */
    public boolean mayMatch(int segment, int rows)
            throws IOException
    {
        return true;
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that match; all bits if nothing is known.
     */
    public int matchingRuns(int segment, int rows)
            throws IOException
    {
        return ChunkReader.ALL_RUNS;
    }

    /**
     * Returns whether a segment may contain rows that match all filters.
     */
    public static boolean mayMatch(List<ColumnFilter> filters, int segment, int rows)
            throws IOException
    {
        for (ColumnFilter filter : filters) {
            if (!filter.mayMatch(segment, rows)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that match all filters.
     */
    public static int matchingRuns(List<ColumnFilter> filters, int segment, int rows)
            throws IOException
    {
        int matching = ChunkReader.ALL_RUNS;
        for (ColumnFilter filter : filters) {
            matching &= filter.matchingRuns(segment, rows);
        }
        return matching;
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that do not match; all bits if nothing is known.
     */
    public int droppingRuns(int segment, int rows)
            throws IOException
    {
        return ChunkReader.ALL_RUNS;
    }

    /**
     * Returns whether the filter may discard rows of a segment.
     */
    public abstract boolean mayDrop(int segment, int rows)
            throws IOException;

    /**
     * Starts a segment.
     *
     * @return whether the segment may contain rows that do not match; otherwise its values need not be read
     */
    public final boolean startSegment(int segment, int rows)
            throws IOException
    {
        selectsAll = !mayDrop(segment, rows);
        droppingRuns = selectsAll ? 0 : droppingRuns(segment, rows);
        return !selectsAll;
    }

    /**
     * Returns a bit for each run of the current segment that may contain rows that do not match.
     */
    public final int droppingRuns()
    {
        return droppingRuns;
    }

    /**
     * Returns whether the values of a run of the current segment have to be read.
     */
    public final boolean reads(int run)
    {
        return (droppingRuns & (1 << run)) != 0;
    }

    public final ColumnReader column()
    {
        return column;
    }

    /**
     * Selects the rows of a run that match.
     *
     * @param rows rows within the run, ascending; those that match are moved to the front
     * @return the number of rows that match
     */
    public final int select(int run, int[] rows, int count)
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
     * Returns the retained memory in bytes without the shared values.
     */
    public final long retainedSize()
    {
        return state.retainedSize();
    }

    /**
     * Returns the bytes of the shared values that the reader must count, once for each {@link #shared} object.
     */
    public abstract long claim(Object reader);

    /**
     * Lets another reader count the shared values.
     */
    public abstract void release(Object reader);

    /**
     * Returns the number of values that have been filtered.
     */
    public final long seen()
    {
        return seen;
    }

    /**
     * Returns the fraction of the filtered values that matched, or one half while no values have been filtered.
     */
    public final double selectivity()
    {
        return (selected + 1.0) / (seen + 2.0);
    }

    /**
     * Returns the cost of discarding a row. Filters are evaluated in ascending order of this cost.
     */
    public final double rank()
    {
        return cost / (1 - selectivity());
    }
}
