/**
 * Versions of a table and the commits that create them. A commit creates the file of the next version, and a writer
 * that loses the race for it retries. The packages next to this one have most of the steps that a commit applies.
 * Start with {@link Commits}, then read {@link Versions}, and {@link AlbisTable}, which is a table at one version.
 */
package io.albis.table.version;
