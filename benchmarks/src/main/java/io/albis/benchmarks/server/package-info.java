/**
 * A Trino server with the catalogs that are compared, and the figures of a query. Start with {@link BenchmarkServer}.
 */
package io.albis.benchmarks.server;
