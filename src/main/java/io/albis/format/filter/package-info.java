/**
 * Filters that select the values of a column that a domain contains. Depending on the type and the number of the
 * values, a filter uses ranges, a bitmap, or a hash table. Start with {@link ValueFilter}, then {@link FilterValues},
 * which chooses the implementation.
 */
package io.albis.format.filter;
