/**
 * Distributes the rows that a statement deletes or updates to nodes and writers, so that one writer gets all changes of
 * a row group, and new rows of a partitioned table, so that one writer gets all rows of a partition. Start with {@link AlbisNodePartitioningProvider}.
 */
package io.albis.trino.partition;
