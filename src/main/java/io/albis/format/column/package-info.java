/**
 * Reads the values of one column of a column group: the statistics of its segments and runs, its blocks, and the rows
 * that a filter accepts. There is a reader for each layout, one for nested columns, and one for columns that are stored
 * with a narrower type. Start with {@link ColumnReader}, which {@code io.albis.format.scan} uses for all of them.
 */
package io.albis.format.column;
