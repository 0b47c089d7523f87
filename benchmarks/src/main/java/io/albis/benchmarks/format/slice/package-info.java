/**
 * Measures whether bit slices would find the rows of a range of values faster than a scan of the column. Start with
 * {@link io.albis.benchmarks.format.slice.RangeSearch}.
 */
package io.albis.benchmarks.format.slice;
