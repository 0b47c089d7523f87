/**
 * The share of rows from which on a scan takes less than a search of an index. Start with {@link ReadMode}.
 */
package io.albis.benchmarks.threshold;
