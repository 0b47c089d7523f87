package io.albis.format.predicate;

import com.google.common.collect.ImmutableList;
import io.albis.format.column.ColumnReader;
import io.albis.format.filter.FilterCache;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.Domain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The filters of alternatives: a row may match if it matches all filters of one branch. They exclude segments and runs
 * by bounds, and rows by indexes. They do not evaluate other rows, because the engine evaluates the alternatives again.
 */
public final class AlternativeFilters
{
    // those that may match in the row group, each with at least one filter, unless all rows may match
    private final List<List<ColumnFilter>> branches = new ArrayList<>();
    private final List<ColumnFilter> filters;
    private boolean all;

    public AlternativeFilters(RowAlternatives alternatives, FilterCache cache, ColumnSource columns)
            throws IOException
    {
        for (RowAlternatives.Branch branch : alternatives.branches()) {
            Optional<List<ColumnFilter>> found = filters(branch, cache, columns);
            if (found.isPresent()) {
                branches.add(found.get());
                all |= found.get().isEmpty();
            }
        }
        filters = branches.stream()
                .flatMap(List::stream)
                .collect(toImmutableList());
    }

    /**
     * Returns the filters of a branch.
     *
     * @return empty if the row group does not have a column, and no row matches for that reason
     */
    private static Optional<List<ColumnFilter>> filters(RowAlternatives.Branch branch, FilterCache cache, ColumnSource columns)
            throws IOException
    {
        ImmutableList.Builder<ColumnFilter> filters = ImmutableList.builder();
        for (Map.Entry<AlbisColumn, Domain> entry : branch.predicate().getDomains().orElseThrow().entrySet()) {
            Optional<ColumnReader> reader = columns.column(entry.getKey());
            if (reader.isPresent()) {
                filters.add(new DomainFilter(entry.getKey(), reader.get(), entry.getValue(), cache.get(entry.getValue())));
            }
            else if (!entry.getKey().isMissingIn(entry.getValue())) {
                return Optional.empty();
            }
        }
        for (ColumnTest test : branch.tests()) {
            Optional<ColumnReader> reader = columns.column(test.column());
            if (reader.isPresent()) {
                filters.add(new DistinctValueFilter(test, reader.get()));
            }
            else if (!test.mayMatchMissing()) {
                return Optional.empty();
            }
        }
        return Optional.of(filters.build());
    }

    /**
     * Returns whether nothing is known about the rows of the row group.
     */
    public boolean isAll()
    {
        return all;
    }

    /**
     * Returns whether no row of the row group matches.
     */
    public boolean isNone()
    {
        return branches.isEmpty();
    }

    /**
     * Returns the filters of each branch.
     */
    public List<List<ColumnFilter>> branches()
    {
        return branches;
    }

    /**
     * Returns the filters of all branches.
     */
    public List<ColumnFilter> filters()
    {
        return filters;
    }

    /**
     * Returns whether a segment may contain rows that match.
     */
    public boolean mayMatch(int segment, int rows)
            throws IOException
    {
        for (List<ColumnFilter> branch : branches) {
            if (ColumnFilter.mayMatch(branch, segment, rows)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that match.
     */
    public int matchingRuns(int segment, int rows)
            throws IOException
    {
        int matching = 0;
        for (List<ColumnFilter> branch : branches) {
            if (ColumnFilter.mayMatch(branch, segment, rows)) {
                matching |= ColumnFilter.matchingRuns(branch, segment, rows);
            }
        }
        return matching;
    }
}
