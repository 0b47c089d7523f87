package io.albis.format.write;

import io.albis.format.run.RowTooLargeException;
import io.albis.format.type.NestedSizes;
import io.trino.spi.Page;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.MapBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;

import java.util.List;

/**
 * Rejects rows that are too large before any of their values are copied.
 */
public final class RowSizes
{
    private RowSizes() {}

    /**
     * Checks the size of all rows of a page.
     *
     * @param types type of each channel
     * @throws RowTooLargeException if the variable-width and nested values of a row exceed the maximum row size
     */
    public static void check(List<Type> types, Page page)
    {
        // no row is larger than all values together
        long bytes = 0;
        for (int channel = 0; channel < page.getChannelCount(); channel++) {
            ValueBlock values = page.getBlock(channel).getUnderlyingValueBlock();
            if (values instanceof VariableWidthBlock texts) {
                bytes += texts.getRawSlice().length();
            }
            else if (isNested(values)) {
                // Their elements may be repeated, so the values can be larger than the block
                bytes = Long.MAX_VALUE;
                break;
            }
        }
        if (bytes <= RowTooLargeException.MAX_SIZE) {
            return;
        }
        for (int position = 0; position < page.getPositionCount(); position++) {
            long size = 0;
            for (int channel = 0; channel < page.getChannelCount(); channel++) {
                size += size(types.get(channel), page.getBlock(channel), position);
            }
            if (size > RowTooLargeException.MAX_SIZE) {
                throw new RowTooLargeException(size);
            }
        }
    }

    /**
     * Returns the size of a variable-width or nested value in bytes, and 0 for other values.
     */
    public static long size(Type type, Block block, int position)
    {
        return switch (block.getUnderlyingValueBlock()) {
            case VariableWidthBlock values -> length(values, block.getUnderlyingValuePosition(position));
            case ArrayBlock _, MapBlock _, RowBlock _ -> NestedSizes.size(type, block, position);
            case ByteArrayBlock _, Fixed12Block _, Int128ArrayBlock _, IntArrayBlock _, LongArrayBlock _, ShortArrayBlock _ -> 0;
            // ValueBlock is not sealed, so the compiler does not point out a new block
            default -> throw new IllegalArgumentException("Unsupported block: " + block);
        };
    }

    static boolean isNested(ValueBlock block)
    {
        return block instanceof RowBlock || block instanceof ArrayBlock || block instanceof MapBlock;
    }

    /**
     * Returns the length of a value in bytes, or 0 for null.
     */
    private static int length(VariableWidthBlock values, int position)
    {
        return values.isNull(position) ? 0 : values.getSliceLength(position);
    }
}
