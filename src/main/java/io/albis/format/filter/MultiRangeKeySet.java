package io.albis.format.filter;

import io.albis.format.type.OrderKeys;

import static io.airlift.slice.SizeOf.sizeOf;

/**
 * A set of keys in one or more ranges, which are found by binary search.
 *
 * @param minHigh first longs of the lowest keys of the ranges; ranges are ascending and do not overlap
 * @param minLow second longs of the lowest keys; zeros for keys of one long
 * @param maxHigh first longs of the highest keys of the ranges
 * @param maxLow second longs of the highest keys; zeros for keys of one long
 */
record MultiRangeKeySet(long[] minHigh, long[] minLow, long[] maxHigh, long[] maxLow)
        implements KeySet
{
    @Override
    public boolean contains(long high, long low)
    {
        int begin = 0;
        int end = minHigh.length;
        while (begin < end) {
            int middle = (begin + end) >>> 1;
            if (OrderKeys.compare(minHigh[middle], minLow[middle], high, low) <= 0) {
                begin = middle + 1;
            }
            else {
                end = middle;
            }
        }
        return begin > 0 && OrderKeys.compare(high, low, maxHigh[begin - 1], maxLow[begin - 1]) <= 0;
    }

    @Override
    public int select(long[] high, long[] low, int count, int[] selected)
    {
        int size = 0;
        boolean wide = low.length > 0;
        for (int i = 0; i < count; i++) {
            selected[size] = i;
            size += contains(high[i], wide ? low[i] : 0) ? 1 : 0;
        }
        return size;
    }

    @Override
    public long retainedSize()
    {
        return sizeOf(minHigh) + sizeOf(minLow) + sizeOf(maxHigh) + sizeOf(maxLow);
    }
}
