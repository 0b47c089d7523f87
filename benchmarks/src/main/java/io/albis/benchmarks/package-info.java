/**
 * The command line of the benchmarks, and the benchmarks that run queries on a Trino server. Start with {@link
 * Benchmarks}. {@code docs/benchmarks.md} describes how to run them.
 */
package io.albis.benchmarks;
