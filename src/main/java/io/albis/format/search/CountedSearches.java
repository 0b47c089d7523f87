package io.albis.format.search;

import com.google.common.collect.ImmutableList;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * Searches whose rows are counted, in ascending order of their number. Rows that match all conditions are in the result
 * of each search.
 */
public record CountedSearches(List<Counted> searches)
{
    // So few rows are read with fewer requests than another index is searched
    static final int FEW_ROWS = 8;

    record Counted(PositionSearch search, int rows) {}

    /**
     * The rows that several searches have found.
     *
     * @param rows the positions of the rows, including those that are deleted
     * @param searches the searches whose conditions need not be evaluated any more
     */
    public record Found(RoaringBitmap rows, List<PositionSearch> searches)
    {
        public Found
        {
            requireNonNull(rows, "rows is null");
            searches = ImmutableList.copyOf(searches);
        }
    }

    public CountedSearches
    {
        searches = ImmutableList.copyOf(searches);
    }

    /**
     * Counts the rows of searches, and leaves out those with too many rows. Stops at a search with few rows or none,
     * and reads their positions. If these are too far apart in the index, others may find few rows, too.
     */
    public static CountedSearches count(Collection<? extends PositionSearch> searches, int maxRows)
            throws IOException
    {
        List<PositionSearch> order = new ArrayList<>(searches);
        order.sort(Comparator.comparingLong(PositionSearch::expectedRows));
        List<Counted> counted = new ArrayList<>();
        for (PositionSearch search : order) {
            OptionalInt rows = search.count(maxRows);
            if (rows.isEmpty()) {
                continue;
            }
            Counted found = new Counted(search, rows.getAsInt());
            if (found.rows() > FEW_ROWS) {
                counted.add(found);
            }
            else if (search.positions().isPresent()) {
                return new CountedSearches(ImmutableList.of(found));
            }
        }
        counted.sort(Comparator.comparingInt(Counted::rows));
        return new CountedSearches(counted);
    }

    /**
     * Adds searches for rows that do not match. They are worth their requests if other searches leave more than a few
     * rows, or if they leave few rows themselves. A condition whose rows are found is not searched again.
     *
     * @param exclusions searches of different filters and alternatives
     * @param maxRows the most rows of interest if no other search has found any
     */
    CountedSearches exclude(List<ExclusionSearch> exclusions, long rowGroupRows, int maxRows)
            throws IOException
    {
        List<Counted> all = new ArrayList<>(searches);
        for (ExclusionSearch exclusion : exclusions) {
            double remaining = new CountedSearches(all).expectedRows(rowGroupRows);
            boolean isFirst = all.isEmpty();
            boolean isUseful = isFirst ? exclusion.fewestRows() <= maxRows : remaining > FEW_ROWS && exclusion.isFasterToCount(remaining);
            if (!isUseful || finds(exclusion.condition())) {
                continue;
            }
            OptionalInt rows = exclusion.count(isFirst ? maxRows : Integer.MAX_VALUE);
            if (rows.isPresent()) {
                all.add(new Counted(exclusion, rows.getAsInt()));
            }
        }
        return new CountedSearches(all);
    }

    private boolean finds(Object condition)
    {
        return searches.stream().anyMatch(counted -> counted.search().condition() == condition);
    }

    public boolean isEmpty()
    {
        return searches.isEmpty();
    }

    /**
     * Returns the rows that match all conditions if each one matches the same share of the rows of any other one.
     */
    public double expectedRows(long rowGroupRows)
    {
        double rows = rowGroupRows;
        for (Counted counted : searches) {
            rows *= (double) counted.rows() / rowGroupRows;
        }
        return rows;
    }

    /**
     * Returns the number of bytes of the positions that have not been read.
     */
    long positionBytes()
    {
        long bytes = 0;
        for (Counted counted : searches) {
            bytes += counted.search().positionBytes();
        }
        return bytes;
    }

    /**
     * Reads the positions of the searches with the fewest rows, and combines them. A search that is left out would read
     * more than the pages of the rows that were found.
     *
     * @return empty if it is faster to read the columns
     */
    public Optional<Found> find()
            throws IOException
    {
        RoaringBitmap rows = null;
        List<PositionSearch> used = new ArrayList<>();
        for (Counted counted : searches) {
            PositionSearch search = counted.search();
            if (rows != null && !search.isFasterThanReading(rows.getLongCardinality())) {
                continue;
            }
            Optional<RoaringBitmap> positions = rows == null ? search.positions() : search.retain(rows);
            if (positions.isPresent()) {
                rows = positions.get();
                used.add(search);
            }
        }
        return rows == null ? Optional.empty() : Optional.of(new Found(rows, used));
    }
}
