/**
 * The statistics of columns in segments and row groups: null counts, bounds, and the order of the values. Start with
 * {@link ColumnStatistics}. {@link StatisticsCollector} collects them while rows are written, and
 * {@link StatisticsMerger} merges the statistics of segments.
 */
package io.albis.format.statistics;
