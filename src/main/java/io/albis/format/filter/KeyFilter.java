package io.albis.format.filter;

import io.albis.format.layout.block.IntegerRun;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.sizeOf;

/**
 * Filters values by their {@link OrderKeys}. Not thread safe, because it reuses the arrays into which it extracts keys.
 */
final class KeyFilter
        implements ValueFilter
{
    private final OrderKeys orderKeys;
    private final KeySet keys;
    private final boolean selectNulls;
    private long[] high = new long[0];
    private long[] low = new long[0];
    private int[] selected = new int[0];

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

    @Override
    public boolean selectsNulls()
    {
        return selectNulls;
    }

    @Override
    public boolean takesIntegers()
    {
        return orderKeys.isIntegral();
    }

    @Override
    public int selectIntegers(IntegerRun run, int[] rows, int count)
    {
        if (keys.supports(run) && !(selectNulls && run.hasNulls())) {
            return keys.select(run, rows, count);
        }
        if (high.length < count) {
            high = new long[count];
        }
        run.read(rows, count, high);
        if (!run.hasNulls()) {
            int size = keys.select(high, low, count, selected(count));
            for (int i = 0; i < size; i++) {
                rows[i] = rows[selected[i]];
            }
            return size;
        }
        int size = 0;
        for (int i = 0; i < count; i++) {
            int row = rows[i];
            boolean matches = run.isValid(row) ? keys.contains(high[i], 0) : selectNulls;
            rows[size] = row;
            size += matches ? 1 : 0;
        }
        return size;
    }

    private int[] selected(int count)
    {
        if (selected.length < count) {
            selected = new int[count];
        }
        return selected;
    }

    @Override
    public long retainedSize()
    {
        return sizeOf(high) + sizeOf(low) + sizeOf(selected);
    }
}
