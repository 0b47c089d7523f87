/**
 * Handles for tables, columns, splits, and transactions, which the nodes of a cluster send to each other as JSON. They
 * carry the build of the plugin, so that nodes with different builds detect the difference. Handles that only
 * one concern uses, such as those of table functions and of {@code expire_snapshots}, are in the package of this
 * concern. Those of procedures that write row groups again are here, because several packages use them. Start with
 * {@link AlbisTableHandle}, then read {@link HandleBuild}.
 */
package io.albis.trino.handle;
