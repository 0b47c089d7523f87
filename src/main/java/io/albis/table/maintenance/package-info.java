/**
 * Reclaims the space of a table. Start with {@link Expiry} and {@link OrphanRemoval}. The page
 * docs/maintenance.md says why they lose nothing.
 */
package io.albis.table.maintenance;
