/**
 * Draws charts of reports with Lets-Plot. Start with {@link Charts}.
 */
package io.albis.benchmarks.chart;
