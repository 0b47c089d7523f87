package io.albis.format.type;

import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.DateTimeEncoding;
import io.trino.spi.type.Type;

import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static java.lang.Double.doubleToLongBits;
import static java.lang.Double.longBitsToDouble;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.floorMod;

/**
 * Maps values to signed longs that compare in the same way as the type's own operators compare the values. Equal values
 * have equal keys. Bounds, orders, and filters of all types with up to 16 bytes are therefore loops over longs.
 * <p>
 * This class implements the table of value semantics in {@code docs/format.md}: -0.0 equals 0.0, and a time or
 * timestamp with time zone is compared by its instant. The key of NaN is {@link #NAN}, which no number has.
 */
public enum OrderKeys
{
    /**
     * One long: boolean, integers, date, time, short decimal, and short timestamp.
     */
    INTEGRAL,
    REAL,
    DOUBLE,
    SHORT_TIME_WITH_TIME_ZONE,
    LONG_TIME_WITH_TIME_ZONE,
    SHORT_TIMESTAMP_WITH_TIME_ZONE,
    /**
     * Two longs: the milliseconds, and the picoseconds within the millisecond.
     */
    LONG_TIMESTAMP_WITH_TIME_ZONE,
    /**
     * Two longs: the microseconds, and the picoseconds within the microsecond.
     */
    LONG_TIMESTAMP,
    /**
     * Two longs: the high and the low half of a two's complement number.
     */
    LONG_DECIMAL,
    /**
     * Two longs: the halves of sixteen bytes that compare as unsigned bytes from first to last.
     */
    SIXTEEN_BYTES,
    /**
     * No key: bytes that compare unsigned.
     */
    BYTES,
    /**
     * No key: bytes that compare as if padded with spaces.
     */
    CHAR,
    /**
     * No key: values that have no order.
     */
    NONE;

    public static final long NAN = Long.MAX_VALUE;

    private static final long NANOSECONDS_PER_MINUTE = 60_000_000_000L;
    private static final long NANOSECONDS_PER_DAY = 24 * 60 * NANOSECONDS_PER_MINUTE;
    private static final long PICOSECONDS_PER_NANOSECOND = 1_000;

    /**
     * Returns the order keys of a type.
     *
     * @throws IllegalArgumentException if Albis cannot store the type
     */
    public static OrderKeys of(Type type)
    {
        if (NestedTypes.isNested(type)) {
            return NONE;
        }
        StorageType storageType = StorageType.of(type);
        return switch (ScalarType.of(type)) {
            case REAL -> REAL;
            case DOUBLE -> DOUBLE;
            case TIME_WITH_TIME_ZONE -> choose(storageType, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE);
            case TIMESTAMP_WITH_TIME_ZONE -> choose(storageType, SHORT_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP_WITH_TIME_ZONE);
            case TIMESTAMP -> choose(storageType, INTEGRAL, LONG_TIMESTAMP);
            case DECIMAL -> choose(storageType, INTEGRAL, LONG_DECIMAL);
            case UUID, IPADDRESS -> SIXTEEN_BYTES;
            case VARCHAR, VARBINARY -> BYTES;
            case CHAR -> CHAR;
            case JSON -> NONE;
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DATE, TIME -> INTEGRAL;
        };
    }

    private static OrderKeys choose(StorageType storageType, OrderKeys ofShortType, OrderKeys ofLongType)
    {
        return switch (storageType) {
            case LONG -> ofShortType;
            case FIXED12, INT128 -> ofLongType;
            case BYTE, SHORT, INT, VARIABLE -> throw new IllegalArgumentException("Unexpected storage type: " + storageType);
        };
    }

    /**
     * Returns whether values have a key of one or two longs.
     */
    public boolean hasKeys()
    {
        return switch (this) {
            case INTEGRAL, REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES -> true;
            case BYTES, CHAR, NONE -> false;
        };
    }

    /**
     * Returns whether the key consists of two longs.
     */
    public boolean isWide()
    {
        return switch (this) {
            case LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES -> true;
            case INTEGRAL, REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE, BYTES, CHAR, NONE -> false;
        };
    }

    /**
     * Returns whether values can be NaN.
     */
    public boolean isFloatingPoint()
    {
        return switch (this) {
            case REAL, DOUBLE -> true;
            case INTEGRAL, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES, BYTES, CHAR, NONE -> false;
        };
    }

    /**
     * Returns whether the key is the stored integer itself.
     */
    public boolean isIntegral()
    {
        return switch (this) {
            case INTEGRAL -> true;
            case REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES, BYTES, CHAR, NONE -> false;
        };
    }

    /**
     * Returns whether bytes compare as if padded with spaces.
     */
    public boolean isPadded()
    {
        return switch (this) {
            case CHAR -> true;
            case INTEGRAL, REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES, BYTES, NONE -> false;
        };
    }

    /**
     * Returns whether values have an order.
     */
    public boolean hasOrder()
    {
        return switch (this) {
            case INTEGRAL, REAL, DOUBLE, SHORT_TIME_WITH_TIME_ZONE, LONG_TIME_WITH_TIME_ZONE, SHORT_TIMESTAMP_WITH_TIME_ZONE,
                 LONG_TIMESTAMP_WITH_TIME_ZONE, LONG_TIMESTAMP, LONG_DECIMAL, SIXTEEN_BYTES, BYTES, CHAR -> true;
            case NONE -> false;
        };
    }

