package io.albis.format.filter;

import io.trino.spi.block.ValueBlock;

/**
 * Filters by IS NULL or IS NOT NULL.
 */
record NullFilter(boolean selectNulls, boolean selectValues)
        implements ValueFilter
{
    @Override
    public int select(ValueBlock block, int count, int[] selected)
    {
        int size = 0;
        for (int position = 0; position < count; position++) {
            selected[size] = position;
            size += (block.isNull(position) ? selectNulls : selectValues) ? 1 : 0;
        }
        return size;
    }

    @Override
    public boolean selectsNulls()
    {
        return selectNulls;
    }

    @Override
    public boolean testsNulls()
    {
        return selectNulls != selectValues;
    }
}
