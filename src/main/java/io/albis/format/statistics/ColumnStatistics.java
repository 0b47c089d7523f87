package io.albis.format.statistics;

import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.Widening;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static java.util.Objects.requireNonNull;

/**
 * Statistics about the values of one column in a segment or a row group (Albis paper, section 3.2).
 *
 * @param columnId id of the column
 * @param nullCount number of rows in which the column is null
 * @param order order of the non-null values
 * @param min lower bound of the values in the representation of the storage; empty if there is no bound. Bounds of
 *         variable-width values may be truncated. Bounds do not cover NaN
 * @param max upper bound of the values, in the same form as min. A truncated variable-width bound is rounded up
 * @param boundsType id of the type with which the bounds were written; empty if it is the type of the column, or if
 *         there are no bounds
 */
public record ColumnStatistics(int columnId, long nullCount, ValueOrder order, Optional<byte[]> min, Optional<byte[]> max, Optional<String> boundsType)
{
    public ColumnStatistics(int columnId, long nullCount, ValueOrder order, Optional<byte[]> min, Optional<byte[]> max)
    {
        this(columnId, nullCount, order, min, max, Optional.empty());
    }

    public ColumnStatistics
    {
        checkArgument(nullCount >= 0, "nullCount is negative: %s", nullCount);
        requireNonNull(order, "order is null");
        requireNonNull(min, "min is null");
        requireNonNull(max, "max is null");
        requireNonNull(boundsType, "boundsType is null");
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof ColumnStatistics other &&
                columnId == other.columnId &&
                nullCount == other.nullCount &&
                order == other.order &&
                Arrays.equals(min.orElse(null), other.min.orElse(null)) &&
                Arrays.equals(max.orElse(null), other.max.orElse(null)) &&
                boundsType.equals(other.boundsType);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(columnId, nullCount, order, Arrays.hashCode(min.orElse(null)), Arrays.hashCode(max.orElse(null)), boundsType);
    }

    public boolean hasBounds()
    {
        return min.isPresent() || max.isPresent();
    }

    public boolean hasBothBounds()
    {
        return min.isPresent() && max.isPresent();
    }

    /**
     * Returns these statistics with the type of their bounds.
     */
    public ColumnStatistics withBoundsType(String typeId)
    {
        return new ColumnStatistics(columnId, nullCount, order, min, max, hasBounds() ? Optional.of(typeId) : Optional.empty());
    }

    public ColumnStatistics withoutBounds()
    {
        return new ColumnStatistics(columnId, nullCount, order, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns these statistics with bounds of a type. If the bounds were written with a narrower type, they are
     * converted. Bounds of any other type, and those that are not valid for their type, are omitted.
     */
    public ColumnStatistics forType(Type type)
    {
        if (boundsType.isEmpty() || boundsType.get().equals(type.getTypeId().getId())) {
            return this;
        }
        Optional<Widening> widening = Widening.find(boundsType.get(), type);
        if (widening.isEmpty()) {
            return withoutBounds();
        }
        try {
            return widen(widening.get()).withBoundsType(type.getTypeId().getId());
        }
        catch (IllegalArgumentException _) {
            return withoutBounds();
        }
    }

    /**
     * Returns these statistics with converted bounds.
     *
     * @throws IllegalArgumentException if the bounds are not valid for the narrower type
     */
    public ColumnStatistics widen(Widening widening)
    {
        return new ColumnStatistics(columnId, nullCount, order, min.map(widening::widen), max.map(widening::widen), boundsType);
    }

    /**
     * Returns the statistics of a column in a row group that does not store it.
     */
    public static ColumnStatistics ofMissing(AlbisColumn column, long rows)
    {
        if (column.initial().isEmpty()) {
            return new ColumnStatistics(column.id(), rows, UNORDERED, Optional.empty(), Optional.empty());
        }
        StatisticsCollector collector = StatisticsCollector.create(column, new KeyScratch(new long[1], new long[1]));
        collector.append(column.initial().get().toBlock(column.type()), 0, 1);
        ColumnStatistics value = collector.finish();
        return new ColumnStatistics(column.id(), 0, UNORDERED, value.min(), value.max()).withBoundsType(column.type().getTypeId().getId());
    }
}
