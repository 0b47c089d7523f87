/**
 * The predicates of a scan on single columns: a domain, or a test of each distinct value. Each one prunes segments and
 * runs by their statistics, finds values in an index, and selects rows. Start with {@link
 * io.albis.format.predicate.ColumnFilter}.
 */
package io.albis.format.predicate;
