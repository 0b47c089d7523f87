/**
 * The procedures of CALL, such as {@code register_table} and {@code vacuum}, and the table functions that list lost
 * tables and what vacuum would free. They concern a whole warehouse, or tables that have no name. The classes of this
 * package check arguments and privileges, and translate errors. The package {@code io.albis.table.maintenance} does the
 * work. Start with {@link RegisterTable} for a procedure, and with {@link MaintenanceFunctions} for the table
 * functions.
 */
package io.albis.trino.maintenance;
