package io.albis.format.search;

import io.albis.format.io.PageChecksum;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.request.ParallelReads;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A search for the positions of the rows that match a condition: a filter, or alternatives.
 */
public sealed interface PositionSearch
        permits AlternativesSearch,
                ExclusionSearch,
                FilterSearch
{
    /**
     * Returns what the readers of the row group share of the searches of single indexes that this one consists of.
     */
    List<SharedSearch> shared();

    /**
     * Returns the filter or the alternatives whose rows the search finds.
     */
    Object condition();

    /**
     * Returns the filters that need not be evaluated for the rows that were found.
     */
    List<ColumnFilter> replaced();

    /**
     * Returns whether the search tests values with functions of the query. They can take any time, and end early only
     * if the thread is interrupted.
     */
    boolean testsValues();

    /**
     * Returns an estimate of the rows that match, to compare searches.
     */
    long expectedRows();

    /**
     * Adds reads that {@link #count} with the same limit needs, and whose results it finds.
     */
    void addCounts(ParallelReads reads, int maxRows);

    /**
     * Returns the number of rows that match, or an estimate of it.
     *
     * @return empty if there are more than the limit, or if it is faster to read the columns
     */
    OptionalInt count(int maxRows)
            throws IOException;

    /**
     * Returns the number of bytes of the positions that have not been read. The rows must have been counted.
     */
    long positionBytes();

    /**
     * Returns the positions of the rows that match, and perhaps of others. They must have been counted.
     *
     * @return a bitmap that must not be changed; empty if it is faster to read the columns
     */
    Optional<RoaringBitmap> positions()
            throws IOException;

    /**
     * Returns those of some rows whose positions the search finds. The rows must have been counted.
     *
     * @param rows a bitmap that is not changed
     * @return a bitmap that must not be changed; empty if it is faster to read the columns
     */
    default Optional<RoaringBitmap> retain(RoaringBitmap rows)
            throws IOException
    {
        return positions().map(positions -> RoaringBitmap.and(rows, positions));
    }

    /**
     * Returns whether reading the positions may take less than reading the columns for some rows. The rows must have
     * been counted.
     */
    default boolean isFasterThanReading(long rows)
    {
        // reading the page of each row is an alternative to reading the positions
        return positionBytes() <= rows * PageChecksum.PAGE_SIZE;
    }
}
