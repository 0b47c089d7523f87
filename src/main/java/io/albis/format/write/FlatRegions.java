package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Run;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;

import java.util.List;

import static io.albis.format.type.FlatBlocks.flat;

/**
 * Divides a page into regions without dictionaries and run-length encoding. A page of repeated values may represent
 * many times the memory that it takes, so each region is limited to a few megabytes.
 */
final class FlatRegions
{
    // Maximum size of the repeated values of a region, over all columns. A single row may have more.
    private static final int MAX_BYTES = 1 << 22;

    private final List<Type> types;
    private final Page page;
    private final ValueBlock[] blocks;
    // expanded run-length encoded values, reused by later regions; null for other channels
    private final ValueBlock[] runs;
    private final boolean repeated;
    // bytes per row of run-length encoded variable-width or nested values
    private final long rowBytes;
    // channels with dictionaries of variable-width or nested values
    private final List<Integer> dictionaryChannels;
    private int position;

    /**
     * Finds the channels of a page that repeat values.
     *
     * @param types type of each channel
     */
    FlatRegions(List<Type> types, Page page)
    {
        this.types = types;
        this.page = page;
        this.blocks = new ValueBlock[page.getChannelCount()];
        this.runs = new ValueBlock[page.getChannelCount()];
        boolean repeated = false;
        long rowBytes = 0;
        ImmutableList.Builder<Integer> dictionaryChannels = ImmutableList.builder();
        for (int channel = 0; channel < blocks.length; channel++) {
            Block block = page.getBlock(channel);
            repeated |= !(block instanceof ValueBlock);
            if (block.getUnderlyingValueBlock() instanceof VariableWidthBlock || RowSizes.isNested(block.getUnderlyingValueBlock())) {
                if (block instanceof RunLengthEncodedBlock && block.getPositionCount() > 0) {
                    rowBytes += RowSizes.size(types.get(channel), block, 0);
                }
                else if (block instanceof DictionaryBlock) {
                    dictionaryChannels.add(channel);
                }
            }
        }
        this.repeated = repeated;
        this.rowBytes = rowBytes;
        this.dictionaryChannels = dictionaryChannels.build();
    }

    /**
     * Advances to the next region.
     *
     * @return number of rows of the region; 0 at the end of the page
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
     * Returns the rows of the current region, one block for each channel.
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
            for (int i = 0; i < dictionaryChannels.size() && left >= 0; i++) {
                int channel = dictionaryChannels.get(i);
                left -= RowSizes.size(types.get(channel), page.getBlock(channel), position + row);
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
            case ValueBlock values -> flat(values, position, count);
            case RunLengthEncodedBlock repeated -> {
                if (runs[channel] == null || runs[channel].getPositionCount() < count) {
                    runs[channel] = count == 1 ? repeated.getValue() : flat(repeated, position, count);
                }
                yield runs[channel].getRegion(0, count);
            }
            case DictionaryBlock dictionary when count == 1 -> dictionary.getUnderlyingValueBlock().getRegion(dictionary.getUnderlyingValuePosition(position), 1);
            case DictionaryBlock dictionary -> flat(dictionary, position, count);
        };
    }
}
