package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;

/**
 * Row groups to replace by new ones, or to group in another way.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param unit index of the unit in the plan
 * @param rowGroups without their statistics, which only the coordinator uses
 * @param weight greater than 0 and at most 1, which is the weight of a split of the usual size
 */
public record OptimizeSplit(HandleBuild build, int unit, List<RowGroup> rowGroups, double weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(OptimizeSplit.class);

    @JsonCreator
    public OptimizeSplit
    {
        HandleBuild.checkPresent(build);
        checkArgument(unit >= 0, "unit is negative: %s", unit);
        rowGroups = ImmutableList.copyOf(rowGroups);
        checkArgument(weight > 0 && weight <= 1, "weight is not in (0, 1]: %s", weight);
    }

    public OptimizeSplit(int unit, List<RowGroup> rowGroups, double weight)
    {
        this(HandleBuild.CURRENT_ID, unit, rowGroups, weight);
    }

    @Override
    public SplitWeight getSplitWeight()
    {
        return SplitWeight.fromProportion(weight);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + estimatedSizeOf(rowGroups, RetainedSizes::of);
    }

    @Override
    public String toString()
    {
        return "rewrite %s row groups".formatted(rowGroups.size());
    }
}
