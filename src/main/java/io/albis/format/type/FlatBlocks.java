package io.albis.format.type;

import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;

/**
 * Converts blocks into blocks without dictionaries and run-length encoding.
 */
public final class FlatBlocks
{
    private FlatBlocks() {}

    /**
     * Returns a part of a block without dictionaries and run-length encoding. Copies values only if the block has one
     * of these.
     */
    public static ValueBlock flat(Block block, int offset, int count)
    {
        if (block instanceof ValueBlock values) {
            return offset == 0 && count == values.getPositionCount() ? values : values.getRegion(offset, count);
        }
        return block.getUnderlyingValueBlock().copyPositions(valuePositions(block, offset, count), 0, count);
    }

    /**
     * Returns the positions of a part of a block in its underlying values.
     */
    public static int[] valuePositions(Block block, int offset, int count)
    {
        int[] positions = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = block.getUnderlyingValuePosition(offset + i);
        }
        return positions;
    }
}
