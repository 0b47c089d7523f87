package io.albis.trino.topn;

import io.trino.spi.block.Block;

import java.util.Arrays;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * The sort keys of the first rows in an order, up to a number. Those of the last row are at the root of a heap.
 */
final class FirstValues
{
    private static final int INITIAL_CAPACITY = 16;

    private final SortKeysOrder order;
    private final int limit;
    // for each row, a block with one value of each key
    private Block[][] heap;
    private int size;
    private long valueBytes;

    FirstValues(SortKeysOrder order, int limit)
    {
        this.order = requireNonNull(order, "order is null");
        this.limit = limit;
        this.heap = new Block[min(limit, INITIAL_CAPACITY)][];
    }

    boolean isFull()
    {
        return size == limit;
    }

    /**
     * Returns the keys of the last one of the rows, each in a block with one value.
     */
    Block[] last()
    {
        checkState(isFull(), "there are only %s of %s rows", size, limit);
        return heap[0];
    }

    /**
     * Adds a row if it is before the last one, which it replaces, or if there are fewer rows than the limit.
     *
     * @param keys blocks with the keys
     * @return whether the row was added
     */
    boolean add(Block[] keys, int position)
    {
        if (isFull()) {
            if (order.compare(keys, position, heap[0], 0) >= 0) {
                return false;
            }
            for (Block value : heap[0]) {
                valueBytes -= value.getRetainedSizeInBytes();
            }
            heap[0] = copy(keys, position);
            siftDown();
            return true;
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, (int) min(limit, 2L * size));
        }
        heap[size] = copy(keys, position);
        siftUp(size);
        size++;
        return true;
    }

    private Block[] copy(Block[] keys, int position)
    {
        Block[] values = new Block[keys.length];
        for (int key = 0; key < keys.length; key++) {
            values[key] = keys[key].getSingleValueBlock(position);
            valueBytes += values[key].getRetainedSizeInBytes();
        }
        return values;
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
        Block[] value = heap[left];
        heap[left] = heap[right];
        heap[right] = value;
    }

    long retainedSize()
    {
        return (long) heap.length * Long.BYTES * (1 + order.count()) + valueBytes;
    }
}
