package io.albis.trino.partition;

import io.airlift.slice.XxHash64;
import io.albis.table.model.PartitionField;
import io.albis.table.partition.PartitionKeys;
import io.trino.spi.Page;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.trino.error.AlbisErrors.translate;

/**
 * Returns the bucket of a new row, which depends on its partition only.
 */
final class PartitionBucketFunction
        implements BucketFunction
{
    private final PartitionKeys keys;
    private final int buckets;

    /**
     * @param types types of the columns of the functions, which a page has in the same order
     */
    PartitionBucketFunction(List<PartitionField> fields, List<Type> types, int buckets)
    {
        checkArgument(buckets > 0, "buckets is not positive: %s", buckets);
        this.keys = new PartitionKeys(fields, types, IntStream.range(0, fields.size()).toArray());
        this.buckets = buckets;
    }

    @Override
    public int getBucket(Page page, int position)
    {
        long hash = translate(() -> XxHash64.hash(keys.get(page, position)));
        return (int) Long.remainderUnsigned(hash, buckets);
    }
}
