package io.albis.table.partition;

import io.trino.spi.block.Block;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.table.partition.PartitionBytes.toNativeValue;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.lang.Math.toIntExact;

/**
 * Evaluates the function {@code bucket}, which the specification of Iceberg defines. Thread safe.
 */
public final class BucketNumbers
{
    private final IcebergHash.Hash hash;
    private final int buckets;

    /**
     * Creates the function for values of a type.
     *
     * @param type type of the values, which must have a hash
     */
    public BucketNumbers(Type type, int buckets)
    {
        checkArgument(buckets > 0, "buckets is not positive: %s", buckets);
        this.hash = IcebergHash.of(type);
        this.buckets = buckets;
    }

    /**
     * Returns the bucket of a value that is not null.
     */
    public int get(Block block, int position)
    {
        return (hash.get(block, position) & Integer.MAX_VALUE) % buckets;
    }

    /**
     * Returns the bucket that is a value of a partition, which {@link PartitionValues} has checked.
     */
    public static int parse(byte[] bytes)
    {
        return toIntExact((long) toNativeValue(BIGINT, bytes));
    }
}
