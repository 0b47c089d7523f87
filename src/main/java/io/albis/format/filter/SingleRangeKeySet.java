package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;

/**
 * The one-long keys from {@code min} to {@code max}, both inclusive.
 */
record SingleRangeKeySet(long min, long max)
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
    public boolean supports(IntegerRun run)
    {
        return run.isNarrow();
    }

    @Override
    public int select(IntegerRun run, int[] rows, int count)
    {
        return run.selectRange(min, max, rows, count);
    }

    @Override
    public long retainedSize()
    {
        return 2 * Long.BYTES;
    }
}
