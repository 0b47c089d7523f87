package io.albis.format.search;

import com.google.common.collect.ImmutableList;
import io.albis.format.request.ParallelReads;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Finds the rows that match several filters: counts the rows of each filter, reads the positions of the filters that
 * match the fewest rows, and combines them. Rows that do not match others are removed from them. A filter that is left
 * out is evaluated on the rows that were found.
 */
public final class IndexSearch
{
    private final List<PositionSearch> searches;
    private final List<ExclusionSearch> exclusions;
    private final long rowGroupRows;
    private final ReaderThresholds thresholds;

    /**
     * @param searches the searches of different filters and alternatives
     * @param exclusions the searches for the rows that do not match them
     * @param rowGroupRows number of rows of the row group
     */
    IndexSearch(List<PositionSearch> searches, List<ExclusionSearch> exclusions, long rowGroupRows, ReaderThresholds thresholds)
    {
        this.searches = ImmutableList.copyOf(searches);
        this.exclusions = ImmutableList.copyOf(exclusions);
        this.rowGroupRows = rowGroupRows;
        this.thresholds = requireNonNull(thresholds, "thresholds is null");
    }

    /**
     * Returns what the readers of the row group share of the searches of single indexes.
     */
    public List<SharedSearch> shared()
    {
        return all()
                .flatMap(search -> search.shared().stream())
                .collect(toImmutableList());
    }

    /**
     * Returns whether a search tests values with functions of the query.
     *
     * @see PositionSearch#testsValues
     */
    public boolean testsValues()
    {
        return all().anyMatch(PositionSearch::testsValues);
    }

    private Stream<PositionSearch> all()
    {
        return Stream.concat(searches.stream(), exclusions.stream());
    }

    /**
     * Searches the indexes.
     *
     * @param executor searches several indexes at the same time; empty if the storage does not benefit from this
     * @return empty if it is faster to read the columns
     */
    public Optional<CountedSearches.Found> search(Optional<Executor> executor)
            throws IOException
    {
        int maxRows = (int) (rowGroupRows * (isCombined() ? thresholds.maxCombinedShare() : thresholds.maxFoundShare()));
        if (executor.isPresent()) {
            countAhead(maxRows, executor.get());
        }
        CountedSearches counted = CountedSearches.count(searches, maxRows).exclude(exclusions, rowGroupRows, maxRows);
        if (counted.isEmpty() || counted.expectedRows(rowGroupRows) > rowGroupRows * thresholds.maxFoundShare()) {
            return Optional.empty();
        }
        return counted.find();
    }

    /**
     * Returns whether several searches may leave fewer rows together than one of them alone. The removal of a few rows
     * does not count, because the rows that remain would still be too many.
     */
    private boolean isCombined()
    {
        long restricting = searches.size();
        for (ExclusionSearch exclusion : exclusions) {
            boolean isSearched = searches.stream().anyMatch(search -> search.condition() == exclusion.condition());
            restricting += !isSearched && (exclusion.fewestRows() < rowGroupRows || exclusion.expectedRows() <= rowGroupRows / 2) ? 1 : 0;
        }
        return restricting > 1;
    }

    /**
     * Counts the rows of several indexes at the same time, unless one of them is likely to have few. The searches keep
     * what they find.
     */
    private void countAhead(int maxRows, Executor executor)
            throws IOException
    {
        ParallelReads reads = new ParallelReads();
        long fewest = Long.MAX_VALUE;
        for (PositionSearch search : searches) {
            search.addCounts(reads, maxRows);
            fewest = Math.min(fewest, search.expectedRows());
        }
        if (reads.size() > 1 && fewest > CountedSearches.FEW_ROWS) {
            reads.runAll(executor);
        }
    }
}
