/**
 * The columns of a segment as trees of nodes: a scalar column is a single node, and a row, an array, or a map has nodes
 * below it. Start with {@link BlockSegmentEncoder} for writing, and {@link NodeDecoder} for reading.
 */
package io.albis.format.layout.block.node;
