/**
 * The block layout: each column of a group is stored in the form of Trino's blocks, in an encoding that depends on its
 * values. Start with {@link ColumnEncoder} for writing, and {@link ChunkDecoder} for reading. {@link ValidityEncoder}
 * and {@link ValidityDecoder} encode and decode nulls.
 */
package io.albis.format.layout.block;
