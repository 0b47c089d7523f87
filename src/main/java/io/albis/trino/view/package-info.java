/**
 * This package has the statements on views. Start with {@link ViewOperations}, which runs them, and see {@link
 * ViewDefinitions} for the definitions of the engine and those that the versions of a view store.
 */
package io.albis.trino.view;
