/**
 * The table function table_changes, which returns the rows that were deleted and inserted between two versions of a
 * table. Start with {@link TableChangesFunction}, which the coordinator runs, and {@link TableChangesProcessor}, which
 * reads the rows on the workers.
 */
package io.albis.trino.changes;
