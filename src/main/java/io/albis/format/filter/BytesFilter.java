package io.albis.format.filter;

import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

/**
 * Filters variable-width values.
 */
record BytesFilter(BytesSet values, boolean selectNulls)
        implements ValueFilter
{
    @Override
    public int select(ValueBlock block, int count, int[] selected)
    {
        VariableWidthBlock bytes = (VariableWidthBlock) block;
        boolean nullable = bytes.mayHaveNull();
        int size = 0;
        for (int position = 0; position < count; position++) {
            boolean matches = nullable && bytes.isNull(position)
                    ? selectNulls
                    : values.contains(bytes.getRawSlice(), bytes.getRawSliceOffset(position), bytes.getSliceLength(position));
            selected[size] = position;
            size += matches ? 1 : 0;
        }
        return size;
    }

    @Override
    public boolean selectsNulls()
    {
        return selectNulls;
    }
}
