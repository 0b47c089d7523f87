/**
 * Logs of names, which lead from the name of a schema or a table to its folder, and the identity of a warehouse. A name
 * is created, changed, and removed only by adding numbered entries to its log. Start with {@link EntryLog}, then read
 * {@link TableNameStorage} and {@link TableEntry}.
 */
package io.albis.table.name;
