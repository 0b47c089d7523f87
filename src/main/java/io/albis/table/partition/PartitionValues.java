package io.albis.table.partition;

import io.airlift.slice.Slice;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.format.type.ScalarType;
import io.albis.table.model.PartitionField;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.io.UncheckedIOException;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.Slices.wrappedBuffer;
import static io.albis.format.io.AlbisDataException.damaged;
import static io.albis.table.partition.PartitionBytes.canonicalBits;
import static io.albis.table.partition.PartitionBytes.checkLength;
import static io.albis.table.partition.PartitionBytes.toNativeValue;
import static io.trino.spi.type.Timestamps.PICOSECONDS_PER_DAY;
import static java.lang.Double.longBitsToDouble;

/**
 * Checks the values of partitions before they decide about rows. A manifest does not know the types of the columns, so
 * reading it does not find values that no row can have. Without the check, such a value would exclude all rows of the
 * row group.
 */
public final class PartitionValues
{
    private PartitionValues() {}

    /**
     * Checks a value of the partition of a row group, which is not null.
     *
     * @param type type of the column
     * @throws UncheckedIOException with an {@link AlbisDataException} as its cause if no row can have the value
     */
    public static void check(RowGroup rowGroup, PartitionField field, Type type, byte[] value)
    {
        try {
            check(field, type, value);
        }
        catch (IllegalArgumentException e) {
            AlbisDataException damaged = damaged(
                    "Damaged Albis table: the partition of row group %s has a value of %s of column %s that is not valid for type %s: %s",
                    rowGroup.id(),
                    field.transform().label(),
                    field.columnId(),
                    type.getDisplayName(),
                    e.getMessage());
            damaged.initCause(e);
            throw new UncheckedIOException(damaged);
        }
    }

    /**
     * Checks a value of a function, which is not null.
     *
     * @param type type of the column
     * @throws IllegalArgumentException if no row can have the value
     */
    public static void check(PartitionField field, Type type, byte[] value)
    {
        Slice bytes = wrappedBuffer(value);
        switch (field.transform()) {
            case IDENTITY -> checkValue(type, value, bytes);
            case YEAR, MONTH, DAY -> checkRange(bytes, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case HOUR -> checkLength(bytes, Long.BYTES);
            case BUCKET -> {
                long bucket = checkLength(bytes, Long.BYTES).getLong(0);
                checkArgument(bucket >= 0 && bucket < field.parameter(), "it is bucket %s of %s", bucket, field.parameter());
            }
            // The result can be less than the smallest value of the type
            case TRUNCATE -> toNativeValue(type, value);
        }
    }

    private static void checkValue(Type type, byte[] value, Slice bytes)
    {
        switch (ScalarType.of(type)) {
            case BOOLEAN -> checkRange(bytes, 0, 1);
            case TINYINT -> checkRange(bytes, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> checkRange(bytes, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER, DATE -> checkRange(bytes, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case TIME -> checkRange(bytes, 0, PICOSECONDS_PER_DAY - 1);
            case REAL -> {
                double number = checkNumber(bytes);
                checkArgument(Double.compare((float) number, number) == 0, "it is %s", number);
            }
            case DOUBLE -> checkNumber(bytes);
            case DECIMAL -> {
                Int128 unscaled = Int128.valueOf(checkLength(bytes, 2 * Long.BYTES).getLong(0), bytes.getLong(Long.BYTES));
                checkArgument(!((DecimalType) type).isShort() || unscaled.equals(Int128.valueOf(unscaled.getLow())), "its unscaled value is %s", unscaled);
            }
            case CHAR -> checkArgument(bytes.length() == 0 || bytes.getByte(bytes.length() - 1) != ' ', "it ends with padding");
            case BIGINT, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, VARCHAR, VARBINARY, UUID, IPADDRESS -> toNativeValue(type, value);
            case TIME_WITH_TIME_ZONE, JSON -> throw new IllegalArgumentException("rows cannot be partitioned by this type");
        }
    }

    private static void checkRange(Slice bytes, long min, long max)
    {
        long number = checkLength(bytes, Long.BYTES).getLong(0);
        checkArgument(number >= min && number <= max, "it is %s", number);
    }

    private static double checkNumber(Slice bytes)
    {
        long bits = checkLength(bytes, Long.BYTES).getLong(0);
        double number = longBitsToDouble(bits);
        checkArgument(canonicalBits(number) == bits, "%s has the bits %s", number, Long.toHexString(bits));
        return number;
    }
}
