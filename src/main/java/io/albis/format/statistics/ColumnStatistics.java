package io.albis.format.statistics;

import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
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
     * Returns these statistics without bounds if the bounds were written with another type than {@code type}.
     */
    public ColumnStatistics forType(Type type)
    {
        return boundsType.isEmpty() || boundsType.get().equals(type.getTypeId().getId()) ? this : withoutBounds();
    }
}
