/**
 * Compares the rows that catalogs return for the same queries. Start with {@link SameRows}.
 */
package io.albis.benchmarks.result;
