package io.albis.benchmarks.format.data;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.SplittableRandom;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Float.floatToIntBits;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Types with realistic values for each of them.
 */
public enum SampledType
{
    BOOLEAN_VALUES(BOOLEAN, random -> random.nextInt(2) == 0),
    TINYINT_VALUES(TINYINT, random -> (long) random.nextInt(-128, 128)),
    SMALLINT_VALUES(SMALLINT, random -> (long) random.nextInt(-10_000, 10_000)),
    // A key of a table with a million rows
    INTEGER_VALUES(INTEGER, random -> (long) random.nextInt(1_000_000)),
    BIGINT_VALUES(BIGINT, random -> random.nextLong(1_000_000_000_000L)),
    REAL_VALUES(REAL, random -> (long) floatToIntBits((float) (random.nextDouble() * 1000))),
    DOUBLE_VALUES(DOUBLE, random -> random.nextDouble() * 1000),
    // A range of ten years
    DATE_VALUES(DATE, random -> (long) random.nextInt(16_000, 19_653)),
    DECIMAL_7_2(createDecimalType(7, 2), random -> (long) random.nextInt(10_000_000)),
    DECIMAL_38_2(createDecimalType(38, 2), random -> Int128.valueOf(random.nextLong(1L << 40), random.nextLong())),
    TIMESTAMP_3(createTimestampType(3), random -> random.nextLong(1_400_000_000_000L, 1_700_000_000_000L) * 1000),
    TIMESTAMP_9(createTimestampType(9), random -> new LongTimestamp(random.nextLong(1_400_000_000_000_000L, 1_700_000_000_000_000L), random.nextInt(1000) * 1000)),
    VARCHAR_FEW_VALUES(VARCHAR, random -> utf8Slice(word(new SplittableRandom(random.nextInt(50)), 5, 15))),
    VARCHAR_MANY_VALUES(VARCHAR, random -> utf8Slice(word(random, 8, 30))),
    CHAR_10(createCharType(10), random -> utf8Slice(word(random, 3, 10))),
    VARBINARY_VALUES(VARBINARY, random -> bytes(random, random.nextInt(8, 33))),
    // The arrays of Figure 5b of the Albis paper
    VARBINARY_1024(VARBINARY, random -> bytes(random, random.nextInt(1, 1025))),
    UUID_VALUES(UUID, random -> bytes(random, 16)),
    /**/;

    private final Type type;
    private final Values values;

    SampledType(Type type, Values values)
    {
        this.type = requireNonNull(type, "type is null");
        this.values = requireNonNull(values, "values is null");
    }

    public static SampledType parse(String label)
    {
        return Arrays.stream(values())
                .filter(value -> value.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no type " + label));
    }

    public String label()
    {
        String label = name().toLowerCase(ENGLISH);
        return type == VARCHAR ? label : label.replaceFirst("_values$", "");
    }

    public Type type()
    {
        return type;
    }

    /**
     * Returns a generator that always generates the same values.
     */
    ValueGenerator generator()
    {
        SplittableRandom random = new SplittableRandom(name().hashCode());
        return (builder, _) -> {
            switch (values.next(random)) {
                case Boolean value -> type.writeBoolean(builder, value);
                case Long value -> type.writeLong(builder, value);
                case Double value -> type.writeDouble(builder, value);
                case Slice value -> type.writeSlice(builder, value);
                case Object value -> type.writeObject(builder, value);
            }
        };
    }

    private static String word(SplittableRandom random, int minLength, int maxLength)
    {
        StringBuilder word = new StringBuilder();
        int length = random.nextInt(minLength, maxLength + 1);
        for (int i = 0; i < length; i++) {
            word.append((char) random.nextInt('a', 'z' + 1));
        }
        return word.toString();
    }

    private static Slice bytes(SplittableRandom random, int length)
    {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Slices.wrappedBuffer(bytes);
    }

    private interface Values
    {
        Object next(SplittableRandom random);
    }
}
