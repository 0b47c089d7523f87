/**
 * The system tables of a table, such as {@code "t$snapshots"}. They describe the versions, manifests, row groups, tags,
 * and properties of the version of the table that the transaction sees, and what queries have read. Start with {@link
 * SystemTables}, which finds the system table of a name. {@link SystemTableType} lists the system tables, and {@link
 * RowsTable} represents each of them to the engine.
 */
package io.albis.trino.system;
