package io.albis.format.statistics;

import io.airlift.slice.Slice;
import io.albis.format.type.BytesBounds;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.util.Optional;

import static io.trino.spi.type.Chars.compareChars;

/**
 * Collects statistics of values that are compared byte by byte.
 */
final class BytesStatisticsCollector
        extends StatisticsCollector
{
    // The bounds depend only on this many leading bytes of a value, because a bound is truncated and the collector only
    // has to know whether it was. This does not apply to CHAR, which compares as if padded with spaces. CHAR values
    // have at most 65,536 characters.
    private static final int KEPT_BYTES = BytesBounds.MAX_LENGTH + 1;

    private final boolean padded;
    private final OrderTracker order = new OrderTracker();
    // values truncated to the bytes that the bounds depend on
    private Slice min;
    private Slice max;
    // Refers to the current page until the page is released. Null if the values are not ordered.
    private Slice last;

    BytesStatisticsCollector(int columnId, OrderKeys orderKeys)
    {
        super(columnId);
        this.padded = orderKeys.isPadded();
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
            int kept = padded ? value.length() : Math.min(value.length(), KEPT_BYTES);
            if (min == null) {
                min = value.copy(0, kept);
                max = min;
                last = value;
                continue;
            }
            if (order.isOpen()) {
                order.next(compare(value, value.length(), last));
                last = value;
            }
            if (compare(value, kept, min) < 0) {
                min = value.copy(0, kept);
            }
            else if (compare(value, kept, max) > 0) {
                max = value.copy(0, kept);
            }
        }
        if (!order.isOpen()) {
            last = null;
        }
    }

    @Override
    public void releasePage()
    {
        if (last != null) {
            last = last.copy();
        }
    }

    /**
     * Compares values in the order of the type.
     *
     * @param length number of bytes of the left value to compare; ignored for padded values
     */
    private int compare(Slice left, int length, Slice right)
    {
        return padded ? compareChars(left, right) : left.compareTo(0, length, right, 0, right.length());
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
