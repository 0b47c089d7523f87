package io.albis.format.filter;

/**
 * The one-long keys from {@code min} to {@code max}, both inclusive.
 */
record RangeKeySet(long min, long max)
        implements KeySet
{
    @Override
    public boolean contains(long high, long low)
    {
        return high >= min && high <= max;
    }

    @Override
    public int select(long[] high, long[] low, int count, int[] selected)
    {
        int size = 0;
        for (int i = 0; i < count; i++) {
            selected[size] = i;
            size += high[i] >= min && high[i] <= max ? 1 : 0;
        }
        return size;
    }

    @Override
    public long retainedSize()
    {
        return 2 * Long.BYTES;
    }
}
