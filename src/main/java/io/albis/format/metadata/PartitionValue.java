package io.albis.format.metadata;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The value of a function of a column, which is the same for all rows of a row group.
 *
 * @param columnId id of the column
 * @param transform code of the function. Reading rows does not require the function, so any code is valid
 * @param parameter of the function; 0 if it has none
 * @param value bytes of the value, which are equal if and only if the values are; empty for null
 */
public record PartitionValue(int columnId, int transform, int parameter, Optional<byte[]> value)
{
    public PartitionValue
    {
        checkArgument(columnId > 0, "columnId is not positive: %s", columnId);
        checkArgument(transform >= 0 && transform <= 255, "transform is not a byte: %s", transform);
        checkArgument(parameter >= 0, "parameter is negative: %s", parameter);
        requireNonNull(value, "value is null");
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof PartitionValue other &&
                columnId == other.columnId &&
                transform == other.transform &&
                parameter == other.parameter &&
                Arrays.equals(value.orElse(null), other.value.orElse(null));
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(columnId, transform, parameter, Arrays.hashCode(value.orElse(null)));
    }
}
