/**
 * The tasks that the benchmarks measure: queries, loads, and reads of files without Trino. Start with {@link
 * QueryTask}.
 */
package io.albis.benchmarks.workload;
