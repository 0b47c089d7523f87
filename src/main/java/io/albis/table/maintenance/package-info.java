/**
 * Reclaims the space of a table. Start with {@link Expiry}. The page docs/maintenance.md says why it loses nothing.
 */
package io.albis.table.maintenance;
