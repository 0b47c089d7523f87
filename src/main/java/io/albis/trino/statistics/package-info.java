/**
 * Table statistics for the optimizer. They are estimated from the bounds and null counts of row groups and from the
 * sketches of the table, without reading data files. Start with {@link TableStatisticsReader}.
 */
package io.albis.trino.statistics;
