/**
 * Compares the ratios of a new run with committed ones. Start with {@link Regression}.
 */
package io.albis.benchmarks.regression;
