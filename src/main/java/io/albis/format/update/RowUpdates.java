package io.albis.format.update;

import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import it.unimi.dsi.fastutil.ints.IntArrayList;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.sizeOf;
import static java.util.Objects.requireNonNull;

/**
 * New values of some rows of a row group, in batches. The rows can be added in any order.
 */
public final class RowUpdates
{
    private final List<Batch> batches = new ArrayList<>();
    private int count;
    private long retainedSize;

    /**
     * Receives batches of rows.
     */
    public interface BatchConsumer
    {
        /**
         * @param positions positions of the rows in their row group
         * @param columns one block for each column
         */
        void accept(int[] positions, Block[] columns);
    }

    /**
     * @param first number of rows in earlier batches
     * @param positions positions of the rows in their row group
     * @param columns one block for each column
     */
    private record Batch(int first, int[] positions, Block[] columns) {}

    /**
     * The updates in the order of the positions. It is a snapshot of the updates.
     */
    static final class Ordered
    {
        private final List<Batch> batches;
        // the position in the upper half, and the number of the row in the lower half
        private final long[] order;
        private final int[] batchOfRow;

        private Ordered(RowUpdates updates)
        {
            this.batches = List.copyOf(updates.batches);
            this.order = new long[updates.count];
            this.batchOfRow = new int[updates.count];
            for (int i = 0; i < batches.size(); i++) {
                Batch batch = batches.get(i);
                for (int row = 0; row < batch.positions().length; row++) {
                    int number = batch.first() + row;
                    order[number] = ((long) batch.positions()[row] << Integer.SIZE) | number;
                    batchOfRow[number] = i;
                }
            }
            Arrays.sort(order);
            for (int i = 1; i < order.length; i++) {
                checkArgument(position(i - 1) != position(i), "the row at position %s is updated twice", position(i));
            }
        }

        int count()
        {
            return order.length;
        }

        /**
         * @param index index of the update in the order of the positions
         */
        long position(int index)
        {
            return order[index] >>> Integer.SIZE;
        }

        /**
         * Appends the new value of a column.
         */
        void append(int index, int column, BlockBuilder builder)
        {
            int number = (int) order[index];
            Batch batch = batches.get(batchOfRow[number]);
            Block block = batch.columns()[column];
            builder.append(block.getUnderlyingValueBlock(), block.getUnderlyingValuePosition(number - batch.first()));
        }
    }

    /**
     * Adds rows.
     *
     * @param positions positions of the rows in their row group
     * @param columns one block for each column, with as many positions
     */
    public void add(IntArrayList positions, Block[] columns)
    {
        for (Block column : columns) {
            checkArgument(column.getPositionCount() == positions.size(), "%s rows have %s values", positions.size(), column.getPositionCount());
        }
        batches.add(new Batch(count, positions.toIntArray(), columns.clone()));
        count += positions.size();
        retainedSize += retainedSize(batches.getLast());
    }

    public int count()
    {
        return count;
    }

    /**
     * Returns the updates of only some of the columns.
     *
     * @param columns indexes of the columns to keep
     */
    public RowUpdates project(int[] columns)
    {
        RowUpdates projected = new RowUpdates();
        forEach((positions, blocks) -> {
            Block[] kept = new Block[columns.length];
            Arrays.setAll(kept, i -> blocks[columns[i]]);
            projected.add(IntArrayList.wrap(positions), kept);
        });
        return projected;
    }

    /**
     * Passes all rows on, in the order in which they were added.
     */
    public void forEach(BatchConsumer consumer)
    {
        requireNonNull(consumer, "consumer is null");
        for (Batch batch : batches) {
            consumer.accept(batch.positions(), batch.columns());
        }
    }

    /**
     * Returns the size in memory, in bytes.
     */
    public long retainedSize()
    {
        return retainedSize;
    }

    private static long retainedSize(Batch batch)
    {
        long size = sizeOf(batch.positions());
        for (Block column : batch.columns()) {
            size += column.getRetainedSizeInBytes();
        }
        return size;
    }

    Ordered ordered()
    {
        return new Ordered(this);
    }
}
