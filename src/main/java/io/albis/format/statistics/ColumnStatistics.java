package io.albis.format.statistics;

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
 */
public record ColumnStatistics(int columnId, long nullCount, ValueOrder order, Optional<byte[]> min, Optional<byte[]> max)
{
    public ColumnStatistics
    {
        checkArgument(nullCount >= 0, "nullCount is negative: %s", nullCount);
        requireNonNull(order, "order is null");
        requireNonNull(min, "min is null");
        requireNonNull(max, "max is null");
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof ColumnStatistics other &&
                columnId == other.columnId &&
                nullCount == other.nullCount &&
                order == other.order &&
                Arrays.equals(min.orElse(null), other.min.orElse(null)) &&
                Arrays.equals(max.orElse(null), other.max.orElse(null));
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(columnId, nullCount, order, Arrays.hashCode(min.orElse(null)), Arrays.hashCode(max.orElse(null)));
    }
}
