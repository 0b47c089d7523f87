package io.albis.format.filter;

import io.trino.spi.block.ValueBlock;

/**
 * Selects the values that may match a test.
 */
record ValueTestFilter(TestedValues values)
        implements ValueFilter
{
    @Override
    public int select(ValueBlock block, int count, int[] selected)
    {
        int size = 0;
        for (int position = 0; position < count; position++) {
            selected[size] = position;
            size += values.mayMatch(block, position) ? 1 : 0;
        }
        return size;
    }

    @Override
    public boolean selectsNulls()
    {
        return values.mayMatch(null);
    }
}
