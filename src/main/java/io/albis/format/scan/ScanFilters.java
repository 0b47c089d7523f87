package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import io.albis.format.column.ColumnReader;
import io.albis.format.filter.FilterCache;
import io.albis.format.filter.RowFilters;
import io.albis.format.predicate.AlternativeFilters;
import io.albis.format.predicate.ColumnFilter;
import io.albis.format.predicate.ColumnSource;
import io.albis.format.predicate.ColumnTest;
import io.albis.format.predicate.DistinctValueFilter;
import io.albis.format.predicate.DomainFilter;
import io.albis.format.predicate.RowAlternatives;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The filters of a scan. Those of the predicate must be evaluated. Those of the dynamic predicate, which can change
 * during the scan, the tests of distinct values, and the alternatives are optional. The filter that discards the most
 * rows for its cost is evaluated first.
 */
final class ScanFilters
{
    // An optional filter that has kept nearly all of this many values is disabled, because it only exists to save work.
    private static final int ROWS_BEFORE_GIVING_UP = 1 << 15;
    private static final double USELESS_SELECTIVITY = 0.9;

    private final RowGroupScan scan;
    private final ReaderOptions options;
    private final FilterCache cache;
    private final ColumnSource columns;
    private final List<ColumnFilter> filters = new ArrayList<>();
    private final List<ColumnFilter> dynamicFilters = new ArrayList<>();
    private final List<ColumnFilter> tests = new ArrayList<>();
    private final List<AlternativeFilters> alternatives = new ArrayList<>();
    // filters that an index has replaced, whose shared values other readers may use
    private final List<ColumnFilter> replaced = new ArrayList<>();
    private final ActiveFilters active = new ActiveFilters();
    private TupleDomain<AlbisColumn> dynamicPredicate = TupleDomain.all();
    private boolean none;
    // whether there are other filters than before
    private boolean changed = true;
    private int segment;
    private int segmentRows;
    // a bit for each run of the segment that may contain rows that match
    private int matchingRuns;

    /**
     * Starts columns at the current segment.
     */
    @FunctionalInterface
    interface ColumnStarter
    {
        /**
         * Starts the current segment of a column, unless it is started, and returns the column.
         *
         * @param runs a bit for each run whose values are needed
         */
        ColumnReader start(ColumnReader column, int runs)
                throws IOException;
    }

    ScanFilters(RowGroupScan scan, ReaderOptions options, FilterCache cache, ColumnSource columns)
            throws IOException
    {
        this.scan = scan;
        this.options = options;
        this.cache = cache;
        this.columns = columns;
        if (scan.predicate().isNone()) {
            none = options.filterRows();
        }
        else if (options.pruneSegments() || options.filterRows()) {
            add(scan.predicate(), filters, options.filterRows());
        }
        if (options.filterRows()) {
            addTests();
            addAlternatives();
        }
        refresh();
    }

