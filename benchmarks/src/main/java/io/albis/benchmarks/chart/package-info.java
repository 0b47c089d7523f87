/**
 * Draws the charts of the documentation from reports. Start with {@link QueriesChart}.
 */
package io.albis.benchmarks.chart;
