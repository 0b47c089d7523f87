package io.albis.format.statistics;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StoredValues;
import io.trino.spi.block.ValueBlock;

import java.util.Optional;

import static io.airlift.slice.Slices.wrappedBuffer;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static io.albis.format.statistics.ValueOrder.DESCENDING;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.type.Chars.compareChars;

/**
 * Merges the statistics of the segments of a row group. Segments are appended in the order of their rows.
 */
public final class StatisticsMerger
{
    private final AlbisColumn column;
    private final OrderKeys orderKeys;

    private long nullCount;
    private boolean empty = true;
    private boolean minKnown = true;
    private boolean maxKnown = true;
    private byte[] min;
    private byte[] max;
    private byte[] lastMin;
    private byte[] lastMax;
    private boolean ascending = true;
    private boolean descending = true;

    public StatisticsMerger(AlbisColumn column)
    {
        this.column = column;
        this.orderKeys = OrderKeys.of(column.type());
    }

    /**
     * Appends the statistics of the next segment.
     *
     * @param rows number of rows of the segment
     */
    public void append(ColumnStatistics segment, long rows)
    {
        nullCount += segment.nullCount();
        if (segment.nullCount() == rows) {
            return;
        }
        minKnown &= segment.min().isPresent();
        maxKnown &= segment.max().isPresent();
        boolean bounded = segment.hasBothBounds();
        ascending &= bounded && (segment.order() == ASCENDING || segment.order() == CONSTANT);
        descending &= bounded && (segment.order() == DESCENDING || segment.order() == CONSTANT);
        if (!empty && bounded) {
            ascending = ascending && compare(lastMax, segment.min().get()) <= 0;
            descending = descending && compare(lastMin, segment.max().get()) >= 0;
        }
        if (minKnown && (min == null || compare(segment.min().get(), min) < 0)) {
            min = segment.min().get();
        }
        if (maxKnown && (max == null || compare(segment.max().get(), max) > 0)) {
            max = segment.max().get();
        }
        lastMin = segment.min().orElse(null);
        lastMax = segment.max().orElse(null);
        empty = false;
    }

    /**
     * Returns the statistics of the row group.
     */
    public ColumnStatistics finish()
    {
        return new ColumnStatistics(
                column.id(),
                nullCount,
                order(),
                minKnown ? Optional.ofNullable(min) : Optional.empty(),
                maxKnown ? Optional.ofNullable(max) : Optional.empty())
                .withBoundsType(column.type().getTypeId().getId());
    }

    private ValueOrder order()
    {
        return orderKeys.hasOrder() ? ValueOrder.of(ascending, descending) : UNORDERED;
    }

    private int compare(byte[] left, byte[] right)
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
