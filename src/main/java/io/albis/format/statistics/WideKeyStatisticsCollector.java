package io.albis.format.statistics;

import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;
import io.trino.spi.block.ValueBlock;

import java.util.Optional;

/**
 * Collects statistics of values with an order key of two longs. The bounds are the values with the smallest and the
 * largest key.
 */
final class WideKeyStatisticsCollector
        extends StatisticsCollector
{
    private final OrderKeys orderKeys;
    private final KeyScratch scratch;
    private final OrderTracker order = new OrderTracker();

    private boolean empty = true;
    private long minHigh;
    private long minLow;
    private long maxHigh;
    private long maxLow;
    private long lastHigh;
    private long lastLow;
    private byte[] min;
    private byte[] max;

    WideKeyStatisticsCollector(int columnId, OrderKeys orderKeys, KeyScratch scratch)
    {
        super(columnId);
        this.orderKeys = orderKeys;
        this.scratch = scratch;
    }

    @Override
    protected void appendValues(ValueBlock block, int offset, int count)
    {
        long[] high = scratch.high();
        long[] low = scratch.low();
        orderKeys.extract(block, offset, count, high, low);
        boolean nullable = block.mayHaveNull();
        int minPosition = -1;
        int maxPosition = -1;
        for (int i = 0; i < count; i++) {
            if (nullable && block.isNull(offset + i)) {
                continue;
            }
            long keyHigh = high[i];
            long keyLow = low[i];
            if (empty) {
                empty = false;
                minHigh = keyHigh;
                minLow = keyLow;
                maxHigh = keyHigh;
                maxLow = keyLow;
                lastHigh = keyHigh;
                lastLow = keyLow;
                minPosition = offset + i;
                maxPosition = offset + i;
                continue;
            }
            order.next(OrderKeys.compare(keyHigh, keyLow, lastHigh, lastLow));
            lastHigh = keyHigh;
            lastLow = keyLow;
            if (OrderKeys.compare(keyHigh, keyLow, minHigh, minLow) < 0) {
                minHigh = keyHigh;
                minLow = keyLow;
                minPosition = offset + i;
            }
            else if (OrderKeys.compare(keyHigh, keyLow, maxHigh, maxLow) > 0) {
                maxHigh = keyHigh;
                maxLow = keyLow;
                maxPosition = offset + i;
            }
        }
        if (minPosition >= 0) {
            min = StoredValues.toBytes(block, minPosition);
        }
        if (maxPosition >= 0) {
            max = StoredValues.toBytes(block, maxPosition);
        }
    }

    @Override
    public ColumnStatistics finish()
    {
        return finish(order.order(), Optional.ofNullable(min), Optional.ofNullable(max));
    }
}
