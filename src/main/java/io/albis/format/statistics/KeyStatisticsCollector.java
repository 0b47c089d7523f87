package io.albis.format.statistics;

import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.ValueBlock;

import java.util.Optional;

/**
 * Collects statistics of values with an order key of one long. The bounds are the values with the smallest and the
 * largest key.
 */
final class KeyStatisticsCollector
        extends StatisticsCollector
{
    private final OrderKeys orderKeys;
    private final KeyScratch scratch;
    private final OrderTracker order = new OrderTracker();

    private boolean empty = true;
    private long minKey;
    private long maxKey;
    private long lastKey;
    private byte[] min;
    private byte[] max;

    KeyStatisticsCollector(int columnId, OrderKeys orderKeys, KeyScratch scratch)
    {
        super(columnId);
        this.orderKeys = orderKeys;
        this.scratch = scratch;
    }

    @Override
    protected void appendValues(ValueBlock block, int offset, int count)
    {
        long[] all = scratch.high();
        orderKeys.extract(block, offset, count, all, scratch.low());
        long[] keys = all;
        int size = count;
        Optional<Bitmap> bitmap = block.getValidityBitmap();
        if (bitmap.isPresent() || orderKeys.isFloatingPoint()) {
            // compacts the relevant keys, so that the loops over them have no branches
            keys = scratch.low();
            size = bitmap.isPresent() ? copyValid(bitmap.get(), offset, count, all, keys) : copy(all, count, keys);
            if (orderKeys.isFloatingPoint()) {
                size = removeNan(keys, size);
            }
        }
        if (size > 0) {
            addKeys(keys, size, block, offset, count, all);
        }
    }

    private static int copyValid(Bitmap bitmap, int offset, int count, long[] source, long[] target)
    {
        long[] words = bitmap.getRawWords();
        int bitOffset = bitmap.getRawBitOffset() + offset;
        int size = 0;
        for (int i = 0; i < count; i++) {
            target[size] = source[i];
            size += Bitmap.isSet(words, bitOffset, i) ? 1 : 0;
        }
        return size;
    }

    private static int copy(long[] source, int count, long[] target)
    {
        System.arraycopy(source, 0, target, 0, count);
        return count;
    }

    private int removeNan(long[] keys, int count)
    {
        int size = 0;
        for (int i = 0; i < count; i++) {
            keys[size] = keys[i];
            size += keys[i] == OrderKeys.NAN ? 0 : 1;
        }
        if (size < count) {
            order.restrict(false, false);
        }
        return size;
    }

    private void addKeys(long[] keys, int size, ValueBlock block, int offset, int count, long[] all)
    {
        long least = keys[0];
        long greatest = keys[0];
        for (int i = 1; i < size; i++) {
            least = Math.min(least, keys[i]);
            greatest = Math.max(greatest, keys[i]);
        }
        if (empty || least < minKey) {
            minKey = least;
            min = value(least, block, offset, count, all);
        }
        if (empty || greatest > maxKey) {
            maxKey = greatest;
            max = value(greatest, block, offset, count, all);
        }
        if (!empty) {
            order.next(Long.compare(keys[0], lastKey));
        }
        addOrder(keys, size);
        lastKey = keys[size - 1];
        empty = false;
    }

    private void addOrder(long[] keys, int size)
    {
        boolean ascending = order.isOpen();
        boolean descending = ascending;
        for (int i = 1; i < size && (ascending || descending); i++) {
            ascending &= keys[i - 1] <= keys[i];
            descending &= keys[i - 1] >= keys[i];
        }
        order.restrict(ascending, descending);
    }

    private static byte[] value(long key, ValueBlock block, int offset, int count, long[] keys)
    {
        for (int i = 0; i < count; i++) {
            if (keys[i] == key && !block.isNull(offset + i)) {
                return StoredValues.toBytes(block, offset + i);
            }
        }
        throw new IllegalStateException("no value has the key");
    }

    @Override
    public ColumnStatistics finish()
    {
        return finish(order.order(), Optional.ofNullable(min), Optional.ofNullable(max));
    }
}
