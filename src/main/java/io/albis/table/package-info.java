/**
 * The table layer: schemas and tables in a warehouse, their versions, and the commits that create them. It depends on
 * the format and not on the connector. Start with {@link Warehouse}, the only entry point of the layer, and its
 * {@link WarehouseOptions}.
 */
package io.albis.table;
