package io.albis.format.scan;

import io.albis.format.column.ColumnReader;
import io.albis.format.column.FilterState;
import io.albis.format.filter.SharedFilter;
import io.albis.format.index.ValueListReader;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.predicate.Domain;
import org.roaringbitmap.RoaringBitmap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.trino.spi.type.TypeUtils.typeHasNaN;

/**
 * The filter on one column. It prunes segments by their statistics and selects rows by their values.
 */
final class ColumnFilter
{
    // Filtering text costs more than filtering numbers.
    private static final int VARIABLE_WIDTH_COST = 4;

    // Elements are read with the lengths of the arrays or maps and with the keys of maps
    private static final int ELEMENT_COST = 16;

    // A search for more rows takes longer than a scan of the column, and the rows are in most of its runs
    private static final int MAX_FOUND_SHARE = 32;

    private final AlbisColumn tableColumn;
    private final ColumnReader column;
    private final Domain domain;
    private final SharedFilter shared;
    private final Domain pruningDomain;
    private final FilterState state;
    private final int cost;

    private long seen;
    private long selected;
    private boolean selectsAll;
    // a bit for each run of the segment that may contain rows that do not match
    private int droppingRuns;

    ColumnFilter(AlbisColumn tableColumn, ColumnReader column, Domain domain, SharedFilter shared)
    {
        this.tableColumn = tableColumn;
        this.column = column;
        this.domain = domain;
        this.shared = shared;
        this.pruningDomain = shared.pruningDomain(domain);
        this.state = new FilterState(shared.newFilter());
        this.cost = cost(tableColumn);
    }

    private static int cost(AlbisColumn column)
    {
        if (column.container().isPresent()) {
            return ELEMENT_COST;
        }
        return column.storageType().isVariableWidth() ? VARIABLE_WIDTH_COST : 1;
    }

    /**
     * Finds the rows that match with the index of the column, unless the bounds of runs leave little to read.
     *
     * @param share the segments to read
     * @return empty if there is no index, or if it is faster to read the column
     */
    Optional<RoaringBitmap> findRows(ScanFilters.IndexSource indexes, int[] segmentRows, SegmentShare share)
            throws IOException
    {
        if (domain.isAll() || domain.getValues().isAll()) {
            return Optional.empty();
        }
        Optional<ValueListReader> index = indexes.index(tableColumn);
        if (index.isEmpty()) {
            return Optional.empty();
        }
        int runs = 0;
        for (int segment = share.begin(segmentRows.length); segment < share.end(segmentRows.length); segment++) {
            if (mayMatch(segment, segmentRows[segment])) {
                runs += Integer.bitCount(matchingRuns(segment, segmentRows[segment]) & (ChunkReader.ALL_RUNS >>> (Segment.MAX_RUNS - Segment.runs(segmentRows[segment]))));
            }
        }
        return runs <= 1 ? Optional.empty() : index.get().find(domain, Arrays.stream(segmentRows).sum() / MAX_FOUND_SHARE);
    }

    /**
     * Returns whether a segment may contain rows that match.
     */
    boolean mayMatch(int segment, int rows)
            throws IOException
    {
        return values(segment, rows).overlaps(pruningDomain);
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that match.
     */
    int matchingRuns(int segment, int rows)
            throws IOException
    {
        List<ColumnStatistics> runs = column.runStatistics(segment);
        int matching = ChunkReader.ALL_RUNS;
        for (int run = 0; run < runs.size(); run++) {
            if (!values(runs.get(run), segment, Segment.runRows(rows, run)).overlaps(pruningDomain)) {
                matching &= ~(1 << run);
            }
        }
        return matching;
    }

    /**
     * Returns a bit for each run of a segment that may contain rows that do not match.
     */
    int droppingRuns(int segment, int rows)
            throws IOException
    {
        List<ColumnStatistics> runs = column.runStatistics(segment);
        int dropping = ChunkReader.ALL_RUNS;
        for (int run = 0; run < runs.size(); run++) {
            if (containsAll(values(runs.get(run), segment, Segment.runRows(rows, run)))) {
                dropping &= ~(1 << run);
            }
        }
        return dropping;
    }

    /**
     * Returns the values that a segment may contain, according to its statistics.
     */
    private Domain values(int segment, int rows)
            throws IOException
    {
        return values(column.statistics(segment), segment, rows);
    }

    private Domain values(ColumnStatistics statistics, int segment, int rows)
            throws IOException
    {
        if (tableColumn.container().isPresent()) {
            return StatisticsDomains.ofElements(statistics, domain.getType(), rows);
        }
        try {
            return StatisticsDomains.toDomain(statistics, domain.getType(), rows);
        }
        catch (UncheckedIOException e) {
            throw column.invalid(segment, e.getCause());
        }
    }

    /**
     * Starts a segment.
     *
     * @return whether the segment may contain rows that do not match; otherwise its values need not be read
     */
    boolean startSegment(int segment, int rows)
            throws IOException
    {
        selectsAll = !mayDrop(segment, rows);
        droppingRuns = selectsAll ? 0 : droppingRuns(segment, rows);
        return !selectsAll;
    }

    /**
     * Returns whether a segment may contain rows that do not match.
     */
    boolean mayDrop(int segment, int rows)
            throws IOException
    {
        return !containsAll(values(segment, rows));
    }

    private boolean containsAll(Domain values)
    {
        if (domain.isAll()) {
            return true;
        }
        // pruningDomain is the same object as domain unless the domain was simplified. Bounds do not cover NaN, which
        // no domain contains.
        return pruningDomain == domain && !typeHasNaN(domain.getType()) && domain.contains(values);
    }

    /**
     * Returns a bit for each run of the current segment that may contain rows that do not match.
     */
    int droppingRuns()
    {
        return droppingRuns;
    }

    /**
     * Returns whether the values of a run of the current segment have to be read.
     */
    boolean reads(int run)
    {
        return (droppingRuns & (1 << run)) != 0;
    }

    ColumnReader column()
    {
        return column;
    }

    /**
     * Selects the rows of a run that match.
     *
     * @param rows rows within the run, ascending; those that match are moved to the front
     * @return the number of rows that match
     */
    int select(int run, int[] rows, int count)
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
     * Returns the retained memory in bytes. It includes the shared values unless another reader counts them.
     */
    long retainedSize(Object reader)
    {
        return state.retainedSize() + shared.claim(reader);
    }

    /**
     * Lets another reader count the shared values.
     */
    void release(Object reader)
    {
        shared.release(reader);
    }

    /**
     * Returns the number of values that have been filtered.
     */
    long seen()
    {
        return seen;
    }

    /**
     * Returns the fraction of the filtered values that matched, or one half while no values have been filtered.
     */
    double selectivity()
    {
        return (selected + 1.0) / (seen + 2.0);
    }

    /**
     * Returns the cost of discarding a row. Filters are evaluated in ascending order of this cost.
     */
    double rank()
    {
        return cost / (1 - selectivity());
    }
}
