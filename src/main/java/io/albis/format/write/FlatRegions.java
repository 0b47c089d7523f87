package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Run;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.util.List;

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
    private final boolean repeated;
    // of texts that all rows have
    private final long rowBytes;
    private final List<DictionaryBlock> dictionaries;
    private int position;

    FlatRegions(Page page)
    {
        this.page = page;
        this.blocks = new ValueBlock[page.getChannelCount()];
        this.runs = new ValueBlock[page.getChannelCount()];
        boolean repeated = false;
        long rowBytes = 0;
        ImmutableList.Builder<DictionaryBlock> dictionaries = ImmutableList.builder();
        for (int channel = 0; channel < blocks.length; channel++) {
            Block block = page.getBlock(channel);
            repeated |= !(block instanceof ValueBlock);
            if (block.getUnderlyingValueBlock() instanceof VariableWidthBlock values) {
                if (block instanceof RunLengthEncodedBlock) {
                    rowBytes += RowSizes.length(values, 0);
                }
                else if (block instanceof DictionaryBlock dictionary) {
                    dictionaries.add(dictionary);
                }
            }
        }
        this.repeated = repeated;
        this.rowBytes = rowBytes;
        this.dictionaries = dictionaries.build();
    }

    /**
     * Goes to the next rows.
     *
     * @return how many; 0 if there are no more
     */
    int next()
    {
        int count = page.getPositionCount() - position;
        if (repeated) {
            count = rowsThatFit(Math.min(count, Run.MAX_ROWS));
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

    private int rowsThatFit(int count)
    {
        long left = MAX_BYTES;
        for (int row = 0; row < count; row++) {
            left -= rowBytes;
            for (int i = 0; i < dictionaries.size() && left >= 0; i++) {
                DictionaryBlock dictionary = dictionaries.get(i);
                VariableWidthBlock values = (VariableWidthBlock) dictionary.getUnderlyingValueBlock();
                left -= RowSizes.length(values, dictionary.getUnderlyingValuePosition(position + row));
            }
            if (left < 0) {
                return Math.max(1, row);
            }
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
