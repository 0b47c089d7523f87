package io.albis.format.write;

import io.albis.format.run.RowTooLargeException;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.VariableWidthBlock;

/**
 * Rejects rows that are too large before any of their values are copied.
 */
final class RowSizes
{
    private RowSizes() {}

    /**
     * Checks the size of all rows of a page.
     *
     * @throws RowTooLargeException if the variable-width values of a row exceed the maximum row size
     */
    static void check(Page page)
    {
        // no row is larger than all values together
        long bytes = 0;
        for (int channel = 0; channel < page.getChannelCount(); channel++) {
            if (page.getBlock(channel).getUnderlyingValueBlock() instanceof VariableWidthBlock values) {
                bytes += values.getRawSlice().length();
            }
        }
        if (bytes <= RowTooLargeException.MAX_SIZE) {
            return;
        }
        for (int position = 0; position < page.getPositionCount(); position++) {
            long size = 0;
            for (int channel = 0; channel < page.getChannelCount(); channel++) {
                size += length(page.getBlock(channel), position);
            }
            if (size > RowTooLargeException.MAX_SIZE) {
                throw new RowTooLargeException(size);
            }
        }
    }

    private static int length(Block block, int position)
    {
        return block.getUnderlyingValueBlock() instanceof VariableWidthBlock values ? length(values, block.getUnderlyingValuePosition(position)) : 0;
    }

    /**
     * Returns the length of a value in bytes, or 0 for null.
     */
    static int length(VariableWidthBlock values, int position)
    {
        return values.isNull(position) ? 0 : values.getSliceLength(position);
    }
}
