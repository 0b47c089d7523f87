package io.albis.format.search;

import io.albis.format.predicate.AlternativeFilters;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.predicate.RowExclusion;
import io.albis.format.run.Run;
import io.albis.format.run.Segment;
import io.albis.format.run.SegmentShare;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Finds the filters and alternatives of which a search of indexes may save something.
 */
public final class SearchCandidates
{
    private final SegmentShare share;
    private final ReaderThresholds thresholds;
    private final SearchCache cache;
    private final IndexSource indexes;
    private final int[] segmentRows;
    private final long rowGroupRows;
    private final List<PositionSearch> searches = new ArrayList<>();
    private final List<ExclusionSearch> exclusions = new ArrayList<>();

    /**
     * @param share the segments that are read
     * @param segmentRows the number of rows of each segment
     */
    public SearchCandidates(SegmentShare share, ReaderThresholds thresholds, SearchCache cache, IndexSource indexes, int[] segmentRows)
    {
        this.share = requireNonNull(share, "share is null");
        this.thresholds = requireNonNull(thresholds, "thresholds is null");
        this.cache = requireNonNull(cache, "cache is null");
        this.indexes = requireNonNull(indexes, "indexes is null");
        this.segmentRows = requireNonNull(segmentRows, "segmentRows is null");
        this.rowGroupRows = Arrays.stream(segmentRows).asLongStream().sum();
    }

    /**
     * Adds a search for a filter if its column has an index that may save something. If the filter excludes single
     * values, their rows are searched and not those of all other values.
     */
    public void add(ColumnFilter filter)
            throws IOException
    {
        Optional<FilterExclusion> exclusion = exclusion(filter, thresholds.minSearchedRuns());
        exclusion.ifPresent(found -> exclusions.add(ExclusionSearch.ofFilter(found, rowGroupRows)));
        if (exclusion.isEmpty() || !exclusion.get().exclusion().isExact()) {
            search(filter, thresholds.minSearchedRuns()).ifPresent(searches::add);
        }
    }

    /**
     * Adds a search for alternatives if each of them has an index, or bounds that leave few rows. An alternative that
     * the bounds exclude needs neither. If each alternative excludes single values, the rows that match none of them
     * are searched.
     */
    public void add(AlternativeFilters alternatives)
            throws IOException
    {
        if (!hasIndex(alternatives)) {
            return;
        }
        int runs = 0;
        for (int segment = share.begin(segmentRows.length); segment < share.end(segmentRows.length); segment++) {
            runs += Integer.bitCount(alternatives.matchingRuns(segment, segmentRows[segment]) & Segment.allRuns(segmentRows[segment]));
        }
        if (runs < Math.max(1, thresholds.minSearchedRuns())) {
            return;
        }
        if (!addExclusion(alternatives)) {
            addSearch(alternatives);
        }
    }

    private void addSearch(AlternativeFilters alternatives)
            throws IOException
    {
        List<AlternativesSearch.Branch> branches = new ArrayList<>();
        boolean searched = false;
        for (List<ColumnFilter> branch : alternatives.branches()) {
            Optional<RoaringBitmap> bounded = boundedRows(branch);
            if (bounded.isPresent() && bounded.get().isEmpty()) {
                continue;
            }
            List<FilterSearch> found = new ArrayList<>();
            for (ColumnFilter filter : branch) {
                search(filter, 0).ifPresent(found::add);
            }
            if (found.isEmpty() && bounded.isEmpty()) {
                return;
            }
            searched |= !found.isEmpty();
            branches.add(new AlternativesSearch.Branch(found, bounded));
        }
        if (searched) {
            searches.add(new AlternativesSearch(alternatives, branches, rowGroupRows, (int) (rowGroupRows * thresholds.maxCombinedShare())));
        }
    }

    /**
     * Adds a search for the rows that match no alternative if indexes find some of them.
     *
     * @return whether indexes find all of them
     */
    private boolean addExclusion(AlternativeFilters alternatives)
            throws IOException
    {
        List<List<FilterExclusion>> branches = new ArrayList<>();
        boolean isExact = true;
        for (List<ColumnFilter> branch : alternatives.branches()) {
            if (isExcluded(branch)) {
                continue;
            }
            List<FilterExclusion> found = new ArrayList<>();
            for (ColumnFilter filter : branch) {
                Optional<FilterExclusion> exclusion = exclusion(filter, 0);
                exclusion.ifPresent(found::add);
                isExact &= exclusion.isPresent() && exclusion.get().exclusion().isExact();
            }
            if (found.isEmpty()) {
                return false;
            }
            branches.add(found);
        }
        exclusions.add(ExclusionSearch.ofAlternatives(alternatives, branches, rowGroupRows));
        return isExact;
    }

