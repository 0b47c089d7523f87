/**
 * Statements on schemas and tables: how they are created, found, renamed, and dropped, and how a statement that was
 * interrupted by a crash is completed or reverted. {@code Warehouse} calls this package. Start with {@link Tables},
 * which explains the protocol, then read {@link TableCreation}, {@link TableNaming}, and {@link Schemas}.
 */
package io.albis.table.catalog;
