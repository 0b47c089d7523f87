package io.albis.benchmarks.format.data;

import io.trino.spi.block.BlockBuilder;

/**
 * Generates the values of a column row by row.
 */
interface ValueGenerator
{
    void append(BlockBuilder builder, int row);
}
