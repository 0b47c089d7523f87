/**
 * Decides which row groups of a table are written again to make fewer and fuller ones of them. Start with {@link
 * OptimizePlan}.
 */
package io.albis.table.optimize;
