package io.albis.format.write;

import io.albis.format.run.Run;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
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

    private final Page page;
    private final ValueBlock[] blocks;
    // expanded run-length encoded values, reused by later regions; null for other channels
    private final ValueBlock[] runs;
    private final boolean repeated;
    private final RepeatedValues repeatedValues;
    private int position;

    /**
     * Finds the channels of a page that repeat values.
     *
     * @param types type of each channel
     */
    FlatRegions(List<Type> types, Page page)
    {
        this.page = page;
        this.blocks = new ValueBlock[page.getChannelCount()];
        this.runs = new ValueBlock[page.getChannelCount()];
        boolean repeated = false;
        for (int channel = 0; channel < blocks.length; channel++) {
            repeated |= !(page.getBlock(channel) instanceof ValueBlock);
        }
        this.repeated = repeated;
        this.repeatedValues = RepeatedValues.ofColumns(types, page);
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
        if (repeatedValues.isEmpty()) {
            return count;
        }
        long left = MAX_BYTES;
        for (int row = 0; row < count; row++) {
            left -= repeatedValues.size(position + row);
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
