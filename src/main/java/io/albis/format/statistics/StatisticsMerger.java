package io.albis.format.statistics;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.OrderKeys;

import java.util.Optional;

import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.format.statistics.ValueOrder.CONSTANT;
import static io.albis.format.statistics.ValueOrder.DESCENDING;
import static io.albis.format.statistics.ValueOrder.UNORDERED;

/**
 * Merges the statistics of the segments of a row group. Segments are appended in the order of their rows.
 */
public final class StatisticsMerger
{
    private final AlbisColumn column;
    private final OrderKeys orderKeys;
    private final BoundComparator comparator;

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
        this.comparator = new BoundComparator(column);
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
            ascending = ascending && comparator.compare(lastMax, segment.min().get()) <= 0;
            descending = descending && comparator.compare(lastMin, segment.max().get()) >= 0;
        }
        if (minKnown && (min == null || comparator.compare(segment.min().get(), min) < 0)) {
            min = segment.min().get();
        }
        if (maxKnown && (max == null || comparator.compare(segment.max().get(), max) > 0)) {
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
}
