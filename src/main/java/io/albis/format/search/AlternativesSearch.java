package io.albis.format.search;

import com.google.common.collect.ImmutableList;
import io.albis.format.predicate.AlternativeFilters;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.request.ParallelReads;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * The search for rows that match one of several alternatives: the rows of each one, from the indexes of its columns, or
 * all rows of the runs that its bounds leave. Not thread safe.
 */
final class AlternativesSearch
        implements PositionSearch
{
    // The most bytes of the positions of all branches, which are in memory at the same time
    static final long MAX_POSITION_BYTES = 1 << 22;

    /**
     * One of several alternatives.
     *
     * @param searches searches of the indexes of its columns; can be empty
     * @param bounded the rows of the runs that the bounds of its columns leave; empty if they are too many
     */
    record Branch(List<FilterSearch> searches, Optional<RoaringBitmap> bounded)
    {
        Branch
        {
            searches = ImmutableList.copyOf(searches);
            requireNonNull(bounded, "bounded is null");
        }

        private long expectedRows()
        {
            long rows = bounded.map(RoaringBitmap::getLongCardinality).orElse(Long.MAX_VALUE);
            for (FilterSearch search : searches) {
                rows = Math.min(rows, search.expectedRows());
            }
            return rows;
        }
    }

    private final AlternativeFilters alternatives;
    private final List<Branch> branches;
    private final long rowGroupRows;
    private final int maxCombinedRows;
    // by branch, without searches if the bounds leave fewer rows; empty before the rows are counted
    private List<CountedSearches> counted = ImmutableList.of();

    /**
     * @param branches each with searches or bounded rows
     * @param rowGroupRows number of rows of the row group
     * @param maxCombinedRows the most rows of one of several searches whose rows are combined
     */
    AlternativesSearch(AlternativeFilters alternatives, List<Branch> branches, long rowGroupRows, int maxCombinedRows)
    {
        this.alternatives = requireNonNull(alternatives, "alternatives is null");
        this.branches = ImmutableList.copyOf(branches);
        this.rowGroupRows = rowGroupRows;
        this.maxCombinedRows = maxCombinedRows;
    }

    @Override
    public List<SharedSearch> shared()
    {
        return branches.stream()
                .flatMap(branch -> branch.searches().stream())
                .map(FilterSearch::search)
                .collect(toImmutableList());
    }

    @Override
    public Object condition()
    {
        return alternatives;
    }

    /**
     * The rows that were found may match none of the alternatives, and the engine evaluates them.
     */
    @Override
    public List<ColumnFilter> replaced()
    {
        return ImmutableList.of();
    }

    @Override
    public boolean testsValues()
    {
        return branches.stream()
                .flatMap(branch -> branch.searches().stream())
                .anyMatch(FilterSearch::testsValues);
    }

    @Override
    public long expectedRows()
    {
        long rows = 0;
        for (Branch branch : branches) {
            rows += branch.expectedRows();
        }
        return rows;
    }

    @Override
    public void addCounts(ParallelReads reads, int maxRows)
    {
        for (Branch branch : branches) {
            branch.searches().forEach(search -> search.addCounts(reads, maxRows(branch, maxRows)));
        }
    }

    private int maxRows(Branch branch, int maxRows)
    {
        return branch.searches().size() > 1 ? Math.max(maxRows, maxCombinedRows) : maxRows;
    }

    @Override
    public OptionalInt count(int maxRows)
            throws IOException
    {
        List<CountedSearches> found = new ArrayList<>();
        double rows = 0;
        long bytes = 0;
        for (Branch branch : branches) {
            CountedSearches searches = CountedSearches.count(branch.searches(), maxRows(branch, maxRows));
            double bounded = branch.bounded().map(RoaringBitmap::getLongCardinality).orElse(Long.MAX_VALUE);
            double expected = searches.isEmpty() ? Double.MAX_VALUE : searches.expectedRows(rowGroupRows);
            if (bounded <= expected) {
                searches = new CountedSearches(ImmutableList.of());
            }
            found.add(searches);
            rows += Math.min(bounded, expected);
            bytes += searches.positionBytes();
            if (rows > maxRows || bytes > MAX_POSITION_BYTES) {
                return OptionalInt.empty();
            }
        }
        counted = found;
        return OptionalInt.of((int) Math.ceil(rows));
    }

    @Override
    public long positionBytes()
    {
        long bytes = 0;
        for (CountedSearches searches : counted) {
            bytes += searches.positionBytes();
        }
        return bytes;
    }

    @Override
    public Optional<RoaringBitmap> positions()
            throws IOException
    {
        RoaringBitmap rows = new RoaringBitmap();
        for (int i = 0; i < branches.size(); i++) {
            Optional<RoaringBitmap> found = counted.get(i).find().map(CountedSearches.Found::rows).or(branches.get(i)::bounded);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            rows.or(found.get());
        }
        return Optional.of(rows);
    }
}
