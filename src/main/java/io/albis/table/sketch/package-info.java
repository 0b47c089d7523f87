/**
 * Sketches that estimate the number of distinct values of a column for the cost-based optimizer. A writer builds them
 * while it writes, manifests store them, and the sketches of several manifests are merged. Start with
 * {@link ColumnSketch}, then read {@link PageSketcher}, which builds the sketches of a writer.
 */
package io.albis.table.sketch;
