package io.albis.table.partition;

import io.airlift.slice.Slice;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.math.BigInteger;

import static io.airlift.slice.SliceUtf8.offsetOfCodePoint;
import static io.trino.spi.type.Chars.trimTrailingSpaces;
import static java.lang.Math.floorMod;
import static java.lang.Math.min;

/**
 * The function {@code truncate}: the greatest multiple of a width that is not greater than a number, or the first
 * characters or bytes of a text.
 */
final class TruncateFunction
{
    private TruncateFunction() {}

    static PartitionFunction of(Type type, int width)
    {
        return switch (ScalarType.of(type)) {
            // as in Iceberg, the multiple overflows if the type has no such value
            case TINYINT, SMALLINT, INTEGER, BIGINT -> (block, position, output) -> {
                long value = type.getLong(block, position);
                output.writeLong(value - floorMod(value, width));
            };
            case DECIMAL -> decimal((DecimalType) type, width);
            // spaces at the end of a char value are padding, which the engine leaves out
            case CHAR -> (block, position, output) -> output.writeBytes(trimTrailingSpaces(codePoints(type.getSlice(block, position), width)));
            case VARCHAR -> (block, position, output) -> output.writeBytes(codePoints(type.getSlice(block, position), width));
            case VARBINARY -> (block, position, output) -> {
                Slice value = type.getSlice(block, position);
                output.writeBytes(value, 0, min(width, value.length()));
            };
            case BOOLEAN, REAL, DOUBLE, DATE, TIME, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, UUID, JSON, IPADDRESS -> throw new IllegalArgumentException("values of type %s cannot be truncated".formatted(type));
        };
    }

    private static PartitionFunction decimal(DecimalType type, int width)
    {
        if (type.isShort()) {
            return (block, position, output) -> {
                long value = type.getLong(block, position);
                PartitionBytes.writeDecimal(Int128.valueOf(value - floorMod(value, width)), output);
            };
        }
        BigInteger divisor = BigInteger.valueOf(width);
        return (block, position, output) -> {
            BigInteger value = ((Int128) type.getObject(block, position)).toBigInteger();
            PartitionBytes.writeDecimal(Int128.valueOf(value.subtract(value.mod(divisor))), output);
        };
    }

    private static Slice codePoints(Slice text, int count)
    {
        if (text.length() <= count) {
            return text;
        }
        int end = offsetOfCodePoint(text, count);
        return end < 0 ? text : text.slice(0, end);
    }
}
