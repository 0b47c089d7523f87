package io.albis.format.filter;

import io.albis.format.type.OrderKeys;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

import java.util.Arrays;
import java.util.List;

/**
 * Ranges of values as ranges of order keys. Keys are discrete, so every range is closed.
 */
final class KeySets
{
    // Below this a search in ranges is as fast as a hash
    private static final int MIN_HASHED_KEYS = 8;

    private KeySets() {}

    static KeySet of(OrderKeys orderKeys, Type type, ValueSet values)
    {
        List<Range> ranges = values.getRanges().getOrderedRanges();
        // A key below that of NaN, so that no range contains it
        long greatestHigh = orderKeys.isFloatingPoint() ? OrderKeys.NAN - 1 : Long.MAX_VALUE;
        long leastLow = orderKeys.isWide() ? Long.MIN_VALUE : 0;
        long greatestLow = orderKeys.isWide() ? Long.MAX_VALUE : 0;
        long[] minHigh = new long[ranges.size()];
        long[] minLow = new long[ranges.size()];
        long[] maxHigh = new long[ranges.size()];
        long[] maxLow = new long[ranges.size()];
        boolean singles = true;
        int size = 0;
        for (Range range : ranges) {
            Key min = range.isLowUnbounded() ? new Key(Long.MIN_VALUE, leastLow) : Key.of(orderKeys, type, range.getLowBoundedValue());
            Key max = range.isHighUnbounded() ? new Key(greatestHigh, greatestLow) : Key.of(orderKeys, type, range.getHighBoundedValue());
            if (!range.isLowUnbounded() && !range.isLowInclusive()) {
                if (min.equals(new Key(greatestHigh, greatestLow))) {
                    continue;
                }
                min = min.next(orderKeys.isWide());
            }
            if (!range.isHighUnbounded() && !range.isHighInclusive()) {
                if (max.equals(new Key(Long.MIN_VALUE, leastLow))) {
                    continue;
                }
                max = max.previous(orderKeys.isWide());
            }
            if (OrderKeys.compare(min.high(), min.low(), max.high(), max.low()) > 0) {
                continue;
            }
            singles &= min.equals(max);
            minHigh[size] = min.high();
            minLow[size] = min.low();
            maxHigh[size] = max.high();
            maxLow[size] = max.low();
            size++;
        }
        if (size == 1 && !orderKeys.isWide()) {
            return new RangeKeySet(minHigh[0], maxHigh[0]);
        }
        if (singles && !orderKeys.isWide() && size > 1 && BitmapKeySet.pays(minHigh[0], minHigh[size - 1], size)) {
            return BitmapKeySet.of(minHigh, size);
        }
        if (singles && !orderKeys.isWide() && size >= MIN_HASHED_KEYS) {
            return new HashKeySet(new LongOpenHashSet(minHigh, 0, size));
        }
        return new RangesKeySet(copy(minHigh, size), copy(minLow, size), copy(maxHigh, size), copy(maxLow, size));
    }

    private static long[] copy(long[] values, int size)
    {
        return Arrays.copyOf(values, size);
    }

    private record Key(long high, long low)
    {
        static Key of(OrderKeys orderKeys, Type type, Object value)
        {
            long[] high = new long[1];
            long[] low = new long[1];
            orderKeys.extract(TypeUtils.writeNativeValue(type, value), 0, 1, high, low);
            return new Key(high[0], low[0]);
        }

        Key next(boolean wide)
        {
            if (!wide) {
                return new Key(high + 1, low);
            }
            return low == Long.MAX_VALUE ? new Key(high + 1, Long.MIN_VALUE) : new Key(high, low + 1);
        }

        Key previous(boolean wide)
        {
            if (!wide) {
                return new Key(high - 1, low);
            }
            return low == Long.MIN_VALUE ? new Key(high - 1, Long.MAX_VALUE) : new Key(high, low - 1);
        }
    }
}
