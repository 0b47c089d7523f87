/**
 * Versions of a table and the commits that create them. A commit creates the file of the next version, and a writer
 * that loses the race for it retries. Start with {@link Commits}, then read {@link Versions}, {@link ChangeRows}, and
 * {@link AlbisTable}, which is a table at one version.
 */
package io.albis.table.version;
