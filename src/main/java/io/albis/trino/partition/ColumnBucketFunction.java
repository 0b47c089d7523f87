package io.albis.trino.partition;

import io.albis.table.partition.BucketNumbers;
import io.albis.trino.handle.BucketPartitioning;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.BucketFunction;

import java.util.function.LongToIntFunction;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.trino.partition.RowGroupBuckets.NULL_BUCKET;
import static java.util.Objects.requireNonNull;

/**
 * Returns the bucket of a row by its values, so that it gets to the node that reads the row groups with these values.
 * All threads of a task share it.
 */
final class ColumnBucketFunction
        implements BucketFunction
{
    private final BucketPartitioning partitioning;
    private final BucketNumbers[] columns;
    private final LongToIntFunction distribution;

    ColumnBucketFunction(BucketPartitioning partitioning, int buckets)
    {
        this.partitioning = requireNonNull(partitioning, "partitioning is null");
        checkArgument(buckets > 0, "buckets is not positive: %s", buckets);
        this.columns = partitioning.functions().stream()
                .map(function -> new BucketNumbers(function.type(), function.count()))
                .toArray(BucketNumbers[]::new);
        this.distribution = partitioning.distribution(buckets);
    }

    @Override
    public int getBucket(Page page, int position)
    {
        long number = 0;
        for (int column = 0; column < columns.length; column++) {
            Block block = page.getBlock(column);
            int bucket = block.isNull(position) ? NULL_BUCKET : columns[column].get(block, position);
            number = partitioning.combine(number, column, bucket);
        }
        return distribution.applyAsInt(number);
    }
}
