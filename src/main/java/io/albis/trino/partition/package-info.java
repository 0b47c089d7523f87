/**
 * Distributes rows to nodes and writers. One writer gets all changes of a row group, so that it writes them together.
 * One writer gets all new rows of a partition, so that row groups are large. One node reads all row groups of a bucket,
 * so that it can join them. Start with {@link AlbisNodePartitioningProvider}.
 */
package io.albis.trino.partition;
