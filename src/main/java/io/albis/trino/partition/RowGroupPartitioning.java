package io.albis.trino.partition;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.albis.trino.handle.HandleBuild;
import io.trino.spi.connector.ConnectorPartitioningHandle;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.clamp;

/**
 * Distributes the rows that a statement deletes or updates, so that all rows of a row group are in the same bucket.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param buckets number of buckets; 0 if the engine chooses it
 */
public record RowGroupPartitioning(HandleBuild build, int buckets)
        implements ConnectorPartitioningHandle
{
    // The engine distributes new rows of a table that is not partitioned evenly over the buckets, and each node has a
    // writer for each bucket. So many buckets make small row groups. Partitioned tables have as many buckets as the
    // engine has writers, because a writer gets whole partitions
    private static final int MAX_BUCKETS = 8;
    private static final long ROWS_PER_BUCKET = 1_000_000;

    @JsonCreator
    public RowGroupPartitioning
    {
        HandleBuild.checkPresent(build);
        checkArgument(buckets >= 0, "buckets is negative: %s", buckets);
    }

    public RowGroupPartitioning(int buckets)
    {
        this(HandleBuild.CURRENT, buckets);
    }

    /**
     * Returns the partitioning with as many buckets as the engine chooses, at least as many as it has writers.
     */
    public static RowGroupPartitioning ofEngine()
    {
        return new RowGroupPartitioning(0);
    }

    /**
     * Returns the partitioning for the changes of a table with a number of rows.
     */
    public static RowGroupPartitioning forRows(long rows)
    {
        return new RowGroupPartitioning(clamp(rows / ROWS_PER_BUCKET, 1, MAX_BUCKETS));
    }

    @Override
    public String toString()
    {
        return buckets == 0 ? "row groups" : "row groups in %s buckets".formatted(buckets);
    }
}
