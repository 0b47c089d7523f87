package io.albis.table.partition;

import io.airlift.slice.Slice;
import io.albis.format.write.RepeatedValues;
import io.albis.format.write.RollingRowGroupWriter;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A partition that has rows in memory. The rows of a small partition are in a buffer, because a writer needs much more
 * memory.
 */
final class OpenPartition
{
    private static final int INITIAL_ROWS = 8;
    private static final int MAX_ROWS = 8192;
    private static final long MAX_BYTES = 1 << 20;

    private final Slice key;
    private final List<Type> types;
    @Nullable
    private PageBuilder rows;
    @Nullable
    private RollingRowGroupWriter writer;
    // the memory that was last measured
    private long bytes;

    OpenPartition(Slice key, List<Type> types)
    {
        this.key = requireNonNull(key, "key is null");
        this.types = requireNonNull(types, "types is null");
    }

    Slice key()
    {
        return key;
    }

    /**
     * Copies rows into the buffer, as far as they fit.
     *
     * @param repeated values that are larger in the buffer than in the page
     * @param positions positions of the rows; those from {@code begin} to {@code end}, exclusive, are to be copied
     * @return the number of rows that were copied, at least one
     */
    int add(Page page, RepeatedValues repeated, int[] positions, int begin, int end)
    {
        if (rows == null) {
            rows = new PageBuilder(INITIAL_ROWS, types);
        }
        int count = rowsThatFit(repeated, positions, begin, end);
        for (int channel = 0; channel < page.getChannelCount(); channel++) {
            Block block = page.getBlock(channel);
            int[] values = new int[count];
            for (int i = 0; i < count; i++) {
                values[i] = block.getUnderlyingValuePosition(positions[begin + i]);
            }
            rows.getBlockBuilder(channel).appendPositions(block.getUnderlyingValueBlock(), values, 0, count);
        }
        rows.declarePositions(count);
        return count;
    }

    private static int rowsThatFit(RepeatedValues repeated, int[] positions, int begin, int end)
    {
        if (repeated.isEmpty()) {
            return end - begin;
        }
        long left = MAX_BYTES;
        int row = begin;
        do {
            left -= repeated.size(positions[row]);
            row++;
        }
        while (row < end && left > 0);
        return row - begin;
    }

    boolean isBuffered()
    {
        return rows != null;
    }

    boolean isBufferFull()
    {
        return rows != null && (rows.getPositionCount() >= MAX_ROWS || rows.getSizeInBytes() >= MAX_BYTES);
    }

    /**
     * Returns the rows in the buffer and empties it.
     */
    Page takeBuffer()
    {
        Page page = rows.build();
        rows = null;
        return page;
    }

    @Nullable
    RollingRowGroupWriter writer()
    {
        return writer;
    }

    void setWriter(@Nullable RollingRowGroupWriter writer)
    {
        this.writer = writer;
    }

    /**
     * Measures the memory.
     *
     * @return by how many bytes it has grown since the last call
     */
    long countMemory()
    {
        long before = bytes;
        bytes = key.length() + (rows == null ? 0 : rows.getRetainedSizeInBytes()) + (writer == null ? 0 : writer.memoryUsage());
        return bytes - before;
    }

    /**
     * Returns the memory that was last measured, and resets it to zero.
     */
    long releaseMemory()
    {
        long before = bytes;
        bytes = 0;
        return before;
    }

    /**
     * Returns the memory in bytes that was last measured.
     */
    long bytes()
    {
        return bytes;
    }
}
