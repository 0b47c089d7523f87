/**
 * Decides which row groups of a table are written again to make fewer and fuller ones of them. A plan divides them into
 * units, which workers replace independently of each other and which one commit makes visible. Start with {@link
 * OptimizePlan}.
 */
package io.albis.table.optimize;
