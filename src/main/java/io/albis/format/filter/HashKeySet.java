package io.albis.format.filter;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

import static io.airlift.slice.SizeOf.sizeOfLongArray;
import static it.unimi.dsi.fastutil.Hash.DEFAULT_LOAD_FACTOR;
import static it.unimi.dsi.fastutil.HashCommon.arraySize;

/**
 * A hash set of one-long keys.
 */
record HashKeySet(LongOpenHashSet keys)
        implements KeySet
{
    @Override
    public boolean contains(long high, long low)
    {
        return keys.contains(high);
    }

    @Override
    public int select(long[] high, long[] low, int count, int[] selected)
    {
        int size = 0;
        for (int i = 0; i < count; i++) {
            selected[size] = i;
            size += keys.contains(high[i]) ? 1 : 0;
        }
        return size;
    }

    @Override
    public long retainedSize()
    {
        return sizeOfLongArray(arraySize(keys.size(), DEFAULT_LOAD_FACTOR) + 1);
    }
}
