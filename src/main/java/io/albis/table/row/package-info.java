/**
 * Commits that change the rows of a table, and the changes of rows between its versions. A commit of rows writes
 * manifests, and checks whether other writers have changed what its statement has read or deleted. Start with {@link
 * ChangeRows} and {@link ReadSet}, then read {@link ChangedEntries}, which finds the row groups of a change in the
 * newest version. {@link RowHistory} is the opposite direction: it compares versions that exist.
 */
package io.albis.table.row;
