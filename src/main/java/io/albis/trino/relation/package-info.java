/**
 * Tables and columns as the engine sees them. The package loads the tables of a transaction. It converts definitions
 * and properties of tables from the classes of the engine, and back. Start with {@link TableDefinitionFactory}, and
 * then see {@link TableDescriptions} for the opposite direction.
 */
package io.albis.trino.relation;
