/**
 * Immutable values of the table layer: the state of a table, its columns and manifests, and the exceptions that report
 * why an operation failed. Jackson reads and writes most of these records as JSON. Start with {@link TableVersion},
 * which is one state of a table, and {@link TableException}.
 */
package io.albis.table.model;
