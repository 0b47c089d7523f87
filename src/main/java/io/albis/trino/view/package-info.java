/**
 * Views and materialized views. A materialized view is a view with a table that has the rows of the last refresh, and
 * with the versions of the tables that the refresh has read, which tell whether the rows are fresh. Start with {@link
 * ViewOperations}, which runs the statements on views, and {@link MaterializedViews}. See {@link ViewDefinitions} for
 * the definitions of the engine and those that the versions of a view store.
 */
package io.albis.trino.view;
