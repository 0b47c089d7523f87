package io.albis.format.statistics;

import io.trino.spi.block.ValueBlock;

import java.util.Optional;

/**
 * Counts the nulls of a column whose values have no order.
 */
final class NullStatisticsCollector
        extends StatisticsCollector
{
    NullStatisticsCollector(int columnId)
    {
        super(columnId);
    }

    @Override
    protected void appendValues(ValueBlock block, int offset, int count) {}

    @Override
    public ColumnStatistics finish()
    {
        return finish(ValueOrder.UNORDERED, Optional.empty(), Optional.empty());
    }
}
