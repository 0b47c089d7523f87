/**
 * Writes row groups: splits pages into segments, and writes the segments of all column groups with their statistics.
 * Start with {@link RollingRowGroupWriter}, then {@link RowGroupWriter} and {@link ColumnGroupWriter}.
 */
package io.albis.format.write;
