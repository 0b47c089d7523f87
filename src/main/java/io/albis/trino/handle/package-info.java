/**
 * Handles for tables, columns, splits, and transactions, which the nodes of a cluster send to each other as JSON. They
 * carry the build of the plugin, so that nodes with different builds detect the difference. Start with {@link
 * AlbisTableHandle}.
 */
package io.albis.trino.handle;
