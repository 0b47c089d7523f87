/**
 * How long a query takes until its first split, by the number of row groups of its table. Start with {@link
 * FirstSplitTask}.
 */
package io.albis.benchmarks.planning;
