package io.albis.format.statistics;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;
import io.trino.spi.block.ValueBlock;

import java.util.Comparator;

import static io.airlift.slice.Slices.wrappedBuffer;
import static io.trino.spi.type.Chars.compareChars;

/**
 * Compares bounds of a column in the order of its values.
 */
public final class BoundComparator
        implements Comparator<byte[]>
{
    private final AlbisColumn column;
    private final OrderKeys orderKeys;

    public BoundComparator(AlbisColumn column)
    {
        this.column = column;
        this.orderKeys = OrderKeys.of(column.type());
    }

    /**
     * @throws IllegalArgumentException or IndexOutOfBoundsException if a bound is not valid for the type of the column
     */
    @Override
    public int compare(byte[] left, byte[] right)
    {
        return switch (orderKeys) {
            case BYTES, NONE -> wrappedBuffer(left).compareTo(wrappedBuffer(right));
            case CHAR -> compareChars(wrappedBuffer(left), wrappedBuffer(right));
            case INTEGRAL, REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES -> {
                long[] leftKey = key(left);
                long[] rightKey = key(right);
                yield OrderKeys.compare(leftKey[0], leftKey[1], rightKey[0], rightKey[1]);
            }
        };
    }

    private long[] key(byte[] bound)
    {
        ValueBlock block = StoredValues.toBlock(column.storageType(), bound);
        long[] high = new long[1];
        long[] low = new long[1];
        orderKeys.extract(block, 0, 1, high, low);
        return new long[] {high[0], low[0]};
    }
}
