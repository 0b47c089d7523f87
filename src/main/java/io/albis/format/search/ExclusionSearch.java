package io.albis.format.search;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.PageChecksum;
import io.albis.format.predicate.AlternativeFilters;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.predicate.DistinctValueFilter;
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
 * The search for rows that do not match a filter, such as {@code b <> 7}, or none of several alternatives, such as
 * {@code b <> 2 OR c <> 3}. The other rows may match. A row matches no alternative if it is among the rows that one of
 * the filters of each alternative excludes. Not thread safe.
 */
final class ExclusionSearch
        implements PositionSearch
{
    private final Object condition;
    // of each alternative, at least one
    private final List<List<FilterExclusion>> branches;
    private final List<ColumnFilter> replaced;
    private final long fewestRows;
    private final long rowGroupRows;
    // those of the branches whose rows are counted; empty before
    private List<List<FilterExclusion>> counted = ImmutableList.of();
    // an estimate, or the number if there is one filter
    private double excludedRows;

    private ExclusionSearch(Object condition, List<List<FilterExclusion>> branches, List<ColumnFilter> replaced, long fewestRows, long rowGroupRows)
    {
        this.condition = requireNonNull(condition, "condition is null");
        this.branches = ImmutableList.copyOf(branches);
        this.replaced = ImmutableList.copyOf(replaced);
        this.fewestRows = fewestRows;
        this.rowGroupRows = rowGroupRows;
    }

    /**
     * @param rowGroupRows number of rows of the row group
     */
    static ExclusionSearch ofFilter(FilterExclusion exclusion, long rowGroupRows)
    {
        boolean isExact = exclusion.exclusion().isExact();
        return new ExclusionSearch(
                exclusion.filter(),
                ImmutableList.of(ImmutableList.of(exclusion)),
                isExact ? ImmutableList.of(exclusion.filter()) : ImmutableList.of(),
                isExact ? exclusion.fewestRows() : rowGroupRows,
                rowGroupRows);
    }

    /**
     * @param branches at least one exclusion of each alternative
     * @param rowGroupRows number of rows of the row group
     */
    static ExclusionSearch ofAlternatives(AlternativeFilters alternatives, List<List<FilterExclusion>> branches, long rowGroupRows)
    {
        long fewestRows = 0;
        for (List<FilterExclusion> branch : branches) {
            for (FilterExclusion exclusion : branch) {
                if (!exclusion.exclusion().isExact()) {
                    fewestRows = rowGroupRows;
                }
                else if (branch.size() == 1) {
                    fewestRows = Math.max(fewestRows, exclusion.fewestRows());
                }
            }
        }
        return new ExclusionSearch(alternatives, branches, ImmutableList.of(), fewestRows, rowGroupRows);
    }

    /**
     * Returns a number of rows that remain at least. It is that of all rows if the search is of use only to remove rows
     * from those of others.
     */
    long fewestRows()
    {
        return fewestRows;
    }

    /**
     * Returns whether counting the rows may take less than reading the columns for some rows.
     */
    boolean isFasterToCount(double rows)
    {
        long bytes = 0;
        for (List<FilterExclusion> branch : branches) {
            for (FilterExclusion exclusion : branch) {
                bytes += exclusion.exclusion().valueBytes();
            }
        }
        return bytes <= rows * PageChecksum.PAGE_SIZE;
    }

    @Override
    public Object condition()
    {
        return condition;
    }

    @Override
    public List<SharedSearch> shared()
    {
        return branches.stream()
                .flatMap(List::stream)
                .map(FilterExclusion::search)
                .collect(toImmutableList());
    }

    /**
     * Without alternatives, all rows match that a domain does not exclude.
     */
    @Override
    public List<ColumnFilter> replaced()
    {
        return replaced;
    }

    @Override
    public boolean testsValues()
    {
        return branches.stream()
                .flatMap(List::stream)
                .anyMatch(exclusion -> exclusion.filter() instanceof DistinctValueFilter);
    }

    @Override
    public long expectedRows()
    {
        double excluded = 1;
        for (List<FilterExclusion> branch : branches) {
            double share = 0;
            for (FilterExclusion exclusion : branch) {
                share += (double) exclusion.exclusion().expectedRows() / rowGroupRows;
            }
            excluded *= Math.min(1, share);
        }
        return (long) (rowGroupRows * (1 - excluded));
    }

    /**
     * Adds nothing: the rows are counted only if other searches have found more than a few rows.
     */
    @Override
    public void addCounts(ParallelReads reads, int maxRows) {}

    @Override
    public OptionalInt count(int maxRows)
            throws IOException
    {
        List<List<FilterExclusion>> found = new ArrayList<>();
        double excluded = 1;
        long bytes = 0;
        for (List<FilterExclusion> branch : branches) {
            List<FilterExclusion> usable = new ArrayList<>();
            double share = 0;
            for (FilterExclusion exclusion : branch) {
                OptionalInt rows = exclusion.count();
                if (rows.isPresent()) {
                    usable.add(exclusion);
                    share += (double) rows.getAsInt() / rowGroupRows;
                    bytes += exclusion.search().positionBytes();
                }
            }
            if (usable.isEmpty() || bytes > AlternativesSearch.MAX_POSITION_BYTES) {
                return OptionalInt.empty();
            }
            found.add(usable);
            excluded *= Math.min(1, share);
        }
        // a filter that all rows match need not be evaluated, but alternatives are in any case
        if (excluded == 0 && replaced.isEmpty()) {
            return OptionalInt.empty();
        }
        int rows = (int) Math.round(rowGroupRows * (1 - excluded));
        if (rows > maxRows) {
            return OptionalInt.empty();
        }
        counted = found;
        excludedRows = rowGroupRows * excluded;
        return OptionalInt.of(rows);
    }

    @Override
    public long positionBytes()
    {
        long bytes = 0;
        for (List<FilterExclusion> branch : counted) {
            for (FilterExclusion exclusion : branch) {
                bytes += exclusion.search().positionBytes();
            }
        }
        return bytes;
    }

    /**
     * If the filter need not be evaluated, its column is not read for any row. Otherwise, only the rows that are
     * removed are not read.
     */
    @Override
    public boolean isFasterThanReading(long rows)
    {
        double saved = replaced.isEmpty() ? rows * excludedRows / rowGroupRows : rows;
        return positionBytes() <= saved * PageChecksum.PAGE_SIZE;
    }

    @Override
    public Optional<RoaringBitmap> positions()
            throws IOException
    {
        return retain(RoaringBitmap.bitmapOfRange(0, rowGroupRows));
    }

    @Override
    public Optional<RoaringBitmap> retain(RoaringBitmap rows)
            throws IOException
    {
        RoaringBitmap excluded = rows;
        for (List<FilterExclusion> branch : counted) {
            RoaringBitmap ofBranch = new RoaringBitmap();
            for (FilterExclusion exclusion : branch) {
                Optional<RoaringBitmap> positions = exclusion.positions();
                if (positions.isEmpty()) {
                    return Optional.empty();
                }
                ofBranch.or(positions.get());
            }
            excluded = RoaringBitmap.and(excluded, ofBranch);
            if (excluded.isEmpty()) {
                break;
            }
        }
        return Optional.of(RoaringBitmap.andNot(rows, excluded));
    }
}
