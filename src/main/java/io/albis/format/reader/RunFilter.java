package io.albis.format.reader;

import io.albis.format.filter.RowFilters;
import io.albis.format.filter.ValueFilter;
import io.albis.format.metadata.ColumnStatistics;
import io.albis.format.metadata.Segment;
import io.albis.format.metadata.StatisticsDomains;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;

import java.io.IOException;
import java.util.Optional;

/**
 * The domain of one column: decides about segments by statistics and about rows by value.
 */
final class RunFilter
{
    private final ColumnGroupReader columnGroup;
    private final int column;
    private final Domain domain;
    private final Optional<ValueFilter> filter;

    /**
     * @param filterRows false if only segments are to be decided about
     */
    RunFilter(ColumnGroupReader columnGroup, int column, Domain domain, boolean filterRows)
    {
        this.columnGroup = columnGroup;
        this.column = column;
        this.domain = domain;
        this.filter = filterRows ? Optional.of(RowFilters.create(domain)) : Optional.empty();
    }

    boolean mayMatch(int segmentIndex)
    {
        Segment segment = columnGroup.segments().get(segmentIndex);
        ColumnStatistics statistics = segment.statistics().get(column);
        return StatisticsDomains.overlaps(statistics, segment.rows(), domain);
    }

    /**
     * Narrows a selection of rows of a run.
     *
     * @param positions rows selected so far, ascending; those that match are moved to its front
     * @return how many match
     */
    int select(int segment, int run, int[] positions, int count, int[] scratch)
            throws IOException
    {
        boolean all = count == columnGroup.segments().get(segment).runs().get(run).rows();
        ValueBlock block = (ValueBlock) columnGroup.read(segment, run, column, all ? null : positions, count);
        int selected = filter.orElseThrow().select(block, count, scratch);
        for (int i = 0; i < selected; i++) {
            positions[i] = positions[scratch[i]];
        }
        return selected;
    }
}
