/**
 * Draws charts of reports with Lets-Plot. Start with {@link Chart}.
 */
package io.albis.benchmarks.chart;
