/**
 * Names and locations of all files of a warehouse, except for those of row groups. Nothing in this package accesses
 * storage. Start with {@link WarehousePaths} for schemas and table names, and {@link TablePaths} for the files of one
 * table.
 */
package io.albis.table.path;