    /**
     * Extracts the keys of {@code count} positions starting at {@code offset}. The key of a null position is undefined.
     *
     * @param high receives the key, or the first long of a wide key
     * @param low receives the second long of a wide key; not used otherwise
     */
    public void extract(ValueBlock block, int offset, int count, long[] high, long[] low)
    {
        switch (this) {
            case INTEGRAL -> integral(block, offset, count, high);
            case REAL -> {
                IntArrayBlock values = (IntArrayBlock) block;
                for (int i = 0; i < count; i++) {
                    high[i] = doubleKey(intBitsToFloat(values.getInt(offset + i)));
                }
            }
            case DOUBLE -> {
                LongArrayBlock values = (LongArrayBlock) block;
                for (int i = 0; i < count; i++) {
                    high[i] = doubleKey(longBitsToDouble(values.getLong(offset + i)));
                }
            }
            case SHORT_TIME_WITH_TIME_ZONE -> {
                LongArrayBlock values = (LongArrayBlock) block;
                for (int i = 0; i < count; i++) {
                    long value = values.getLong(offset + i);
                    high[i] = timeKey(DateTimeEncoding.unpackTimeNanos(value), DateTimeEncoding.unpackOffsetMinutes(value));
                }
            }
            case LONG_TIME_WITH_TIME_ZONE -> {
                Fixed12Block values = (Fixed12Block) block;
                for (int i = 0; i < count; i++) {
                    long picoseconds = values.getFixed12First(offset + i);
                    high[i] = timeKey(picoseconds / PICOSECONDS_PER_NANOSECOND, values.getFixed12Second(offset + i)) * PICOSECONDS_PER_NANOSECOND + picoseconds % PICOSECONDS_PER_NANOSECOND;
                }
            }
            case SHORT_TIMESTAMP_WITH_TIME_ZONE -> {
                LongArrayBlock values = (LongArrayBlock) block;
                for (int i = 0; i < count; i++) {
                    high[i] = unpackMillisUtc(values.getLong(offset + i));
                }
            }
            case LONG_TIMESTAMP_WITH_TIME_ZONE -> {
                Fixed12Block values = (Fixed12Block) block;
                for (int i = 0; i < count; i++) {
                    high[i] = unpackMillisUtc(values.getFixed12First(offset + i));
                    low[i] = values.getFixed12Second(offset + i);
                }
            }
            case LONG_TIMESTAMP -> {
                Fixed12Block values = (Fixed12Block) block;
                for (int i = 0; i < count; i++) {
                    high[i] = values.getFixed12First(offset + i);
                    low[i] = values.getFixed12Second(offset + i);
                }
            }
            case LONG_DECIMAL -> {
                Int128ArrayBlock values = (Int128ArrayBlock) block;
                for (int i = 0; i < count; i++) {
                    high[i] = values.getInt128High(offset + i);
                    low[i] = values.getInt128Low(offset + i) ^ Long.MIN_VALUE;
                }
            }
            case SIXTEEN_BYTES -> {
                Int128ArrayBlock values = (Int128ArrayBlock) block;
                for (int i = 0; i < count; i++) {
                    high[i] = Long.reverseBytes(values.getInt128High(offset + i)) ^ Long.MIN_VALUE;
                    low[i] = Long.reverseBytes(values.getInt128Low(offset + i)) ^ Long.MIN_VALUE;
                }
            }
            case BYTES, CHAR, NONE -> throw new IllegalStateException(this + " has no keys");
        }
    }

    private static void integral(ValueBlock block, int offset, int count, long[] keys)
    {
        switch (block) {
            case LongArrayBlock values -> System.arraycopy(values.getRawValues(), values.getRawValuesOffset() + offset, keys, 0, count);
            case IntArrayBlock values -> {
                for (int i = 0; i < count; i++) {
                    keys[i] = values.getInt(offset + i);
                }
            }
            case ShortArrayBlock values -> {
                for (int i = 0; i < count; i++) {
                    keys[i] = values.getShort(offset + i);
                }
            }
            case ByteArrayBlock values -> {
                for (int i = 0; i < count; i++) {
                    keys[i] = values.getByte(offset + i);
                }
            }
            default -> throw new IllegalArgumentException("Block does not contain integral values: " + block);
        }
    }

    // Widening a float to a double preserves the order, so both types share this method. The largest key of a number is
    // the key of infinity, which is less than NAN.

    private static long doubleKey(double value)
    {
        if (value != value) {
            return NAN;
        }
        // adding positive zero turns -0.0 into 0.0
        long bits = doubleToLongBits(value + 0.0);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    private static long timeKey(long nanoseconds, int offsetMinutes)
    {
        return floorMod(nanoseconds - offsetMinutes * NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_DAY);
    }

    /**
     * Compares two keys. The second long is 0 for keys of one long.
     */
    public static int compare(long leftHigh, long leftLow, long rightHigh, long rightLow)
    {
        int high = Long.compare(leftHigh, rightHigh);
        return high != 0 ? high : Long.compare(leftLow, rightLow);
    }
}
