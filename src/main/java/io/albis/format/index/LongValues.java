package io.albis.format.index;

import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import it.unimi.dsi.fastutil.longs.LongArrays;

import java.util.Arrays;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.lang.Math.max;

/**
 * Values with a key of one long. NaN, which no filter selects, is not in an index.
 */
final class LongValues
        implements IndexedValues
{
    private final OrderKeys orderKeys;
    private long[] keys = new long[0];
    // longs, because both arrays are sorted together
    private long[] positions = new long[0];
    private int size;
    private long[] scratch = new long[0];

    LongValues(OrderKeys orderKeys)
    {
        this.orderKeys = orderKeys;
    }

    @Override
    public boolean add(ValueBlock block, int offset, int count, int position)
    {
        if (scratch.length < count) {
            scratch = new long[count];
        }
        orderKeys.extract(block, offset, count, scratch, scratch);
        reserve(count);
        boolean nullable = block.mayHaveNull();
        for (int i = 0; i < count; i++) {
            boolean indexed = !(nullable && block.isNull(offset + i)) && !(orderKeys.isFloatingPoint() && scratch[i] == OrderKeys.NAN);
            keys[size] = scratch[i];
            positions[size] = position + i;
            size += indexed ? 1 : 0;
        }
        return true;
    }

    private void reserve(int count)
    {
        // one more than needed, because a value that is not indexed is written and then overwritten
        if (keys.length <= size + count) {
            int capacity = max(size + count + 1, size + size / 2);
            keys = Arrays.copyOf(keys, capacity);
            positions = Arrays.copyOf(positions, capacity);
        }
    }

    @Override
    public void finish(Sink sink)
    {
        LongArrays.radixSort(keys, positions, 0, size);
        int[] rows = new int[size];
        for (int i = 0; i < size; i++) {
            rows[i] = (int) positions[i];
        }
        positions = new long[0];
        int begin = 0;
        while (begin < size) {
            int end = begin + 1;
            while (end < size && keys[end] == keys[begin]) {
                end++;
            }
            sink.add(IndexKeys.key(keys[begin]), rows, begin, end);
            begin = end;
        }
        keys = new long[0];
        size = 0;
    }

    @Override
    public long retainedSize()
    {
        return sizeOf(keys) + sizeOf(positions) + sizeOf(scratch);
    }
}
