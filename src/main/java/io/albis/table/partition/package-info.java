/**
 * Partitions rows: evaluates the functions by which a table is partitioned, and writes row groups that each
 * contain the rows of one partition. Start with {@link PartitionedWriter}.
 */
package io.albis.table.partition;
