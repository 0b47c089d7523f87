package io.albis.table.partition;

import io.airlift.slice.Slice;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static java.lang.Double.doubleToLongBits;
import static java.lang.Double.longBitsToDouble;
import static java.lang.Float.floatToIntBits;

/**
 * The bytes of the values of partitions. Values that are equal in SQL have the same bytes, and the bytes remain the
 * same if the column gets a wider type.
 */
public final class PartitionBytes
{
    private static final int FIXED12_SIZE = Long.BYTES + Integer.BYTES;

    private PartitionBytes() {}

    /**
     * Returns the function that appends the bytes of a value of a type.
     */
    static PartitionFunction writer(Type type)
    {
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> (block, position, output) -> output.writeLong(type.getBoolean(block, position) ? 1 : 0);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE, TIME -> (block, position, output) -> output.writeLong(type.getLong(block, position));
            case REAL -> (block, position, output) -> output.writeLong(canonicalBits(REAL.getFloat(block, position)));
            case DOUBLE -> (block, position, output) -> output.writeLong(canonicalBits(DOUBLE.getDouble(block, position)));
            case DECIMAL -> ((DecimalType) type).isShort() ?
                    (block, position, output) -> writeDecimal(Int128.valueOf(type.getLong(block, position)), output) :
                    (block, position, output) -> writeDecimal((Int128) type.getObject(block, position), output);
            case TIMESTAMP -> ((TimestampType) type).isShort() ?
                    (block, position, output) -> output.writeLong(type.getLong(block, position)) :
                    (block, position, output) -> {
                        LongTimestamp value = (LongTimestamp) type.getObject(block, position);
                        output.writeLong(value.getEpochMicros());
                        output.writeInt(value.getPicosOfMicro());
                    };
            // instants are equal regardless of their time zones
            case TIMESTAMP_WITH_TIME_ZONE -> ((TimestampWithTimeZoneType) type).isShort() ?
                    (block, position, output) -> output.writeLong(unpackMillisUtc(type.getLong(block, position))) :
                    (block, position, output) -> {
                        LongTimestampWithTimeZone value = (LongTimestampWithTimeZone) type.getObject(block, position);
                        output.writeLong(value.getEpochMillis());
                        output.writeInt(value.getPicosOfMilli());
                    };
            case CHAR, VARCHAR, VARBINARY, UUID, IPADDRESS -> (block, position, output) -> output.writeBytes(type.getSlice(block, position));
            case TIME_WITH_TIME_ZONE, JSON -> throw new IllegalArgumentException("rows cannot be partitioned by type " + type);
        };
    }

    /**
     * Returns the same bits for all values of NaN, and for 0 and -0.
     */
    static long canonicalBits(double value)
    {
        return doubleToLongBits(value == 0 ? 0 : value);
    }

    static void writeDecimal(Int128 value, SliceOutput output)
    {
        output.writeLong(value.getHigh());
        output.writeLong(value.getLow());
    }

    /**
     * Converts bytes to Trino's native value.
     *
     * @param type type of the values of the partition
     * @throws IllegalArgumentException if the bytes are not valid for the type
     */
    public static Object toNativeValue(Type type, byte[] bytes)
    {
        Slice slice = Slices.wrappedBuffer(bytes);
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> checkLength(slice, Long.BYTES).getLong(0) != 0;
            // The result of truncate can be less than the smallest value of the type, and then overflows
            case TINYINT -> (long) (byte) checkLength(slice, Long.BYTES).getLong(0);
            case SMALLINT -> (long) (short) checkLength(slice, Long.BYTES).getLong(0);
            case INTEGER, DATE -> (long) (int) checkLength(slice, Long.BYTES).getLong(0);
            case BIGINT, TIME -> checkLength(slice, Long.BYTES).getLong(0);
            case REAL -> (long) floatToIntBits((float) longBitsToDouble(checkLength(slice, Long.BYTES).getLong(0)));
            case DOUBLE -> longBitsToDouble(checkLength(slice, Long.BYTES).getLong(0));
            case DECIMAL -> {
                checkLength(slice, 2 * Long.BYTES);
                yield ((DecimalType) type).isShort() ? (Object) slice.getLong(Long.BYTES) : Int128.valueOf(slice.getLong(0), slice.getLong(Long.BYTES));
            }
            case TIMESTAMP -> ((TimestampType) type).isShort() ?
                    (Object) checkLength(slice, Long.BYTES).getLong(0) :
                    new LongTimestamp(checkLength(slice, FIXED12_SIZE).getLong(0), slice.getInt(Long.BYTES));
            case TIMESTAMP_WITH_TIME_ZONE -> ((TimestampWithTimeZoneType) type).isShort() ?
                    (Object) packDateTimeWithZone(checkLength(slice, Long.BYTES).getLong(0), UTC_KEY) :
                    LongTimestampWithTimeZone.fromEpochMillisAndFraction(checkLength(slice, FIXED12_SIZE).getLong(0), slice.getInt(Long.BYTES), UTC_KEY);
            case UUID, IPADDRESS -> checkLength(slice, 2 * Long.BYTES);
            case CHAR, VARCHAR, VARBINARY -> slice;
            case TIME_WITH_TIME_ZONE, JSON -> throw new IllegalArgumentException("rows cannot be partitioned by type " + type);
        };
    }

    /**
     * @throws IllegalArgumentException if the value has another length in bytes
     */
    static Slice checkLength(Slice bytes, int length)
    {
        checkArgument(bytes.length() == length, "it has %s bytes instead of %s", bytes.length(), length);
        return bytes;
    }
}
