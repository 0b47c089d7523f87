/**
 * The system tables of a table, such as {@code "t$snapshots"}. Start with {@link SystemTables}.
 */
package io.albis.trino.system;
