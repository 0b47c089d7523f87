package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimeWithTimeZone;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.StandardTypes;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimeWithTimeZoneType;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;
import io.trino.spi.type.VarcharType;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.Chars.trimTrailingSpaces;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.packTimeWithTimeZone;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimeType.createTimeType;
import static io.trino.spi.type.TimeWithTimeZoneType.createTimeWithTimeZoneType;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static io.trino.type.IpAddressType.IPADDRESS;
import static io.trino.type.JsonType.JSON;
import static java.lang.Math.floorMod;

/**
 * Random values of all types that Albis stores, with a preference for extreme values.
 */
public final class RandomBlocks
{
    public static final List<Type> TYPES = ImmutableList.of(
            BOOLEAN,
            TINYINT,
            SMALLINT,
            INTEGER,
            BIGINT,
            REAL,
            DOUBLE,
            createDecimalType(1, 0),
            createDecimalType(12, 2),
            createDecimalType(18, 18),
            createDecimalType(19, 0),
            createDecimalType(38, 5),
            DATE,
            createTimeType(0),
            createTimeType(3),
            createTimeType(12),
            createTimeWithTimeZoneType(0),
            createTimeWithTimeZoneType(9),
            createTimeWithTimeZoneType(12),
            createTimestampType(0),
            createTimestampType(6),
            createTimestampType(7),
            createTimestampType(12),
            createTimestampWithTimeZoneType(0),
            createTimestampWithTimeZoneType(3),
            createTimestampWithTimeZoneType(6),
            createTimestampWithTimeZoneType(12),
            createCharType(5),
            createCharType(100),
            VARCHAR,
            createVarcharType(10),
            VARBINARY,
            UUID,
            JSON,
            IPADDRESS);

    private static final long PICOSECONDS_PER_DAY = 86_400_000_000_000_000L;

    private RandomBlocks() {}

    /**
     * Returns a block in any of the forms that a block can have, of which about the fraction {@code nulls} is null.
     */
    public static Block randomBlock(Random random, Type type, int positionCount, double nulls)
    {
        return switch (random.nextInt(8)) {
            case 0 -> RunLengthEncodedBlock.create(type, random.nextDouble() < nulls ? null : randomValue(random, type), positionCount);
            case 1 -> {
                Block dictionary = flatBlock(random, type, 1 + random.nextInt(20), nulls);
                int[] ids = random.ints(positionCount, 0, dictionary.getPositionCount()).toArray();
                yield DictionaryBlock.create(positionCount, dictionary, ids);
            }
            case 2 -> flatBlock(random, type, positionCount + 7, nulls).getRegion(5, positionCount);
            default -> flatBlock(random, type, positionCount, nulls);
        };
    }

    private static Block flatBlock(Random random, Type type, int positionCount, double nulls)
    {
        BlockBuilder builder = type.createBlockBuilder(null, positionCount);
        for (int position = 0; position < positionCount; position++) {
            if (random.nextDouble() < nulls) {
                builder.appendNull();
            }
            else {
                TypeUtils.writeNativeValue(type, builder, randomValue(random, type));
            }
        }
        return builder.build();
    }

