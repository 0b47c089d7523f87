package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.optimize.RewriteUnit;
import io.albis.trino.handle.OptimizeSplit;
import io.trino.spi.connector.ConnectorSplit;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Generates the splits of a procedure that writes row groups again: one for each unit of its plan.
 */
final class OptimizeSplitSource
        extends LoadedSplitSource
{
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

    private static OptimizeSplit split(int index, RewriteUnit unit)
    {
        return new OptimizeSplit(
                index,
                unit.rowGroups().stream()
                        .map(rowGroup -> rowGroup.withStatistics(ImmutableList.of()))
                        .collect(toImmutableList()),
                SplitWeights.weight(unit.bytes()));
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
