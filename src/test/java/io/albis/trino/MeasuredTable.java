package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.albis.format.schema.AlbisColumn;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Random;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The rows of a table with which memory is measured. All of its columns have the same type.
 *
 * @param distinct number of distinct values of each column
 * @param columns number of columns
 * @param rows number of rows
 * @param instances number of writers or readers at the same time
 */
public record MeasuredTable(String name, Type type, int distinct, int columns, int rows, int instances)
{
    /**
     * Number of rows of each page.
     */
    public static final int PAGE_ROWS = 1000;

    public List<AlbisColumnHandle> handles()
    {
        ImmutableList.Builder<AlbisColumnHandle> handles = ImmutableList.builder();
        for (int column = 1; column <= columns; column++) {
            handles.add(new AlbisColumnHandle(column, "c" + column, type));
        }
        return handles.build();
    }

    public List<AlbisColumn> schemaColumns()
    {
        return handles().stream()
                .map(AlbisColumnHandle::toColumn)
                .collect(toImmutableList());
    }

    /**
     * Returns a page with random values.
     *
     * @param firstRow number of its first row
     */
    public Page page(int firstRow)
    {
        Random random = new Random(firstRow);
        Block[] blocks = new Block[columns];
        for (int column = 0; column < blocks.length; column++) {
            BlockBuilder builder = type.createBlockBuilder(null, PAGE_ROWS);
            for (int row = 0; row < PAGE_ROWS; row++) {
                int value = random.nextInt(distinct);
                if (type.equals(BIGINT)) {
                    BIGINT.writeLong(builder, value * 1_000_003L);
                }
                else {
                    VARCHAR.writeSlice(builder, utf8Slice("a text of which there are some or many others: " + value));
                }
            }
            blocks[column] = builder.build();
        }
        return new Page(blocks);
    }

    /**
     * Returns the bytes that the last collection has left. {@link Runtime#freeMemory} would also count the allocation
     * buffers of threads, of a megabyte each.
     */
    public static long usedHeap()
    {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                used += pool.getCollectionUsage().getUsed();
            }
        }
        return used;
    }
}
