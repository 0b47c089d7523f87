package io.albis.trino.statistics;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.trino.spi.statistics.TableStatistics;

/**
 * Table statistics that are computed on demand. The optimizer creates many table handles, and for most of them it needs
 * only whether the row count is known.
 */
public final class TableEstimate
{
    private final Supplier<TableStatistics> statistics;
    private final boolean filtered;

    /**
     * Creates statistics that are computed when they are first needed.
     *
     * @param filtered whether the statistics describe the rows that match the enforced predicate; otherwise they
     *         describe all rows of the row groups that remain after pruning
     */
    TableEstimate(Supplier<TableStatistics> statistics, boolean filtered)
    {
        // releases the supplier after the first call
        this.statistics = Suppliers.memoize(statistics);
        this.filtered = filtered;
    }

    public TableStatistics statistics()
    {
        return statistics.get();
    }

    public boolean filtered()
    {
        return filtered;
    }
}
