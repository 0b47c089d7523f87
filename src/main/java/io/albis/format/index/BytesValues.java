package io.albis.format.index;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import it.unimi.dsi.fastutil.ints.IntArrays;

import java.util.Arrays;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.lang.Math.max;

/**
 * Values whose keys are bytes: texts, binary values, and values with a key of two longs.
 */
final class BytesValues
        implements IndexedValues
{
    /**
     * Maximum length of a value in an index. A column with a longer value has no index in its row group.
     */
    static final int MAX_LENGTH = 1024;

    private final OrderKeys orderKeys;
    private byte[] bytes = new byte[0];
    private int length;
    // the end of each key in the bytes
    private int[] ends = new int[0];
    private int[] positions = new int[0];
    private int size;
    private long[] high = new long[0];
    private long[] low = new long[0];

    BytesValues(OrderKeys orderKeys)
    {
        this.orderKeys = orderKeys;
    }

    @Override
    public boolean add(ValueBlock block, int offset, int count, int position)
    {
        if (orderKeys.hasKeys()) {
            addWide(block, offset, count, position);
            return true;
        }
        VariableWidthBlock values = (VariableWidthBlock) block;
        for (int i = 0; i < count; i++) {
            if (!values.isNull(offset + i)) {
                int valueLength = values.getSliceLength(offset + i);
                if (valueLength > MAX_LENGTH) {
                    return false;
                }
                add(values.getRawSlice(), values.getRawSliceOffset(offset + i), valueLength, position + i);
            }
        }
        return true;
    }

    private void addWide(ValueBlock block, int offset, int count, int position)
    {
        if (high.length < count) {
            high = new long[count];
            low = new long[count];
        }
        orderKeys.extract(block, offset, count, high, low);
        for (int i = 0; i < count; i++) {
            if (!block.isNull(offset + i)) {
                add(IndexKeys.key(high[i], low[i]), 0, 2 * Long.BYTES, position + i);
            }
        }
    }

    private void add(Slice source, int offset, int keyLength, int position)
    {
        if (bytes.length < length + keyLength) {
            bytes = Arrays.copyOf(bytes, max(length + keyLength, length + length / 2));
        }
        source.getBytes(offset, bytes, length, keyLength);
        length += keyLength;
        if (size == ends.length) {
            int capacity = max(MAX_LENGTH, size + size / 2);
            ends = Arrays.copyOf(ends, capacity);
            positions = Arrays.copyOf(positions, capacity);
        }
        ends[size] = length;
        positions[size] = position;
        size++;
    }

    @Override
    public void finish(Sink sink)
    {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        // stable, so that the positions of a value stay ascending
        IntArrays.mergeSort(order, (left, right) -> IndexKeys.compare(orderKeys, key(left), key(right)));
        int[] rows = new int[size];
        for (int i = 0; i < size; i++) {
            rows[i] = positions[order[i]];
        }
        int begin = 0;
        while (begin < size) {
            Slice key = key(order[begin]);
            int end = begin + 1;
            while (end < size && IndexKeys.compare(orderKeys, key(order[end]), key) == 0) {
                end++;
            }
            sink.add(key, rows, begin, end);
            begin = end;
        }
        bytes = new byte[0];
        ends = new int[0];
        positions = new int[0];
        length = 0;
        size = 0;
    }

    private Slice key(int index)
    {
        int begin = index == 0 ? 0 : ends[index - 1];
        return Slices.wrappedBuffer(bytes, begin, ends[index] - begin);
    }

    @Override
    public long retainedSize()
    {
        return sizeOf(bytes) + sizeOf(ends) + sizeOf(positions) + sizeOf(high) + sizeOf(low);
    }
}
