package io.albis.trino.read;

import io.albis.format.scan.AlbisBatch;
import io.trino.spi.block.Block;

import java.io.IOException;

/**
 * Reads one channel of the pages of a page source.
 */
@FunctionalInterface
interface PageChannel
{
    /**
     * Returns the values of the channel for the selected rows of a batch.
     */
    Block read(AlbisBatch batch)
            throws IOException;
}
