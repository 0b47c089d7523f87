package io.albis.format.filter;

import io.albis.format.type.OrderKeys;
import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.SortedRangeSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

import java.util.Arrays;

import static io.albis.format.type.FlatBlocks.flat;

/**
 * Converts ranges of values to ranges of order keys. Keys are discrete, so all ranges are closed. The keys are
 * extracted in bulk, because a dynamic filter has tens of thousands of values and is converted again for each split.
 */
final class KeySetBuilder
{
    // With fewer keys, a binary search in ranges is as fast as a hash lookup.
    private static final int MIN_HASHED_KEYS = 8;

    private final boolean wide;
    // the largest key below the key of NaN for floating-point types, so that no range contains NaN
    private final long greatestHigh;
    private final long leastLow;
    private final long greatestLow;
    // first and last keys of the ranges that were added
    private final long[] minHigh;
    private final long[] minLow;
    private final long[] maxHigh;
    private final long[] maxLow;
    private int size;
    private boolean singles = true;

    private KeySetBuilder(OrderKeys orderKeys, int ranges)
    {
        this.wide = orderKeys.isWide();
        this.greatestHigh = orderKeys.isFloatingPoint() ? OrderKeys.NAN - 1 : Long.MAX_VALUE;
        this.leastLow = wide ? Long.MIN_VALUE : 0;
        this.greatestLow = wide ? Long.MAX_VALUE : 0;
        this.minHigh = new long[ranges];
        this.minLow = new long[ranges];
        this.maxHigh = new long[ranges];
        this.maxLow = new long[ranges];
    }

    static KeySet toKeySet(OrderKeys orderKeys, SortedRangeSet values)
    {
        // the bounds of the ranges in order, low bound before high bound; null for an unbounded end
        Block sortedRanges = values.getSortedRanges();
        ValueBlock bounds = flat(sortedRanges, 0, sortedRanges.getPositionCount());
        boolean[] inclusive = values.getInclusive();
        long[] high = new long[inclusive.length];
        long[] low = new long[inclusive.length];
        orderKeys.extract(bounds, 0, inclusive.length, high, low);
        KeySetBuilder ranges = new KeySetBuilder(orderKeys, inclusive.length / 2);
        for (int min = 0; min < inclusive.length; min += 2) {
            int max = min + 1;
            ranges.add(
                    bounds.isNull(min),
                    high[min],
                    low[min],
                    inclusive[min],
                    bounds.isNull(max),
                    high[max],
                    low[max],
                    inclusive[max]);
        }
        return ranges.build();
    }

    private void add(
            boolean minUnbounded,
            long firstHigh,
            long firstLow,
            boolean firstInclusive,
            boolean maxUnbounded,
            long lastHigh,
            long lastLow,
            boolean lastInclusive)
    {
        minHigh[size] = minUnbounded ? Long.MIN_VALUE : firstHigh;
        minLow[size] = minUnbounded ? leastLow : firstLow;
        maxHigh[size] = maxUnbounded ? greatestHigh : lastHigh;
        maxLow[size] = maxUnbounded ? greatestLow : lastLow;
        if (!minUnbounded && !firstInclusive && !moveMinUp()) {
            return;
        }
        if (!maxUnbounded && !lastInclusive && !moveMaxDown()) {
            return;
        }
        int comparison = OrderKeys.compare(minHigh[size], minLow[size], maxHigh[size], maxLow[size]);
        if (comparison > 0) {
            return;
        }
        singles &= comparison == 0;
        size++;
    }

    /**
     * Makes an exclusive low bound inclusive.
     *
     * @return false if there is no greater key
     */
    private boolean moveMinUp()
    {
        if (minHigh[size] == greatestHigh && minLow[size] == greatestLow) {
            return false;
        }
        if (wide && minLow[size] != Long.MAX_VALUE) {
            minLow[size]++;
        }
        else {
            minHigh[size]++;
            minLow[size] = leastLow;
        }
        return true;
    }

    /**
     * Makes an exclusive high bound inclusive.
     *
     * @return false if there is no smaller key
     */
    private boolean moveMaxDown()
    {
        if (maxHigh[size] == Long.MIN_VALUE && maxLow[size] == leastLow) {
            return false;
        }
        if (wide && maxLow[size] != Long.MIN_VALUE) {
            maxLow[size]--;
        }
        else {
            maxHigh[size]--;
            maxLow[size] = greatestLow;
        }
        return true;
    }

    private KeySet build()
    {
        if (size == 1 && !wide) {
            return new SingleRangeKeySet(minHigh[0], maxHigh[0]);
        }
        if (singles && wide && size >= MIN_HASHED_KEYS) {
            return new WideHashKeySet(copy(minHigh), copy(minLow));
        }
        if (singles && !wide && size > 1) {
            if (BitmapKeySet.isSmaller(minHigh[0], minHigh[size - 1], size)) {
                return BitmapKeySet.of(minHigh, size);
            }
            if (size >= MIN_HASHED_KEYS) {
                return new HashKeySet(new LongOpenHashSet(minHigh, 0, size));
            }
        }
        return new MultiRangeKeySet(copy(minHigh), copy(minLow), copy(maxHigh), copy(maxLow));
    }

    private long[] copy(long[] keys)
    {
        return Arrays.copyOf(keys, size);
    }
}
