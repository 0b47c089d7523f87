package io.albis.trino.sort;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Collects ranges of rows of several pages for a new page, which is built column by column.
 */
final class MergedRows
{
    private static final int MAX_ROWS = 1 << 13;
    private static final int MAX_BYTES = 1 << 20;

    private final List<Type> types;
    private final List<Page> pages = new ArrayList<>();
    private final int[] offsets = new int[MAX_ROWS];
    private final int[] lengths = new int[MAX_ROWS];
    private int rows;
    private long bytes;

    MergedRows(List<Type> types)
    {
        this.types = requireNonNull(types, "types is null");
    }

    boolean isEmpty()
    {
        return rows == 0;
    }

    boolean isFull()
    {
        return rows == MAX_ROWS || bytes >= MAX_BYTES;
    }

    /**
     * Returns how many rows of a page can be added, unless this is full. This is at least one.
     */
    int available(Page page)
    {
        long fitting = (MAX_BYTES - bytes) / rowBytes(page);
        return Math.clamp(fitting, 1, MAX_ROWS - rows);
    }

    void add(Page page, int offset, int length)
    {
        offsets[pages.size()] = offset;
        lengths[pages.size()] = length;
        pages.add(page);
        rows += length;
        bytes += length * rowBytes(page);
    }

    private static long rowBytes(Page page)
    {
        // a page knows its size after the first call
        return Math.max(1, page.getSizeInBytes() / page.getPositionCount());
    }

    Page toPage()
    {
        Block[] blocks = new Block[types.size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            BlockBuilder builder = types.get(channel).createBlockBuilder(null, rows);
            for (int range = 0; range < pages.size(); range++) {
                builder.appendBlockRange(pages.get(range).getBlock(channel), offsets[range], lengths[range]);
            }
            blocks[channel] = builder.build();
        }
        return new Page(rows, blocks);
    }
}
