/**
 * Distributes the rows of statements to nodes and writers. Start with {@link AlbisNodePartitioningProvider}.
 */
package io.albis.trino.partition;
