package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.trino.spi.HostAddress;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A row group to read, or a part of it.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param rowGroup without its statistics and its partition, which only the coordinator uses
 * @param share the segments of the row group to read
 * @param weight greater than 0 and at most 1, which is the weight of a split of the usual size
 * @param addresses of the machines that store the data of the split; empty for no preference
 * @param bucket number that identifies the buckets of the rows, see {@link BucketPartitioning#combine}; 0 if the engine
 *         does not distribute the scan by buckets
 */
public record AlbisSplit(HandleBuild build, RowGroup rowGroup, SegmentShare share, double weight, List<HostAddress> addresses, long bucket)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(AlbisSplit.class) + instanceSize(SegmentShare.class);

    @JsonCreator
    public AlbisSplit
    {
        HandleBuild.checkPresent(build);
        requireNonNull(rowGroup, "rowGroup is null");
        requireNonNull(share, "share is null");
        checkArgument(weight > 0 && weight <= 1, "weight is not in (0, 1]: %s", weight);
        addresses = ImmutableList.copyOf(addresses);
    }

    public AlbisSplit(RowGroup rowGroup, SegmentShare share, double weight, List<HostAddress> addresses)
    {
        this(HandleBuild.CURRENT_ID, rowGroup, share, weight, addresses, 0);
    }

    public AlbisSplit withBucket(long bucket)
    {
        return new AlbisSplit(build, rowGroup, share, weight, addresses, bucket);
    }

    @Override
    public List<HostAddress> getAddresses()
    {
        return addresses;
    }

    @Override
    public SplitWeight getSplitWeight()
    {
        return SplitWeight.fromProportion(weight);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + RetainedSizes.of(rowGroup) + estimatedSizeOf(addresses, HostAddress::getRetainedSizeInBytes);
    }

    @Override
    public String toString()
    {
        String part = share.count() == 1 ? "" : "part %s of %s of ".formatted(share.index() + 1, share.count());
        return "%s%s (%s rows, %s bytes)".formatted(part, RowGroup.folderName(rowGroup.id()), rowGroup.rows(), rowGroup.bytes());
    }
}
