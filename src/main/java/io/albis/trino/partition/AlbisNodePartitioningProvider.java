package io.albis.trino.partition;

import io.trino.spi.connector.BucketFunction;
import io.trino.spi.connector.ConnectorBucketNodeMap;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static io.trino.spi.connector.ConnectorBucketNodeMap.createBucketNodeMap;

/**
 * Distributes deleted and updated rows to merge sinks by their row groups, and new rows to sinks by their partitions.
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
            default -> throw new IllegalArgumentException("Unknown partitioning: " + partitioning);
        };
    }
}
