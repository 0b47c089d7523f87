package io.albis.trino.differential;

import com.google.common.base.Strings;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.type.ScalarType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimeWithTimeZone;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimeWithTimeZoneType;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.packTimeWithTimeZone;
import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;

/**
 * Numbers the values of a type in their order, so that tests can create values at any distance from each other.
 */
final class NumberedValues
{
    private static final long SECONDS_PER_DAY = 86_400;
    private static final int MAX_PRECISION = 12;
    // The years 69 to 3871
    private static final long MAX_EPOCH_SECONDS = 60_000_000_000L;
    private static final int ZONE_MINUTES = 90;
    private static final TimeZoneKey ZONE = TimeZoneKey.getTimeZoneKeyForOffset(ZONE_MINUTES);

    private NumberedValues() {}

    /**
     * Returns the smallest number that has a value.
     */
    static long min(Type type)
    {
        return switch (ScalarType.of(type)) {
            case TINYINT -> Byte.MIN_VALUE;
            case SMALLINT -> Short.MIN_VALUE;
            case INTEGER, DATE -> Integer.MIN_VALUE;
            case BIGINT, JSON -> Long.MIN_VALUE;
            case REAL, DOUBLE, DECIMAL, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE -> -max(type);
            case BOOLEAN, TIME, TIME_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, IPADDRESS -> 0;
        };
    }

    /**
     * Returns the largest number that has a value.
     */
    static long max(Type type)
    {
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> 1;
            case TINYINT -> Byte.MAX_VALUE;
            case SMALLINT -> Short.MAX_VALUE;
            case INTEGER, DATE -> Integer.MAX_VALUE;
            case REAL -> 1 << 24;
            case DOUBLE -> 1L << 53;
            case DECIMAL -> nines(((DecimalType) type).getPrecision());
            case TIME -> SECONDS_PER_DAY * Decimals.longTenToNth(((TimeType) type).getPrecision()) - 1;
            case TIME_WITH_TIME_ZONE -> SECONDS_PER_DAY * Decimals.longTenToNth(((TimeWithTimeZoneType) type).getPrecision()) - 1;
            case TIMESTAMP -> epochUnits(((TimestampType) type).getPrecision());
            case TIMESTAMP_WITH_TIME_ZONE -> epochUnits(((TimestampWithTimeZoneType) type).getPrecision());
            case CHAR -> nines(((CharType) type).getLength());
            case VARCHAR -> nines(((VarcharType) type).getLength().orElse(Integer.MAX_VALUE));
            case BIGINT, VARBINARY, UUID, JSON, IPADDRESS -> Long.MAX_VALUE;
        };
    }

    private static long nines(int digits)
    {
        return digits > Decimals.MAX_SHORT_PRECISION ? Long.MAX_VALUE : Decimals.longTenToNth(digits) - 1;
    }

    private static long epochUnits(int precision)
    {
        return precision > 8 ? Long.MAX_VALUE : MAX_EPOCH_SECONDS * Decimals.longTenToNth(precision);
    }

    /**
     * Returns the native value with a number.
     */
    static Object value(Type type, long number)
    {
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> number != 0;
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> number;
            case REAL -> (long) Float.floatToRawIntBits(number);
            case DOUBLE -> (double) number;
            case DECIMAL -> ((DecimalType) type).isShort() ? (Object) number : Int128.valueOf(number);
            case TIME -> number * picosecondsOfUnit(((TimeType) type).getPrecision());
            case TIME_WITH_TIME_ZONE -> timeWithTimeZone((TimeWithTimeZoneType) type, number);
            case TIMESTAMP -> timestamp((TimestampType) type, number);
            case TIMESTAMP_WITH_TIME_ZONE -> timestampWithTimeZone((TimestampWithTimeZoneType) type, number);
            case CHAR -> digits(number, ((CharType) type).getLength());
            case VARCHAR -> digits(number, ((VarcharType) type).getLength().orElse(Integer.MAX_VALUE));
            case VARBINARY -> Slices.wrappedBuffer(Longs.toByteArray(number));
            case UUID, IPADDRESS -> Slices.wrappedBuffer(Bytes.concat(Longs.toByteArray(number >>> 32), Longs.toByteArray(number)));
            case JSON -> Slices.utf8Slice(Long.toString(number));
        };
    }

    private static Object timeWithTimeZone(TimeWithTimeZoneType type, long number)
    {
        long picoseconds = number * picosecondsOfUnit(type.getPrecision());
        if (type.isShort()) {
            return packTimeWithTimeZone(picoseconds / 1000, ZONE_MINUTES);
        }
        return new LongTimeWithTimeZone(picoseconds, ZONE_MINUTES);
    }

    private static Object timestamp(TimestampType type, long number)
    {
        if (type.isShort()) {
            return number * Decimals.longTenToNth(TimestampType.MAX_SHORT_PRECISION - type.getPrecision());
        }
        long unitsPerMicrosecond = Decimals.longTenToNth(type.getPrecision() - 6);
        return new LongTimestamp(
                floorDiv(number, unitsPerMicrosecond),
                (int) (floorMod(number, unitsPerMicrosecond) * picosecondsOfUnit(type.getPrecision())));
    }

    private static Object timestampWithTimeZone(TimestampWithTimeZoneType type, long number)
    {
        if (type.isShort()) {
            return packDateTimeWithZone(number * Decimals.longTenToNth(TimestampWithTimeZoneType.MAX_SHORT_PRECISION - type.getPrecision()), ZONE);
        }
        long unitsPerMillisecond = Decimals.longTenToNth(type.getPrecision() - 3);
        return LongTimestampWithTimeZone.fromEpochMillisAndFraction(
                floorDiv(number, unitsPerMillisecond),
                (int) (floorMod(number, unitsPerMillisecond) * picosecondsOfUnit(type.getPrecision())),
                ZONE);
    }

    private static long picosecondsOfUnit(int precision)
    {
        return Decimals.longTenToNth(MAX_PRECISION - precision);
    }

    // All texts have the same number of digits, so that they sort like the numbers
    private static Slice digits(long number, int maxLength)
    {
        return Slices.utf8Slice(Strings.padStart(Long.toString(number), Math.min(maxLength, 19), '0'));
    }
}
