package io.albis.format.type;

import com.google.common.base.CharMatcher;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;
import jakarta.annotation.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.LocalDate;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.primitives.Primitives.wrap;
import static io.trino.spi.type.Chars.padSpaces;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Float.intBitsToFloat;
import static java.lang.Math.toIntExact;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Converts between Java values, as the row interface uses them, and Trino's native values. The Java types are Boolean,
 * Long (any other integral type is accepted as well), Float, Double, BigDecimal, LocalDate, String for varchar, char,
 * and json, byte[] for varbinary, UUID, List for arrays and rows, and Map. Times, timestamps, and IP addresses are
 * passed as Trino's native values.
 */
public final class JavaValues
{
    private static final long PICOSECONDS_PER_DAY = 86_400_000_000_000_000L;
    private static final int ADDRESS_SIZE = 2 * Long.BYTES;

    private JavaValues() {}

    /**
     * Converts a Java value to Trino's native value. Null remains null.
     *
     * @throws IllegalArgumentException if the value is not valid for the type or is out of range
     */
    @Nullable
    public static Object toNative(Type type, @Nullable Object value)
    {
        if (value == null) {
            return null;
        }
        if (NestedTypes.isNested(type)) {
            return NestedJavaValues.toNative(type, value);
        }
        return switch (ScalarType.of(type)) {
            case TINYINT -> integral(type, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> integral(type, value, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> integral(type, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> integral(type, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case REAL -> (long) floatToRawIntBits(expect(type, value, Float.class));
            case DOUBLE -> value instanceof Float number ? (double) number : expect(type, value, Double.class);
            case DECIMAL -> decimal((DecimalType) type, expect(type, value, BigDecimal.class));
            case DATE -> date(type, expect(type, value, LocalDate.class));
            case TIME -> integral(type, value, 0, PICOSECONDS_PER_DAY - 1);
            case VARCHAR -> varchar((VarcharType) type, expect(type, value, String.class));
            case CHAR -> character((CharType) type, expect(type, value, String.class));
            case JSON -> text(type, expect(type, value, String.class));
            case VARBINARY -> Slices.wrappedBuffer(expect(type, value, byte[].class).clone());
            case UUID -> uuid(expect(type, value, UUID.class));
            case IPADDRESS -> address(type, expect(type, value, Slice.class));
            case BOOLEAN, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE -> expect(type, value, wrap(type.getJavaType()));
        };
    }

    /**
     * Converts Trino's native value to a Java value. This is the inverse of {@link #toNative}.
     */
    @Nullable
    public static Object fromNative(Type type, @Nullable Object value)
    {
        if (value == null) {
            return null;
        }
        if (NestedTypes.isNested(type)) {
            return NestedJavaValues.fromNative(type, value);
        }
        return switch (ScalarType.of(type)) {
            case REAL -> intBitsToFloat(toIntExact((long) value));
            case DECIMAL -> {
                DecimalType decimalType = (DecimalType) type;
                BigInteger unscaled = decimalType.isShort() ? BigInteger.valueOf((long) value) : ((Int128) value).toBigInteger();
                yield new BigDecimal(unscaled, decimalType.getScale());
            }
            case DATE -> LocalDate.ofEpochDay((long) value);
            case VARCHAR, JSON -> ((Slice) value).toStringUtf8();
            case CHAR -> padSpaces((Slice) value, (CharType) type).toStringUtf8();
            case VARBINARY -> ((Slice) value).getBytes();
            case UUID -> new UUID(Long.reverseBytes(((Slice) value).getLong(0)), Long.reverseBytes(((Slice) value).getLong(Long.BYTES)));
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, TIME, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, IPADDRESS -> value;
        };
    }

    private static <T> T expect(Type type, Object value, Class<T> javaType)
    {
        checkArgument(javaType.isInstance(value), "A value of type %s must be a %s, but is a %s", type.getDisplayName(), javaType.getSimpleName(), value.getClass().getSimpleName());
        return javaType.cast(value);
    }

    private static long integral(Type type, Object value, long min, long max)
    {
        checkArgument(
                value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte,
                "A value of type %s must be an integer, but is a %s",
                type.getDisplayName(),
                value.getClass().getSimpleName());
        long number = ((Number) value).longValue();
        checkArgument(number >= min && number <= max, "%s is out of the range of %s", number, type.getDisplayName());
        return number;
    }

    private static Object decimal(DecimalType type, BigDecimal value)
    {
        BigDecimal scaled;
        try {
            scaled = value.setScale(type.getScale(), RoundingMode.UNNECESSARY);
        }
        catch (ArithmeticException e) {
            throw new IllegalArgumentException("%s has more than %s digits after the decimal point, which does not fit type %s".formatted(value, type.getScale(), type.getDisplayName()), e);
        }
        checkArgument(scaled.precision() <= type.getPrecision(), "%s is out of the range of %s", value, type.getDisplayName());
        return type.isShort() ? (Object) scaled.unscaledValue().longValueExact() : Decimals.valueOf(scaled);
    }

    private static long date(Type type, LocalDate value)
    {
        long days = value.toEpochDay();
        checkArgument(days == (int) days, "%s is out of the range of %s", value, type.getDisplayName());
        return days;
    }

    private static Slice varchar(VarcharType type, String value)
    {
        checkArgument(type.isUnbounded() || value.codePointCount(0, value.length()) <= type.getBoundedLength(), "A value of %s characters is too long for %s", value.length(), type.getDisplayName());
        return text(type, value);
    }

    // Only spaces are padding. A trailing tab or line break is part of the value.
    private static Slice character(CharType type, String value)
    {
        String trimmed = CharMatcher.is(' ').trimTrailingFrom(value);
        checkArgument(trimmed.codePointCount(0, trimmed.length()) <= type.getLength(), "A value of %s characters is too long for %s", trimmed.length(), type.getDisplayName());
        return text(type, trimmed);
    }

    private static Slice text(Type type, String value)
    {
        try {
            // the encoder fails on invalid text, which String.getBytes replaces with a question mark
            ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            return Slices.wrappedBuffer(bytes.array(), bytes.arrayOffset(), bytes.remaining());
        }
        catch (CharacterCodingException e) {
            throw new IllegalArgumentException("A value of type %s is not valid text: it contains an unpaired surrogate".formatted(type.getDisplayName()), e);
        }
    }

    private static Slice address(Type type, Slice value)
    {
        checkArgument(value.length() == ADDRESS_SIZE, "A value of type %s must have %s bytes, but has %s", type.getDisplayName(), ADDRESS_SIZE, value.length());
        return value;
    }

    private static Slice uuid(UUID value)
    {
        Slice slice = Slices.allocate(2 * Long.BYTES);
        slice.setLong(0, Long.reverseBytes(value.getMostSignificantBits()));
        slice.setLong(Long.BYTES, Long.reverseBytes(value.getLeastSignificantBits()));
        return slice;
    }
}
