package io.albis.format.write;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The variable-width and nested values that a page has once for many rows. A copy of the rows has them for each row, so
 * it may take many times the memory of the page.
 */
public final class RepeatedValues
{
    private final List<Type> types;
    private final Page page;
    // bytes for each row of run-length encoded values
    private final long rowBytes;
    // channels whose values may have another size in each row
    private final int[] channels;

    private RepeatedValues(List<Type> types, Page page, long rowBytes, int[] channels)
    {
        this.types = requireNonNull(types, "types is null");
        this.page = requireNonNull(page, "page is null");
        this.rowBytes = rowBytes;
        this.channels = channels;
    }

    /**
     * Finds the values that are repeated by dictionaries and by run-length encoding of whole columns.
     *
     * @param types type of each channel
     */
    static RepeatedValues ofColumns(List<Type> types, Page page)
    {
        return find(types, page, false);
    }

    /**
     * Finds also the values that may be repeated within arrays, maps, and rows.
     *
     * @param types type of each channel
     */
    public static RepeatedValues ofAll(List<Type> types, Page page)
    {
        return find(types, page, true);
    }

    private static RepeatedValues find(List<Type> types, Page page, boolean withinNested)
    {
        long rowBytes = 0;
        int[] channels = new int[page.getChannelCount()];
        int count = 0;
        for (int channel = 0; channel < page.getChannelCount(); channel++) {
            Block block = page.getBlock(channel);
            boolean nested = RowSizes.isNested(block.getUnderlyingValueBlock());
            if (block.getPositionCount() == 0 || !(nested || block.getUnderlyingValueBlock() instanceof VariableWidthBlock)) {
                continue;
            }
            if (block instanceof RunLengthEncodedBlock) {
                rowBytes += RowSizes.size(types.get(channel), block, 0);
            }
            else if (!(block instanceof ValueBlock) || (nested && withinNested)) {
                channels[count] = channel;
                count++;
            }
        }
        return new RepeatedValues(types, page, rowBytes, Arrays.copyOf(channels, count));
    }

    public boolean isEmpty()
    {
        return rowBytes == 0 && channels.length == 0;
    }

    /**
     * Returns the bytes of these values that a copy of a row has.
     */
    public long size(int position)
    {
        long size = rowBytes;
        for (int channel : channels) {
            size += RowSizes.size(types.get(channel), page.getBlock(channel), position);
        }
        return size;
    }
}
