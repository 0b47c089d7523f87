package io.albis.trino.statistics;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.trino.spi.statistics.TableStatistics;

/**
 * An estimate whose statistics of columns are made when they are asked for: the optimizer makes many handles and asks of few of them
 * more than whether their rows are known.
 */
public final class TableEstimate
{
    private final Supplier<TableStatistics> statistics;
    private final boolean filtered;

    /**
     * @param filtered whether the statistics are about the rows that match what the reader enforces; else they are about
     *         all rows of the row groups that are left
     */
    TableEstimate(Supplier<TableStatistics> statistics, boolean filtered)
    {
        // lets go of what they are made of
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
