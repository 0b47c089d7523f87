/**
 * Handles for tables, columns, splits, and transactions, which the nodes of a cluster send to each other as JSON. They
 * carry the build of the plugin, so that nodes with different builds detect the difference. Handles of one concern,
 * such as those of table functions, are in the package of this concern, unless several packages use them, as those of
 * {@code optimize} and {@code regroup}. Start with {@link AlbisTableHandle}, then read {@link HandleBuild}.
 */
package io.albis.trino.handle;