    private boolean hasIndex(AlternativeFilters alternatives)
            throws IOException
    {
        for (ColumnFilter filter : alternatives.filters()) {
            if (filter.isSearchable() && indexes.index(filter.tableColumn()).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private Optional<FilterSearch> search(ColumnFilter filter, int minRuns)
            throws IOException
    {
        Optional<SearchedIndex> found = filter.isSearchable() ? indexes.index(filter.tableColumn()) : Optional.empty();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        SearchedIndex index = found.get();
        if (!filter.canSearch(index.reader())) {
            return Optional.empty();
        }
        SearchEstimate estimate = SearchEstimate.of(filter, segmentRows, share);
        long fewestRows = Math.max(estimate.containedRows(), filter.fewestRows(index.reader()));
        long maxBytes = (long) (estimate.bytes() * thresholds.maxSearchedBytes());
        if (estimate.runs() < minRuns || fewestRows > maxRows() || index.reader().directoryBytes() > maxBytes) {
            return Optional.empty();
        }
        SharedSearch shared = cache.get(index.columnGroup(), filter.tableColumn().id(), filter.shared(), false);
        return Optional.of(new FilterSearch(filter, index, shared, fewestRows, maxBytes));
    }

    private double maxRows()
    {
        return rowGroupRows * Math.max(thresholds.maxFoundShare(), thresholds.maxCombinedShare());
    }

    private Optional<FilterExclusion> exclusion(ColumnFilter filter, int minRuns)
            throws IOException
    {
        Optional<SearchedIndex> found = filter.isSearchable() ? indexes.index(filter.tableColumn()) : Optional.empty();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        SearchedIndex index = found.get();
        Optional<RowExclusion> exclusion = filter.exclusion(index.reader());
        if (exclusion.isEmpty()) {
            return Optional.empty();
        }
        SearchEstimate estimate = SearchEstimate.of(filter, segmentRows, share);
        long maxBytes = (long) (estimate.bytes() * thresholds.maxSearchedBytes());
        // a filter that all rows match according to the bounds reads no column
        if (estimate.runs() < minRuns || estimate.containedRows() >= rowGroupRows || index.reader().directoryBytes() > maxBytes) {
            return Optional.empty();
        }
        long fewestRows = Math.max(estimate.containedRows(), filter.fewestRows(index.reader()));
        SharedSearch shared = cache.get(index.columnGroup(), filter.tableColumn().id(), filter.shared(), true);
        return Optional.of(new FilterExclusion(filter, index, exclusion.get(), shared, fewestRows, maxBytes));
    }

    /**
     * Returns whether bounds exclude all rows of the share for filters.
     */
    private boolean isExcluded(List<ColumnFilter> filters)
            throws IOException
    {
        for (int segment = share.begin(segmentRows.length); segment < share.end(segmentRows.length); segment++) {
            int rows = segmentRows[segment];
            if (ColumnFilter.mayMatch(filters, segment, rows) && (ColumnFilter.matchingRuns(filters, segment, rows) & Segment.allRuns(rows)) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the rows of the runs of the share that the bounds of filters leave.
     *
     * @return empty if there are too many
     */
    private Optional<RoaringBitmap> boundedRows(List<ColumnFilter> filters)
            throws IOException
    {
        RoaringBitmap rows = new RoaringBitmap();
        long begin = 0;
        for (int segment = 0; segment < share.end(segmentRows.length); segment++) {
            int count = segmentRows[segment];
            if (segment >= share.begin(segmentRows.length) && ColumnFilter.mayMatch(filters, segment, count)) {
                addRuns(rows, begin, count, ColumnFilter.matchingRuns(filters, segment, count));
                if (rows.getLongCardinality() > rowGroupRows * thresholds.maxFoundShare()) {
                    return Optional.empty();
                }
            }
            begin += count;
        }
        return Optional.of(rows);
    }

    /**
     * Adds the rows of runs of a segment.
     *
     * @param begin position of the first row of the segment
     * @param count number of rows of the segment
     * @param runs a bit for each run
     */
    private static void addRuns(RoaringBitmap rows, long begin, int count, int runs)
    {
        for (int run = 0; run < Segment.runs(count); run++) {
            if ((runs & (1 << run)) != 0) {
                long first = begin + (long) run * Run.MAX_ROWS;
                rows.add(first, first + Segment.runRows(count, run));
            }
        }
    }

    /**
     * Returns the search that combines those that were added. The searches for rows that do not match are among them if
     * few rows may remain, or if other searches find the rows from which they are removed.
     */
    public IndexSearch combine()
    {
        List<ExclusionSearch> useful = exclusions.stream()
                .filter(exclusion -> exclusion.fewestRows() <= maxRows() || searches.stream().anyMatch(search -> search.condition() != exclusion.condition()))
                .collect(toImmutableList());
        return new IndexSearch(searches, useful, rowGroupRows, thresholds);
    }
}