    /**
     * Returns a native value that is not null.
     */
    public static Object randomValue(Random random, Type type)
    {
        return switch (type.getBaseName()) {
            case StandardTypes.BOOLEAN -> random.nextBoolean();
            case StandardTypes.TINYINT -> pick(random, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case StandardTypes.SMALLINT -> pick(random, Short.MIN_VALUE, Short.MAX_VALUE);
            case StandardTypes.INTEGER, StandardTypes.DATE -> pick(random, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case StandardTypes.BIGINT -> pick(random, Long.MIN_VALUE, Long.MAX_VALUE);
            case StandardTypes.REAL -> (long) randomRealBits(random);
            case StandardTypes.DOUBLE -> randomDouble(random);
            case StandardTypes.DECIMAL -> randomDecimal(random, (DecimalType) type);
            case StandardTypes.TIME -> randomTime(random, ((TimeType) type).getPrecision());
            case StandardTypes.TIME_WITH_TIME_ZONE -> randomTimeWithTimeZone(random, (TimeWithTimeZoneType) type);
            case StandardTypes.TIMESTAMP -> randomTimestamp(random, (TimestampType) type);
            case StandardTypes.TIMESTAMP_WITH_TIME_ZONE -> randomTimestampWithTimeZone(random, (TimestampWithTimeZoneType) type);
            case StandardTypes.CHAR -> trimTrailingSpaces(randomText(random, ((CharType) type).getLength()));
            case StandardTypes.VARCHAR -> randomText(random, ((VarcharType) type).getLength().orElse(200));
            case StandardTypes.VARBINARY -> randomBytes(random, random.nextInt(100));
            case StandardTypes.UUID, StandardTypes.IPADDRESS -> randomBytes(random, 16);
            case StandardTypes.JSON -> Slices.utf8Slice(random.nextBoolean() ? "null" : "{\"a\":[" + random.nextInt(100) + "]}");
            default -> throw new IllegalArgumentException(type.getDisplayName());
        };
    }

    private static long pick(Random random, long min, long max)
    {
        return switch (random.nextInt(8)) {
            case 0 -> min;
            case 1 -> max;
            case 2 -> 0;
            case 3 -> min + floorMod(random.nextLong(), max - min > 0 ? max - min : Long.MAX_VALUE);
            default -> Math.clamp(random.nextInt(20) - 10, min, max);
        };
    }

    private static int randomRealBits(Random random)
    {
        return switch (random.nextInt(8)) {
            case 0 -> 0x7FC00001; // a NaN with a payload
            case 1 -> Float.floatToRawIntBits(-0.0f);
            case 2 -> Float.floatToRawIntBits(0.0f);
            case 3 -> Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);
            case 4 -> Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
            case 5 -> Float.floatToRawIntBits(Float.MIN_VALUE);
            default -> Float.floatToRawIntBits(random.nextInt(20) - 10);
        };
    }

    private static double randomDouble(Random random)
    {
        return switch (random.nextInt(8)) {
            case 0 -> Double.longBitsToDouble(0x7FF8000000000001L); // a NaN with a payload
            case 1 -> -0.0;
            case 2 -> 0.0;
            case 3 -> Double.NEGATIVE_INFINITY;
            case 4 -> Double.POSITIVE_INFINITY;
            case 5 -> -Double.MAX_VALUE;
            default -> random.nextInt(20) - 10;
        };
    }

    private static Object randomDecimal(Random random, DecimalType type)
    {
        BigInteger limit = BigInteger.TEN.pow(type.getPrecision()).subtract(BigInteger.ONE);
        BigInteger value = switch (random.nextInt(5)) {
            case 0 -> limit;
            case 1 -> limit.negate();
            case 2 -> new BigInteger(120, random).mod(limit);
            default -> BigInteger.valueOf(random.nextInt(9));
        };
        return type.isShort() ? (Object) value.longValueExact() : Int128.valueOf(value);
    }

    private static long randomTime(Random random, int precision)
    {
        long picoseconds = switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> PICOSECONDS_PER_DAY - 1;
            default -> floorMod(random.nextLong(), PICOSECONDS_PER_DAY);
        };
        return truncate(picoseconds, 12 - precision);
    }

    private static Object randomTimeWithTimeZone(Random random, TimeWithTimeZoneType type)
    {
        int offsetMinutes = random.nextInt(28 * 60) - 14 * 60;
        long picoseconds = randomTime(random, type.getPrecision());
        if (type.isShort()) {
            return packTimeWithTimeZone(picoseconds / 1000, offsetMinutes);
        }
        return new LongTimeWithTimeZone(picoseconds, offsetMinutes);
    }

    private static Object randomTimestamp(Random random, TimestampType type)
    {
        long microseconds = truncate(pick(random, -60_000_000_000_000_000L, 60_000_000_000_000_000L), 6 - type.getPrecision());
        if (type.isShort()) {
            return microseconds;
        }
        return new LongTimestamp(microseconds, (int) truncate(random.nextInt(1_000_000), 12 - type.getPrecision()));
    }

    private static Object randomTimestampWithTimeZone(Random random, TimestampWithTimeZoneType type)
    {
        long milliseconds = truncate(pick(random, -60_000_000_000_000L, 60_000_000_000_000L), 3 - type.getPrecision());
        TimeZoneKey zone = TimeZoneKey.getTimeZoneKeyForOffset(random.nextInt(28 * 60) - 14 * 60);
        if (type.isShort()) {
            return packDateTimeWithZone(milliseconds, zone);
        }
        return LongTimestampWithTimeZone.fromEpochMillisAndFraction(milliseconds, (int) truncate(random.nextInt(1_000_000_000), 12 - type.getPrecision()), zone);
    }

    /**
     * Replaces the last {@code digits} digits by zeros. A negative number of digits changes nothing.
     */
    private static long truncate(long value, int digits)
    {
        long unit = digits <= 0 ? 1 : (long) Math.pow(10, digits);
        return value / unit * unit;
    }

    private static Slice randomText(Random random, int maxLength)
    {
        int length = random.nextInt(Math.min(maxLength, 90) + 1);
        StringBuilder text = new StringBuilder();
        // few distinct characters, so that values and prefixes repeat: one is below space, and one has four bytes
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(new int[] {'a', 'a', 'a', 'b', ' ', 1, 0xE9, 0x1F4A9}[random.nextInt(8)]);
        }
        return Slices.utf8Slice(text.toString());
    }

    private static Slice randomBytes(Random random, int length)
    {
        byte[] bytes = new byte[length];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        }
        else {
            Arrays.fill(bytes, (byte) random.nextInt(256));
        }
        return Slices.wrappedBuffer(bytes);
    }
}
