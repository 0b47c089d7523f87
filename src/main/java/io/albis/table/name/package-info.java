/**
 * Logs of names, which say to which folder the name of a schema or a table refers, and the identity of a warehouse. A
 * name is created, changed, and removed only by adding numbered entries to its log. Start with {@link EntryLog}, then
 * read {@link TableNameStorage} and {@link TableEntry}, and {@link SchemaNameStorage} for schemas.
 */
package io.albis.table.name;
