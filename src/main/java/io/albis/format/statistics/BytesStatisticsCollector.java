package io.albis.format.statistics;

import io.airlift.slice.Slice;
import io.albis.format.type.BytesBounds;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.util.Optional;

import static io.trino.spi.type.Chars.compareChars;

/**
 * For values that are compared byte by byte.
 */
final class BytesStatisticsCollector
        extends StatisticsCollector
{
    private final boolean padded;
    private final OrderTracker order = new OrderTracker();
    private Slice min;
    private Slice max;
    private Slice last;

    BytesStatisticsCollector(int columnId, OrderKeys orderKeys)
    {
        super(columnId);
        this.padded = orderKeys == OrderKeys.CHAR;
    }

    @Override
    protected void appendValues(ValueBlock block, int offset, int count)
    {
        VariableWidthBlock values = (VariableWidthBlock) block;
        boolean nullable = values.mayHaveNull();
        for (int position = offset; position < offset + count; position++) {
            if (nullable && values.isNull(position)) {
                continue;
            }
            Slice value = values.getSlice(position);
            if (min == null) {
                min = value.copy();
                max = min;
                last = value;
                continue;
            }
            if (order.isOpen()) {
                order.next(compare(value, last));
                last = value;
            }
            if (compare(value, min) < 0) {
                min = value.copy();
            }
            else if (compare(value, max) > 0) {
                max = value.copy();
            }
        }
        // the page of the last value is not to outlive this call
        if (last != null) {
            last = order.isOpen() ? last.copy() : null;
        }
    }

    private int compare(Slice left, Slice right)
    {
        return padded ? compareChars(left, right) : left.compareTo(right);
    }

    @Override
    public ColumnStatistics finish()
    {
        if (min == null) {
            return finish(order.order(), Optional.empty(), Optional.empty());
        }
        if (padded) {
            return finish(order.order(), BytesBounds.exact(min), BytesBounds.exact(max));
        }
        return finish(order.order(), Optional.of(BytesBounds.lower(min)), BytesBounds.upper(max));
    }
}
