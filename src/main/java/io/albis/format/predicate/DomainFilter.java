package io.albis.format.predicate;

import io.albis.format.column.ColumnReader;
import io.albis.format.filter.SharedFilter;
import io.albis.format.index.DirectorySource;
import io.albis.format.index.FoundValues;
import io.albis.format.index.ValueListReader;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.request.ChunkReader;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.trino.spi.predicate.Domain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

import static io.trino.spi.type.TypeUtils.typeHasNaN;

/**
 * Selects the rows of which a column is in a domain.
 */
public final class DomainFilter
        extends ColumnFilter
{
    private final Domain domain;
    private final SharedFilter shared;
    private final Domain pruningDomain;

    public DomainFilter(AlbisColumn tableColumn, ColumnReader column, Domain domain, SharedFilter shared)
    {
        super(tableColumn, column, shared.newFilter());
        this.domain = domain;
        this.shared = shared;
        this.pruningDomain = shared.pruningDomain(domain);
    }

    @Override
    public boolean isSearchable()
    {
        return !domain.isAll() && !domain.getValues().isAll();
    }

    @Override
    public boolean canSearch(ValueListReader index)
    {
        return index.canSearch(domain);
    }

    @Override
    public int fewestRows(ValueListReader index)
    {
        return index.fewestRows(domain);
    }

    @Override
    public long expectedRows(ValueListReader index)
    {
        return index.expectedRows(domain);
    }

    @Override
    public Optional<FoundValues> findValues(ValueListReader index, DirectorySource directory, int maxRows, long maxBytes)
            throws IOException
    {
        return index.findValues(directory, domain, maxRows, maxBytes);
    }

    /**
     * Returns how an index finds the few single values that the domain does not contain. If the index lacks the rows
     * with NaN, which no domain contains, it does not find all rows.
     */
    @Override
    public Optional<RowExclusion> exclusion(ValueListReader index)
    {
        if (!isSearchable() || !index.canExclude(domain)) {
            return Optional.empty();
        }
        Domain excluded = domain.complement();
        return Optional.of(new RowExclusion(
                true,
                index.expectedRows(excluded),
                index.valueBytes(excluded),
                (directory, maxBytes) -> index.findValues(directory, excluded, Integer.MAX_VALUE, maxBytes)));
    }

    @Override
    public Object shared()
    {
        return shared;
    }

    @Override
    public int containedRuns(int segment, int rows)
            throws IOException
    {
        return mayDrop(segment, rows) ? ~droppingRuns(segment, rows) : ChunkReader.ALL_RUNS;
    }

    @Override
    public boolean mayMatch(int segment, int rows)
            throws IOException
    {
        return values(segment, rows).overlaps(pruningDomain);
    }

    @Override
    public int matchingRuns(int segment, int rows)
            throws IOException
    {
        List<ColumnStatistics> runs = column().runStatistics(segment);
        int matching = ChunkReader.ALL_RUNS;
        for (int run = 0; run < runs.size(); run++) {
            if (!values(runs.get(run), segment, Segment.runRows(rows, run)).overlaps(pruningDomain)) {
                matching &= ~(1 << run);
            }
        }
        return matching;
    }

    @Override
    public int droppingRuns(int segment, int rows)
            throws IOException
    {
        List<ColumnStatistics> runs = column().runStatistics(segment);
        int dropping = ChunkReader.ALL_RUNS;
        for (int run = 0; run < runs.size(); run++) {
            if (containsAll(values(runs.get(run), segment, Segment.runRows(rows, run)))) {
                dropping &= ~(1 << run);
            }
        }
        return dropping;
    }

    @Override
    public boolean mayDrop(int segment, int rows)
            throws IOException
    {
        return !containsAll(values(segment, rows));
    }

    /**
     * Returns the values that a segment may contain, according to its statistics.
     */
    private Domain values(int segment, int rows)
            throws IOException
    {
        return values(column().statistics(segment), segment, rows);
    }

    private Domain values(ColumnStatistics statistics, int segment, int rows)
            throws IOException
    {
        if (tableColumn().container().isPresent()) {
            return StatisticsDomains.ofElements(statistics, domain.getType(), rows);
        }
        try {
            return StatisticsDomains.toDomain(statistics, domain.getType(), rows);
        }
        catch (UncheckedIOException e) {
            throw column().invalid(segment, e.getCause());
        }
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

    @Override
    public long claim(Object reader)
    {
        return shared.claim(reader);
    }

    @Override
    public void release(Object reader)
    {
        shared.release(reader);
    }
}
