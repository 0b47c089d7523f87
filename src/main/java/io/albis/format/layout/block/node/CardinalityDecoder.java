package io.albis.format.layout.block.node;

import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;

import java.io.IOException;

/**
 * Decodes the numbers of elements of arrays or maps, and no elements.
 */
final class CardinalityDecoder
        extends NodeDecoder
{
    private final RunLengths lengths;

    CardinalityDecoder(ValueNodeDecoder own)
    {
        this.lengths = new RunLengths(own);
    }

    @Override
    public Block decode(NodeRows rows)
            throws IOException
    {
        ElementRanges ranges = ElementRanges.find(rows, lengths);
        long[] cardinalities = new long[ranges.count()];
        for (int row = 0; row < cardinalities.length; row++) {
            cardinalities[row] = ranges.length(row);
        }
        return new LongArrayBlock(cardinalities.length, ranges.validity(), cardinalities);
    }

    @Override
    public long retainedSize()
    {
        return lengths.retainedSize();
    }
}
