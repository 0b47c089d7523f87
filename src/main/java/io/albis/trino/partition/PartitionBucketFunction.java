package io.albis.trino.partition;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.XxHash64;
import io.albis.table.partition.PartitionKeys;
import io.trino.spi.Page;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.type.Type;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Arrays.stream;

/**
 * Returns the bucket of a new row, which depends on its partition only. All threads of a task share it.
 */
final class PartitionBucketFunction
        implements BucketFunction
{
    private final PartitionKeys keys;
    private final int buckets;

    /**
     * @param types types of the columns of the layout, which a page has in the same order
     */
    PartitionBucketFunction(PartitionPartitioning partitioning, List<Type> types, int buckets)
    {
        checkArgument(buckets > 0, "buckets is not positive: %s", buckets);
        List<Integer> columnIds = partitioning.columnIds();
        int[] channels = partitioning.fields().stream()
                .mapToInt(field -> columnIds.indexOf(field.columnId()))
                .toArray();
        this.keys = new PartitionKeys(partitioning.fields(), stream(channels).mapToObj(types::get).collect(toImmutableList()), channels);
        this.buckets = buckets;
    }

    @Override
    public int getBucket(Page page, int position)
    {
        return getBucket(page, position, PartitionKeys.newBuffer());
    }

    @Override
    public void getBuckets(Page page, int positionOffset, int length, int[] buckets)
    {
        DynamicSliceOutput buffer = PartitionKeys.newBuffer();
        for (int i = 0; i < length; i++) {
            buckets[i] = getBucket(page, positionOffset + i, buffer);
        }
    }

    private int getBucket(Page page, int position, DynamicSliceOutput buffer)
    {
        long hash = translate(() -> XxHash64.hash(keys.get(page, position, buffer)));
        return (int) Long.remainderUnsigned(hash, buckets);
    }
}
