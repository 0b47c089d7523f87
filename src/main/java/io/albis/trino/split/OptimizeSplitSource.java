package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.optimize.OptimizeUnit;
import io.albis.trino.handle.OptimizeSplit;
import io.trino.spi.connector.ConnectorSplit;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.primitives.Doubles.constrainToRange;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

/**
 * Generates the splits of an optimization: one for each unit of its plan.
 */
final class OptimizeSplitSource
        extends MaintenanceSplitSource
{
    private static final double STANDARD_SPLIT_BYTES = DataSize.of(128, MEGABYTE).toBytes();
    private static final double MIN_WEIGHT = 0.05;

    OptimizeSplitSource(Supplier<OptimizePlan> plan, Executor executor)
    {
        super(() -> splits(plan.get()), executor);
    }

    private static List<ConnectorSplit> splits(OptimizePlan plan)
    {
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        for (int unit = 0; unit < plan.units().size(); unit++) {
            splits.add(split(unit, plan.units().get(unit)));
        }
        return splits.build();
    }

    private static OptimizeSplit split(int index, OptimizeUnit unit)
    {
        return new OptimizeSplit(
                index,
                unit.rowGroups().stream()
                        .map(rowGroup -> rowGroup.withStatistics(ImmutableList.of()))
                        .collect(toImmutableList()),
                constrainToRange(unit.bytes() / STANDARD_SPLIT_BYTES, MIN_WEIGHT, 1));
    }

    /**
     * Returns an empty list, because the end of the statement knows the plan. The engine requires a list.
     */
    @Override
    public Optional<List<Object>> getTableExecuteSplitsInfo()
    {
        return Optional.of(ImmutableList.of());
    }
}
