package io.albis.trino.partition;

import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.BucketPartitioning;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.connector.ConnectorBucketNodeMap;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.function.LongToIntFunction;
import java.util.function.ToIntFunction;

import static io.trino.spi.connector.ConnectorBucketNodeMap.createBucketNodeMap;

/**
 * Distributes deleted and updated rows to merge sinks by their row groups, new rows to sinks by their partitions, and
 * the row groups of scans to nodes by their buckets.
 */
public class AlbisNodePartitioningProvider
        implements ConnectorNodePartitioningProvider
{
    @Override
    public Optional<ConnectorBucketNodeMap> getBucketNodeMapping(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorPartitioningHandle partitioning)
    {
        return switch (partitioning) {
            // The changes of a partitioned table have as many buckets as its new rows
            case RowGroupPartitioning rowGroups -> rowGroups.buckets() == 0 ? Optional.empty() : Optional.of(createBucketNodeMap(rowGroups.buckets()));
            // The engine chooses at least as many buckets as it has writers
            case PartitionPartitioning _ -> Optional.empty();
            // Equal partitionings have the same hint, and their buckets are on the same nodes
            case BucketPartitioning buckets -> buckets.bucketCount().stream()
                    .mapToObj(count -> createBucketNodeMap(count).withCacheKeyHint(buckets.functions().hashCode()))
                    .findFirst();
            default -> throw new IllegalArgumentException("Unknown partitioning: " + partitioning);
        };
    }

    @Override
    public BucketFunction getBucketFunction(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning,
            List<Type> partitionChannelTypes,
            int bucketCount)
    {
        return switch (partitioning) {
            case RowGroupPartitioning _ -> new RowGroupBucketFunction(bucketCount);
            case PartitionPartitioning partitions -> new PartitionBucketFunction(partitions, partitionChannelTypes, bucketCount);
            case BucketPartitioning buckets -> new ColumnBucketFunction(buckets, bucketCount);
            default -> throw new IllegalArgumentException("Unknown partitioning: " + partitioning);
        };
    }

    @Override
    public ToIntFunction<ConnectorSplit> getSplitBucketFunction(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning,
            int bucketCount)
    {
        if (partitioning instanceof BucketPartitioning buckets) {
            LongToIntFunction distribution = buckets.distribution(bucketCount);
            return split -> distribution.applyAsInt(((AlbisSplit) split).bucket());
        }
        // the engine requests the function for writers as well, but does not use it
        return ConnectorNodePartitioningProvider.super.getSplitBucketFunction(transaction, session, partitioning, bucketCount);
    }
}
