package io.albis.format.writer;

import io.albis.format.metadata.Run;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

/**
 * Hands out a page piece by piece, with each value as often as it is there. A page whose values are repeated may stand for many
 * times the memory that it takes, so the pieces take a few megabytes.
 */
final class FlatRegions
{
    // of the values that are repeated, in all columns; a single row may have more
    private static final int MAX_BYTES = 1 << 22;

    private final Page page;
    private final ValueBlock[] blocks;
    // of a value that all rows have, as many as were needed before; null for others
    private final ValueBlock[] runs;
    private final int repeatedChannels;
    private int position;

    FlatRegions(Page page)
    {
        this.page = page;
        this.blocks = new ValueBlock[page.getChannelCount()];
        this.runs = new ValueBlock[page.getChannelCount()];
        int repeated = 0;
        for (int channel = 0; channel < blocks.length; channel++) {
            repeated += page.getBlock(channel) instanceof ValueBlock ? 0 : 1;
        }
        this.repeatedChannels = repeated;
    }

    /**
     * Goes to the next rows.
     *
     * @return how many; 0 if there are no more
     */
    int next()
    {
        int count = page.getPositionCount() - position;
        if (repeatedChannels > 0) {
            count = Math.min(count, Run.MAX_ROWS);
            for (int channel = 0; channel < blocks.length; channel++) {
                count = rowsThatFit(page.getBlock(channel), count);
            }
        }
        if (count > 0) {
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = flatten(channel, count);
            }
            position += count;
        }
        return count;
    }

    /**
     * The rows, one block for each channel.
     */
    ValueBlock[] blocks()
    {
        return blocks;
    }

    private int rowsThatFit(Block block, int count)
    {
        if (block instanceof ValueBlock || !(block.getUnderlyingValueBlock() instanceof VariableWidthBlock values)) {
            return count;
        }
        int left = MAX_BYTES / repeatedChannels;
        for (int row = 0; row < count; row++) {
            int length = RowSizes.length(values, block.getUnderlyingValuePosition(position + row));
            if (length > left) {
                return Math.max(1, row);
            }
            left -= length;
        }
        return count;
    }

    private ValueBlock flatten(int channel, int count)
    {
        Block block = page.getBlock(channel);
        return switch (block) {
            case ValueBlock values -> count == page.getPositionCount() ? values : values.getRegion(position, count);
            case RunLengthEncodedBlock repeated -> {
                if (runs[channel] == null || runs[channel].getPositionCount() < count) {
                    runs[channel] = count == 1 ? repeated.getValue() : copy(repeated, count);
                }
                yield runs[channel].getRegion(0, count);
            }
            case DictionaryBlock dictionary when count == 1 -> dictionary.getUnderlyingValueBlock().getRegion(dictionary.getUnderlyingValuePosition(position), 1);
            case DictionaryBlock dictionary -> copy(dictionary, count);
        };
    }

    private ValueBlock copy(Block block, int count)
    {
        int[] positions = new int[count];
        for (int row = 0; row < count; row++) {
            positions[row] = block.getUnderlyingValuePosition(position + row);
        }
        return block.getUnderlyingValueBlock().copyPositions(positions, 0, count);
    }
}
