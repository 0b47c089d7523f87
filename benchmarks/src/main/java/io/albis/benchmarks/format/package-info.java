/**
 * The benchmarks that read files without a server, to compare the Albis format with others. Start with {@link
 * FormatBenchmark}.
 */
package io.albis.benchmarks.format;
