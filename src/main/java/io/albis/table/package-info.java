/**
 * The table layer: schemas and tables in a warehouse, their versions, and the commits that create them. It depends on
 * the format and not on the connector. All operations start at {@link Warehouse}. Its options are
 * {@link WarehouseOptions}.
 */
package io.albis.table;
