/**
 * The value-list index of a column: the distinct values of a row group in ascending order, and the positions of the
 * rows that have each of them (O'Neil and Quass, "Improved query performance with variant indexes", SIGMOD 1997). Start
 * reading at {@link io.albis.format.index.ValueListReader}.
 */
package io.albis.format.index;
