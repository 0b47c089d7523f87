package io.albis.format.scan;

import io.albis.format.filter.SharedFilter;
import io.albis.format.metadata.StatisticsDomains;
import io.trino.spi.predicate.Domain;

import java.io.IOException;
import java.io.UncheckedIOException;

import static io.trino.spi.type.TypeUtils.typeHasNaN;

/**
 * The domain of one column: decides about segments by statistics and about rows by value.
 */
final class ColumnFilter
{
    // Text is dearer to look at than numbers
    private static final int VARIABLE_WIDTH_COST = 4;

    private final ColumnReader column;
    private final Domain domain;
    private final SharedFilter shared;
    private final Domain pruningDomain;
    private final FilterState state;
    private final int cost;

    private long seen;
    private long selected;
    private boolean selectsAll;

    ColumnFilter(ColumnReader column, Domain domain, SharedFilter shared, boolean variableWidth)
    {
        this.column = column;
        this.domain = domain;
        this.shared = shared;
        this.pruningDomain = shared.pruningDomain(domain);
        this.state = new FilterState(shared.newFilter());
        this.cost = variableWidth ? VARIABLE_WIDTH_COST : 1;
    }

    boolean mayMatch(int segment, int rows)
            throws IOException
    {
        return values(segment, rows).overlaps(pruningDomain);
    }

    /**
     * What a segment may have.
     */
    private Domain values(int segment, int rows)
            throws IOException
    {
        try {
            return StatisticsDomains.toDomain(column.statistics(segment), domain.getType(), rows);
        }
        catch (UncheckedIOException e) {
            throw column.invalid(segment, e.getCause());
        }
    }

    /**
     * Goes to a segment.
     *
     * @return whether there may be rows that do not match: else the values need not be looked at
     */
    boolean startSegment(int segment, int rows)
            throws IOException
    {
        selectsAll = !mayDrop(segment, rows);
        return !selectsAll;
    }

    /**
     * Whether there may be rows in a segment that do not match.
     */
    boolean mayDrop(int segment, int rows)
            throws IOException
    {
        if (domain.isAll()) {
            return false;
        }
        // bounds say nothing of NaN, which no domain has
        // the same object unless it was simplified
        return pruningDomain != domain ||
                typeHasNaN(domain.getType()) ||
                !domain.contains(values(segment, rows));
    }

    ColumnReader column()
    {
        return column;
    }

    /**
     * Keeps the rows of a run that match.
     *
     * @param rows within the run, ascending; those that match are moved to its front
     * @return how many match
     */
    int select(int run, int[] rows, int count)
            throws IOException
    {
        if (selectsAll) {
            return count;
        }
        int size = column.select(state, run, rows, count);
        seen += count;
        selected += size;
        return size;
    }

    /**
     * Bytes of memory, with those of the values if no other reader counts them.
     */
    long retainedSize(Object reader)
    {
        return state.retainedSize() + shared.claim(reader);
    }

    void release(Object reader)
    {
        shared.release(reader);
    }

    /**
     * How many values were looked at.
     */
    long seen()
    {
        return seen;
    }

    /**
     * The part of the values that matched so far; one half while nothing is known.
     */
    double selectivity()
    {
        return (selected + 1.0) / (seen + 2.0);
    }

    /**
     * What it costs to get rid of a row: the filter with the least comes first.
     */
    double rank()
    {
        return cost / (1 - selectivity());
    }
}
