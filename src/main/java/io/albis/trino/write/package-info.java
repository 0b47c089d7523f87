/**
 * Commits writes, updates, and deletes of rows on the coordinator. A write begins with a handle for the sinks on
 * workers, and ends with the fragments that they return. The coordinator commits all files of a statement at once, and
 * handles retries and rollback. Start with {@link TableWrites}. Then read {@link PendingWrite}, which is one write
 * until it is committed or rolled back.
 */
package io.albis.trino.write;
