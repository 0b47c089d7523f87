/**
 * Statements that change rows: DELETE, UPDATE, and MERGE. Start with {@link Changes}.
 */
package io.albis.benchmarks.change;
