/**
 * Reclaims the space of a table, and finds and frees the folders to which no name refers. Start with {@link Expiry} and
 * {@link OrphanRemoval}, or with {@link LostTables} and {@link Vacuum}. The page docs/maintenance.md says why they lose
 * nothing.
 */
package io.albis.table.maintenance;
