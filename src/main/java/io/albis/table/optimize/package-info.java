/**
 * Decides which row groups of a table are written again, to make fewer and fuller ones of them, to group their columns
 * in another way, or to add or remove indexes. A plan divides them into units, which workers write independently of
 * each other and which one commit makes visible. Start with {@link OptimizePlan} and {@link ColumnRewritePlan}.
 */
package io.albis.table.optimize;
