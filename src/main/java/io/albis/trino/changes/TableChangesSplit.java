package io.albis.trino.changes;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.trino.handle.HandleBuild;
import io.albis.trino.handle.RetainedSizes;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;

import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.INTEGER_INSTANCE_SIZE;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * A row group that a version of a table has changed, or a part of it.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param version number of the version
 * @param time time of its commit in milliseconds since 1970
 * @param ordinal number of earlier versions with changes in the same call
 * @param before the row group before the version, without its statistics and its partition; empty if the version has
 *         added it
 * @param after the row group in the version, without its statistics and its partition; empty if the version has removed
 *         it
 * @param rewritten ids of the columns whose values the version may have updated in place
 * @param share the segments of the row group to read
 * @param weight greater than 0 and at most 1, which is the weight of a split of the usual size
 */
public record TableChangesSplit(
        HandleBuild build,
        long version,
        long time,
        int ordinal,
        Optional<RowGroup> before,
        Optional<RowGroup> after,
        Set<Integer> rewritten,
        SegmentShare share,
        double weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(TableChangesSplit.class) + instanceSize(SegmentShare.class);

    @JsonCreator
    public TableChangesSplit
    {
        HandleBuild.checkPresent(build);
        requireNonNull(before, "before is null");
        requireNonNull(after, "after is null");
        checkArgument(before.isPresent() || after.isPresent(), "there is no row group");
        rewritten = ImmutableSet.copyOf(rewritten);
        requireNonNull(share, "share is null");
        checkArgument(weight > 0 && weight <= 1, "weight is not in (0, 1]: %s", weight);
    }

    public TableChangesSplit(long version, long time, int ordinal, Optional<RowGroup> before, Optional<RowGroup> after, Set<Integer> rewritten, SegmentShare share, double weight)
    {
        this(HandleBuild.CURRENT_ID, version, time, ordinal, before, after, rewritten, share, weight);
    }

    @Override
    public SplitWeight getSplitWeight()
    {
        return SplitWeight.fromProportion(weight);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE +
                sizeOf(before, RetainedSizes::of) +
                sizeOf(after, RetainedSizes::of) +
                estimatedSizeOf(rewritten, _ -> INTEGER_INSTANCE_SIZE);
    }

    @Override
    public String toString()
    {
        return "version %s of %s".formatted(version, RowGroup.folderName(after.or(() -> before).orElseThrow().id()));
    }
}