    private void add(TupleDomain<AlbisColumn> predicate, List<ColumnFilter> target, boolean filterRows)
            throws IOException
    {
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            AlbisColumn column = entry.getKey();
            Domain domain = entry.getValue();
            if (!RowFilters.isEnforceable(column.type(), domain)) {
                continue;
            }
            Optional<ColumnReader> reader = columns.column(column);
            if (reader.isPresent()) {
                target.add(new DomainFilter(column, reader.get(), domain, cache.get(domain)));
            }
            else if (filterRows && !column.isMissingIn(domain)) {
                none = true;
            }
        }
    }

    private void addTests()
            throws IOException
    {
        for (ColumnTest test : scan.tests()) {
            Optional<ColumnReader> reader = columns.column(test.column());
            if (reader.isPresent()) {
                tests.add(new DistinctValueFilter(test, reader.get()));
            }
            else {
                none |= !test.mayMatchMissing();
            }
        }
    }

    private void addAlternatives()
            throws IOException
    {
        for (RowAlternatives choice : scan.alternatives()) {
            AlternativeFilters added = new AlternativeFilters(choice, cache, columns);
            none |= added.isNone();
            if (!added.isAll() && !added.isNone()) {
                alternatives.add(added);
            }
        }
    }

    /**
     * Returns whether there are other filters than in the last call.
     */
    boolean takeChange()
    {
        boolean result = changed;
        changed = false;
        return result;
    }

    /**
     * Returns the filters that an index may replace.
     */
    List<ColumnFilter> searchable()
    {
        return ImmutableList.<ColumnFilter>builder()
                .addAll(options.filterRows() ? filters : ImmutableList.of())
                .addAll(options.filterRows() ? tests : ImmutableList.of())
                .addAll(dynamicFilters)
                .build();
    }

    /**
     * Returns the alternatives that indexes may search.
     */
    List<AlternativeFilters> alternatives()
    {
        return alternatives;
    }

    /**
     * Removes a filter, which must not be evaluated any more.
     */
    void remove(ColumnFilter filter)
    {
        filters.remove(filter);
        tests.remove(filter);
        dynamicFilters.remove(filter);
        replaced.add(filter);
    }

    /**
     * Returns whether it is known that no further row matches.
     */
    boolean isNone()
    {
        return none;
    }

    /**
     * Replaces the dynamic filters if the dynamic predicate has changed.
     *
     * @return whether it has changed
     */
    boolean refresh()
            throws IOException
    {
        if (!options.filterRowsDynamically()) {
            return false;
        }
        TupleDomain<AlbisColumn> current = scan.dynamicPredicate().get();
        if (current == dynamicPredicate) {
            return false;
        }
        dynamicPredicate = current;
        changed = true;
        dynamicFilters.forEach(filter -> filter.release(this));
        dynamicFilters.clear();
        if (current.isNone()) {
            none = true;
        }
        else {
            add(current, dynamicFilters, true);
        }
        return true;
    }

    /**
     * Returns the retained memory in bytes. It includes the shared values that no other reader counts.
     */
    long retainedSize()
    {
        long size = 0;
        Set<Object> claimed = new HashSet<>();
        for (ColumnFilter filter : all()) {
            size += filter.retainedSize();
            size += claimed.add(filter.shared()) ? filter.claim(this) : 0;
        }
        return size;
    }

    /**
     * Releases the filters, so that other readers count the values that they share with this one.
     */
    void close()
    {
        all().forEach(filter -> filter.release(this));
        filters.clear();
        dynamicFilters.clear();
        tests.clear();
        alternatives.clear();
        replaced.clear();
        active.clear();
    }

    private List<ColumnFilter> all()
    {
        List<ColumnFilter> all = new ArrayList<>(filters);
        all.addAll(dynamicFilters);
        all.addAll(tests);
        all.addAll(replaced);
        alternatives.forEach(choice -> all.addAll(choice.filters()));
        return all;
    }

    /**
     * Returns whether a segment may contain rows that match all filters.
     */
    boolean mayMatch(int segment, int rows)
            throws IOException
    {
        for (AlternativeFilters choice : alternatives) {
            if (!choice.mayMatch(segment, rows)) {
                return false;
            }
        }
        return ColumnFilter.mayMatch(filters, segment, rows) && ColumnFilter.mayMatch(dynamicFilters, segment, rows);
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that match all filters, according to the current
     * predicates.
     */
    int matchingRuns(int segment, int rows)
            throws IOException
    {
        int matching = Segment.allRuns(rows);
        if (options.pruneSegments()) {
            matching &= ColumnFilter.matchingRuns(filters, segment, rows) & ColumnFilter.matchingRuns(dynamicFilters, segment, rows);
            for (AlternativeFilters choice : alternatives) {
                matching &= choice.matchingRuns(segment, rows);
            }
        }
        return matching;
    }

    /**
     * Starts a segment and selects the filters to evaluate in it.
     *
     * @param runs a bit for each run that may contain rows that match
     */
    void startSegment(int segment, int rows, int runs)
            throws IOException
    {
        this.segment = segment;
        this.segmentRows = rows;
        this.matchingRuns = runs;
        active.startSegment(useful(), segment, rows);
    }

    private List<ColumnFilter> useful()
    {
        List<ColumnFilter> useful = new ArrayList<>(options.filterRows() ? filters : List.of());
        addUseful(dynamicFilters, useful);
        addUseful(tests, useful);
        return useful;
    }

    private static void addUseful(List<ColumnFilter> optional, List<ColumnFilter> useful)
    {
        for (ColumnFilter filter : optional) {
            if (filter.seen() <= ROWS_BEFORE_GIVING_UP || filter.selectivity() <= USELESS_SELECTIVITY) {
                useful.add(filter);
            }
        }
    }

    /**
     * Returns the columns of the filters that may discard rows of a segment, according to the current predicates, with
     * a bit for each run of which they may discard rows.
     */
    Map<ChunkReader, Integer> columns(int segment, int rows)
            throws IOException
    {
        Map<ChunkReader, Integer> columns = new LinkedHashMap<>();
        for (ColumnFilter filter : useful()) {
            if (filter.mayDrop(segment, rows)) {
                columns.merge(filter.column().chunks(), filter.droppingRuns(segment, rows), (left, right) -> left | right);
            }
        }
        return columns;
    }

    /**
     * Returns the number of filters of the current segment that use the bytes of a chunk reader.
     */
    int uses(ChunkReader chunks)
    {
        return active.uses(chunks);
    }

    /**
     * Returns whether any filter has to be evaluated in the current segment. Refreshes the dynamic filters first.
     */
    boolean evaluates()
            throws IOException
    {
        if (refresh() && !none) {
            startSegment(segment, segmentRows, matchingRuns & matchingRuns(segment, segmentRows));
        }
        return none || !active.isEmpty();
    }

    /**
     * Returns whether a run of the current segment may contain rows that match.
     */
    boolean mayMatch(int run)
    {
        return (matchingRuns & (1 << run)) != 0;
    }

    /**
     * Selects the rows of a run that match.
     *
     * @param rows rows within the run, ascending; those that match are moved to the front
     * @return the number of rows that match
     */
    int select(int run, int[] rows, int count, ColumnStarter starter, WorkLimit work)
            throws IOException
    {
        return none ? 0 : active.select(run, rows, count, starter, work);
    }
}
