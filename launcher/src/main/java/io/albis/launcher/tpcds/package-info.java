/**
 * Loads the TPC-DS tables and runs the 99 queries on them. Start with {@link TpcdsBenchmark}.
 */
package io.albis.launcher.tpcds;
