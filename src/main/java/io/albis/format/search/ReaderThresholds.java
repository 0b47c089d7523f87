package io.albis.format.search;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * When a reader finds or reads single rows instead of runs. A query returns the same rows with all thresholds.
 *
 * @param minSearchedRuns the fewest runs that the bounds of a column must leave before its index is searched
 * @param maxFoundShare the most rows that a search of indexes may find, as a share of the rows of the row group
 * @param maxCombinedShare the same for one of several indexes, whose rows are combined
 * @param maxSearchedBytes the most bytes of each part of an index that a search reads, as a multiple of the bytes of
 *         the column that it does not read then
 * @param maxPageValues the most rows of a run of which only single pages are read
 */
public record ReaderThresholds(int minSearchedRuns, double maxFoundShare, double maxCombinedShare, double maxSearchedBytes, int maxPageValues)
{
    /**
     * A search for more rows takes longer than a scan of the column, and the rows are in most of its runs. More values
     * of a run are rarely in a few pages, and finding their pages takes time.
     */
    public static final ReaderThresholds DEFAULTS = new ReaderThresholds(2, 1.0 / 32, 1.0 / 8, 1, 256);

    public ReaderThresholds
    {
        checkArgument(minSearchedRuns >= 0, "minSearchedRuns is negative: %s", minSearchedRuns);
        checkArgument(maxFoundShare >= 0 && maxFoundShare <= 1, "maxFoundShare is not between 0 and 1: %s", maxFoundShare);
        checkArgument(maxCombinedShare >= 0 && maxCombinedShare <= 1, "maxCombinedShare is not between 0 and 1: %s", maxCombinedShare);
        checkArgument(maxSearchedBytes >= 0, "maxSearchedBytes is negative: %s", maxSearchedBytes);
        checkArgument(maxPageValues >= 0, "maxPageValues is negative: %s", maxPageValues);
    }
}
