package io.albis.format.filter;

import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Filters values by their {@link OrderKeys}. Not thread safe: it keeps the arrays that keys are extracted to.
 */
final class KeyFilter
        implements ValueFilter
{
    private final OrderKeys orderKeys;
    private final KeySet keys;
    private final boolean selectNulls;
    private long[] high = new long[0];
    private long[] low = new long[0];

    KeyFilter(OrderKeys orderKeys, KeySet keys, boolean selectNulls)
    {
        checkArgument(orderKeys.hasKeys(), "%s has no keys", orderKeys);
        this.orderKeys = orderKeys;
        this.keys = keys;
        this.selectNulls = selectNulls;
    }

    @Override
    public int select(ValueBlock block, int count, int[] selected)
    {
        if (high.length < count) {
            high = new long[count];
            low = new long[orderKeys.isWide() ? count : 0];
        }
        orderKeys.extract(block, 0, count, high, low);
        if (!block.mayHaveNull()) {
            return keys.select(high, low, count, selected);
        }
        int size = 0;
        for (int position = 0; position < count; position++) {
            boolean matches = block.isNull(position) ? selectNulls : keys.contains(high[position], orderKeys.isWide() ? low[position] : 0);
            selected[size] = position;
            size += matches ? 1 : 0;
        }
        return size;
    }
}
