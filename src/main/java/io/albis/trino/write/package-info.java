/**
 * Writes, updates, and deletes rows. Sinks on workers write row groups, deletes files, and new instances of column
 * groups for updates in place. They send fragments that describe these files to the coordinator. The coordinator
 * commits all files of a statement at once, and handles retries and rollback. Start with {@link TableWrites}. Then read
 * {@link AlbisMergeSink}, the sink of DELETE, UPDATE, and MERGE, and {@link InPlaceUpdates}, which decides how rows are
 * updated.
 */
package io.albis.trino.write;
