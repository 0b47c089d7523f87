package io.albis.format.statistics;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What is known about the values of one column in a segment or a row group (Albis paper, section 3.2).
 *
 * @param columnId id of the column
 * @param nullCount how many rows have no value
 * @param order of the values within the segment or row group
 * @param min bytes of a value that none is less than, as they stand on storage; variable-width values may be cut
 *         short; empty if there is no value with an order or nothing is known. NaN is left out: bounds say nothing of it
 * @param max as min, with nothing greater; a variable-width value that was cut short is rounded up
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
