package io.albis.format.type;

import io.trino.spi.block.Block;
import io.trino.spi.block.RowBlock;
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
     * Returns the values of a field in a part of a block of rows, without dictionaries and run-length encoding. They
     * are null where the row is null. Blocks should already be null there, but only some ways of creating one check
     * this.
     */
    public static ValueBlock rowField(RowBlock rows, int field, int offset, int count)
    {
        Block values = rows.getRawFieldBlock(field).getRegion(rows.getOffsetBase() + offset, count);
        int[] positions = null;
        for (int position = 0; position < count && rows.mayHaveNull(); position++) {
            if (rows.isNull(offset + position) && !values.isNull(position)) {
                positions = positions == null ? valuePositions(values, 0, count) : positions;
                positions[position] = values.getUnderlyingValueBlock().getPositionCount();
            }
        }
        return positions == null ? flat(values, 0, count) : values.getUnderlyingValueBlock().copyWithAppendedNull().copyPositions(positions, 0, count);
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
