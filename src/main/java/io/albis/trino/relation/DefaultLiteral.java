package io.albis.trino.relation;

import com.google.common.net.InetAddresses;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.type.ScalarType;
import io.trino.spi.TrinoException;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
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

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SliceUtf8.countCodePoints;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.plugin.base.util.JsonTypeUtil.jsonParse;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.Chars.trimTrailingSpaces;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.packTimeWithTimeZone;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static java.lang.Float.floatToIntBits;
import static java.lang.Math.floorMod;
import static java.time.format.DateTimeFormatter.ISO_LOCAL_DATE;
import static java.time.format.DateTimeFormatter.ISO_LOCAL_TIME;
import static java.util.Objects.requireNonNull;

/**
 * Evaluates the literal of a DEFAULT, which is the value of a new column in rows that exist already. The engine has
 * checked that the column accepts the literal. It evaluates the literal itself for rows that are inserted later.
 *
 * @param typeName name of a type before the text, in upper case; empty if there is none
 * @param text the text without quotation marks
 * @param quoted whether the literal has quotation marks
 */
public record DefaultLiteral(String typeName, String text, boolean quoted)
{
    private static final Pattern QUOTED = Pattern.compile("(?<type>[^']*?) ?'(?<text>(?:[^']++|'')*+)'", Pattern.DOTALL);
    private static final Pattern UNICODE_ESCAPE = Pattern.compile("\\\\(\\\\|\\+(?<long>[0-9a-fA-F]{6})|(?<short>[0-9a-fA-F]{4}))");
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(ISO_LOCAL_TIME)
            .toFormatter(Locale.ENGLISH);
    private static final Pattern TIMESTAMP_WITH_ZONE = Pattern.compile("(?<timestamp>[0-9-]+ [0-9:.]+) *(?<zone>[^0-9:. ].*)");
    private static final Pattern TIME_WITH_OFFSET = Pattern.compile("(?<time>[0-9:.]+) *(?<offset>[+-][0-9]{2}:[0-9]{2})");
    // An IPv4 address is stored as the IPv6 address to which it is mapped
    private static final byte[] IPV4_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF};
    private static final Pattern EXPONENT = Pattern.compile("[0-9.][eE]");
    // Numbers with so many digits are exact, and so are the powers of ten
    private static final int EXACT_DOUBLE_DIGITS = 15;
    private static final int EXACT_REAL_DIGITS = 7;
    private static final int PICOSECOND_DIGITS = 12;
    private static final long PICOSECONDS_PER_NANOSECOND = 1_000;
    private static final int NANOSECONDS_PER_MICROSECOND = 1_000;
    private static final int NANOSECONDS_PER_MILLISECOND = 1_000_000;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final long MICROSECONDS_PER_SECOND = 1_000_000;

    public DefaultLiteral
    {
        requireNonNull(typeName, "typeName is null");
        requireNonNull(text, "text is null");
    }

    /**
     * Returns the native value of a literal.
     *
     * @param literal a literal as the engine prints it
     * @return empty if the value is null
     * @throws TrinoException with code NOT_SUPPORTED if the value is not known to be that which the engine would use
     */
    public static Optional<Object> evaluate(String literal, Type type)
    {
        if (literal.equalsIgnoreCase("null")) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(literal).toNativeValue(type));
        }
        catch (RuntimeException e) {
            throw new TrinoException(NOT_SUPPORTED, "A column of type %s with the default value %s cannot be added. Add it without a default value, update its rows, and then set the default value".formatted(type.getDisplayName(), literal), e);
        }
    }

    private static DefaultLiteral parse(String literal)
    {
        Matcher matcher = QUOTED.matcher(literal);
        if (!matcher.matches()) {
            return new DefaultLiteral("", literal, false);
        }
        String text = matcher.group("text").replace("''", "'");
        String typeName = matcher.group("type").toUpperCase(Locale.ENGLISH);
        if (typeName.equals("U&")) {
            return new DefaultLiteral("", unescape(text), true);
        }
        return new DefaultLiteral(typeName, text, true);
    }

    private static String unescape(String text)
    {
        return UNICODE_ESCAPE.matcher(text).replaceAll(match -> {
            String digits = match.group("long") == null ? match.group("short") : match.group("long");
            return Matcher.quoteReplacement(digits == null ? "\\" : Character.toString(Integer.parseInt(digits, 16)));
        });
    }

    private Object toNativeValue(Type type)
    {
        return switch (ScalarType.of(type)) {
            case BOOLEAN -> bool();
            case TINYINT -> integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> integer(Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> integer(Long.MIN_VALUE, Long.MAX_VALUE);
            case REAL -> (long) floatToIntBits(real());
            case DOUBLE -> floatingPoint();
            case DECIMAL -> decimal((DecimalType) type);
            case DATE -> LocalDate.parse(text).toEpochDay();
            case TIME -> time((TimeType) type);
            case TIMESTAMP -> timestamp((TimestampType) type);
            case CHAR -> trimTrailingSpaces(characters(((CharType) type).getLength()));
            case VARCHAR -> {
                // spaces at the end of a CHAR depend on deprecated.legacy-varchar-to-char-coercion
                checkArgument(!typeName.equals("CHAR") || !text.endsWith(" "), "spaces at the end");
                yield characters(((VarcharType) type).getLength().orElse(Integer.MAX_VALUE));
            }
            case VARBINARY -> bytes();
            case UUID -> javaUuidToTrinoUuid(UUID.fromString(text));
            case TIME_WITH_TIME_ZONE -> timeWithTimeZone((TimeWithTimeZoneType) type);
            case TIMESTAMP_WITH_TIME_ZONE -> timestampWithTimeZone((TimestampWithTimeZoneType) type);
            case JSON -> json();
            case IPADDRESS -> address();
        };
    }

    private Object bool()
    {
        checkArgument(!quoted && (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")), "not a boolean");
        return Boolean.parseBoolean(text);
    }

    private String number()
    {
        // Java would accept these, too
        checkArgument(text.matches("NaN|[+-]?Infinity|[+-]?[0-9_]*\\.?[0-9_]*([eE][+-]?[0-9]+)?"), "not a number");
        return text.replace("_", "");
    }

    /**
     * Returns a number that the engine does not evaluate as a DOUBLE or REAL, which may not have all its digits.
     */
    private BigDecimal exactNumber()
    {
        checkArgument(!isDouble() && !typeName.equals("REAL"), "not an exact number");
        return new BigDecimal(number());
    }

    private boolean isDouble()
    {
        return typeName.equals("DOUBLE") || (!quoted && EXPONENT.matcher(text).find());
    }

    private double floatingPoint()
    {
        if (typeName.equals("REAL")) {
            return Float.parseFloat(number());
        }
        return isDouble() ? Double.parseDouble(number()) : decimalWithDigits(EXACT_DOUBLE_DIGITS).doubleValue();
    }

    private float real()
    {
        if (typeName.equals("REAL")) {
            return Float.parseFloat(number());
        }
        return isDouble() ? (float) Double.parseDouble(number()) : decimalWithDigits(EXACT_REAL_DIGITS).floatValue();
    }

    /**
     * Returns a number that the engine rounds once when it casts a DECIMAL, because its digits and its power of ten are
     * exact numbers of the other type.
     */
    private BigDecimal decimalWithDigits(int digits)
    {
        BigDecimal value = exactNumber();
        checkArgument(value.precision() <= digits && value.scale() <= digits, "too many digits");
        return value;
    }

    private Object integer(long min, long max)
    {
        long value = exactNumber().longValueExact();
        checkArgument(value >= min && value <= max, "out of range");
        return value;
    }

    private Object decimal(DecimalType type)
    {
        BigDecimal value = exactNumber().setScale(type.getScale(), RoundingMode.UNNECESSARY);
        checkArgument(value.precision() <= type.getPrecision(), "too many digits");
        return type.isShort() ? (Object) value.unscaledValue().longValueExact() : Decimals.encodeScaledValue(value, type.getScale());
    }

    private Object time(TimeType type)
    {
        long picoseconds = LocalTime.parse(text).toNanoOfDay() * PICOSECONDS_PER_NANOSECOND;
        checkPrecision(picoseconds, type.getPrecision());
        return picoseconds;
    }

    private Object timestamp(TimestampType type)
    {
        LocalDateTime value = LocalDateTime.parse(text, TIMESTAMP);
        checkPrecision(value.getNano() * PICOSECONDS_PER_NANOSECOND, type.getPrecision());
        long microseconds = value.toEpochSecond(ZoneOffset.UTC) * MICROSECONDS_PER_SECOND + value.getNano() / NANOSECONDS_PER_MICROSECOND;
        if (type.isShort()) {
            return microseconds;
        }
        return new LongTimestamp(microseconds, floorMod(value.getNano(), NANOSECONDS_PER_MICROSECOND) * (int) PICOSECONDS_PER_NANOSECOND);
    }

    private Object timeWithTimeZone(TimeWithTimeZoneType type)
    {
        Matcher matcher = TIME_WITH_OFFSET.matcher(text);
        checkArgument(matcher.matches(), "not a time with an offset");
        long nanoseconds = LocalTime.parse(matcher.group("time")).toNanoOfDay();
        int offsetMinutes = ZoneOffset.of(matcher.group("offset")).getTotalSeconds() / SECONDS_PER_MINUTE;
        checkPrecision(nanoseconds * PICOSECONDS_PER_NANOSECOND, type.getPrecision());
        if (type.isShort()) {
            return packTimeWithTimeZone(nanoseconds, offsetMinutes);
        }
        return new LongTimeWithTimeZone(nanoseconds * PICOSECONDS_PER_NANOSECOND, offsetMinutes);
    }

    /**
     * A time without a zone is refused, because it would have that of the session.
     */
    private Object timestampWithTimeZone(TimestampWithTimeZoneType type)
    {
        Matcher matcher = TIMESTAMP_WITH_ZONE.matcher(text);
        checkArgument(matcher.matches(), "not a timestamp with a time zone");
        TimeZoneKey zone = TimeZoneKey.getTimeZoneKey(matcher.group("zone"));
        Instant instant = LocalDateTime.parse(matcher.group("timestamp"), TIMESTAMP).atZone(zone.getZoneId()).toInstant();
        checkPrecision(instant.getNano() * PICOSECONDS_PER_NANOSECOND, type.getPrecision());
        if (type.isShort()) {
            return packDateTimeWithZone(instant.toEpochMilli(), zone);
        }
        int nanosecondsOfMillisecond = instant.getNano() % NANOSECONDS_PER_MILLISECOND;
        return LongTimestampWithTimeZone.fromEpochMillisAndFraction(instant.toEpochMilli(), nanosecondsOfMillisecond * (int) PICOSECONDS_PER_NANOSECOND, zone);
    }

    /**
     * Checks that no digits would be rounded.
     */
    private static void checkPrecision(long picoseconds, int precision)
    {
        checkArgument(picoseconds % (long) Math.pow(10, PICOSECOND_DIGITS - precision) == 0, "too many digits");
    }

    private Slice characters(int maxLength)
    {
        checkArgument(quoted && (typeName.isEmpty() || typeName.equals("VARCHAR") || typeName.equals("CHAR")), "not a text");
        Slice value = utf8Slice(text);
        checkArgument(countCodePoints(value) <= maxLength, "too long");
        return value;
    }

    private Slice bytes()
    {
        checkArgument(typeName.equals("X"), "not binary");
        return Slices.wrappedBuffer(HexFormat.of().parseHex(text.replace(" ", "")));
    }

    /**
     * A text without the type would become a JSON string.
     */
    private Slice json()
    {
        checkArgument(typeName.equals("JSON"), "not JSON");
        return jsonParse(utf8Slice(text));
    }

    private Slice address()
    {
        checkArgument(quoted, "not an address");
        byte[] address = InetAddresses.forString(text).getAddress();
        if (address.length == Ints.BYTES) {
            return Slices.wrappedBuffer(Bytes.concat(IPV4_PREFIX, address));
        }
        return Slices.wrappedBuffer(address);
    }
}
