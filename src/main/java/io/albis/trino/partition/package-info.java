/**
 * Distributes the rows that a statement deletes or updates to nodes and writers, so that one writer gets all changes of
 * a row group. Start with {@link AlbisNodePartitioningProvider}.
 */
package io.albis.trino.partition;
