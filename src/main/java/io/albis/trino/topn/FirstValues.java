package io.albis.trino.topn;

import io.trino.spi.block.Block;

import java.util.Arrays;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * The first values in an order, up to a number. The last one of them is at the root of a heap.
 */
final class FirstValues
{
    private static final int INITIAL_CAPACITY = 16;

    private final SortKeyOrder order;
    private final int limit;
    // blocks with one value
    private Block[] heap;
    private int size;
    private long valueBytes;

    FirstValues(SortKeyOrder order, int limit)
    {
        this.order = requireNonNull(order, "order is null");
        this.limit = limit;
        this.heap = new Block[min(limit, INITIAL_CAPACITY)];
    }

    boolean isFull()
    {
        return size == limit;
    }

    /**
     * Returns a block with the last one of the values.
     */
    Block last()
    {
        checkState(isFull(), "there are only %s of %s values", size, limit);
        return heap[0];
    }

    /**
     * Adds a value if it is before the last one, which it replaces, or if there are fewer values than the limit.
     *
     * @return whether the value was added
     */
    boolean add(Block block, int position)
    {
        if (isFull()) {
            if (order.compare(block, position, heap[0], 0) >= 0) {
                return false;
            }
            valueBytes -= heap[0].getRetainedSizeInBytes();
            heap[0] = copy(block, position);
            siftDown();
            return true;
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, (int) min(limit, 2L * size));
        }
        heap[size] = copy(block, position);
        siftUp(size);
        size++;
        return true;
    }

    private Block copy(Block block, int position)
    {
        Block value = block.getSingleValueBlock(position);
        valueBytes += value.getRetainedSizeInBytes();
        return value;
    }

    private void siftUp(int index)
    {
        while (index > 0) {
            int parent = (index - 1) / 2;
            if (order.compare(heap[index], 0, heap[parent], 0) <= 0) {
                return;
            }
            swap(index, parent);
            index = parent;
        }
    }

    private void siftDown()
    {
        int index = 0;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && order.compare(heap[child + 1], 0, heap[child], 0) > 0) {
                child++;
            }
            if (order.compare(heap[index], 0, heap[child], 0) >= 0) {
                return;
            }
            swap(index, child);
            index = child;
        }
    }

    private void swap(int left, int right)
    {
        Block value = heap[left];
        heap[left] = heap[right];
        heap[right] = value;
    }

    long retainedSize()
    {
        return (long) heap.length * Long.BYTES + valueBytes;
    }
}
