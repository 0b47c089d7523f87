/**
 * The tables and queries of TPC-H, and how many rows of its largest table their predicates leave. Start with {@link
 * TpchQueries}.
 */
package io.albis.benchmarks.tpch;
