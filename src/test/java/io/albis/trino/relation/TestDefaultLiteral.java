package io.albis.trino.relation;

import io.airlift.slice.Slices;
import io.trino.spi.TrinoException;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimeWithTimeZone;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.time.LocalDate;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
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
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimeZoneKey.getTimeZoneKeyForOffset;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static io.trino.type.IpAddressType.IPADDRESS;
import static io.trino.type.JsonType.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The literals are in the form in which the engine prints them.
 */
final class TestDefaultLiteral
{
    @Test
    void testNull()
    {
        assertThat(DefaultLiteral.evaluate("null", BIGINT)).isEmpty();
        assertThat(DefaultLiteral.evaluate("NULL", VARCHAR)).isEmpty();
    }

    @Test
    void testNumbers()
    {
        assertValue("7", TINYINT, 7L);
        assertValue("-7", SMALLINT, -7L);
        assertValue("2147483647", INTEGER, 2147483647L);
        assertValue("-9223372036854775808", BIGINT, Long.MIN_VALUE);
        assertValue("1_000", BIGINT, 1000L);
        assertValue("BIGINT '7'", BIGINT, 7L);
        assertValue("7", DOUBLE, 7.0);
        assertValue("DECIMAL '7.25'", DOUBLE, 7.25);
        assertValue("7.25E0", DOUBLE, 7.25);
        assertValue("DOUBLE 'NaN'", DOUBLE, Double.NaN);
        assertValue("REAL '0.1'", DOUBLE, (double) 0.1f);
        assertValue("DECIMAL '7.25'", REAL, (long) Float.floatToIntBits(7.25f));
        assertValue("DECIMAL '7.25'", createDecimalType(5, 2), 725L);
        assertValue("7", createDecimalType(5, 2), 700L);
        assertValue("DECIMAL '-7.25'", createDecimalType(30, 2), Int128.valueOf(-725));
        // as the engine evaluates them
        assertValue("-0.0", DOUBLE, 0.0);
        assertValue("DOUBLE '-0.0'", DOUBLE, -0.0);
        assertValue("DECIMAL '-0.0'", REAL, (long) Float.floatToIntBits(0.0f));
        assertRefused("DOUBLE '9007199254740993'", BIGINT);
        assertRefused("9007199254740993e0", BIGINT);
        assertRefused("REAL '16777217'", INTEGER);
        assertRefused("DOUBLE '0.1234567890123456789'", createDecimalType(20, 19));
        assertRefused("0.1234567890123456", DOUBLE);
        assertRefused("16777217", REAL);
        assertValue("true", BOOLEAN, true);
        assertValue("false", BOOLEAN, false);
        assertRefused("128", TINYINT);
        assertRefused("DECIMAL '7.5'", BIGINT);
        assertRefused("DECIMAL '7.255'", createDecimalType(5, 2));
        assertRefused("12345", createDecimalType(5, 2));
        assertRefused("0x1F", BIGINT);
        assertRefused("'true'", BOOLEAN);
        assertRefused("x", DOUBLE);
    }

    @Test
    void testTexts()
    {
        assertValue("'it''s'", VARCHAR, utf8Slice("it's"));
        assertValue("''", createVarcharType(3), utf8Slice(""));
        assertValue("U&'\\00E4 \\\\ \\+01F600'", VARCHAR, utf8Slice("ä \\ 😀"));
        assertValue("'ä'", createVarcharType(1), utf8Slice("ä"));
        assertValue("'a  '", createCharType(5), utf8Slice("a"));
        assertValue("X'00FF'", VARBINARY, Slices.wrappedBuffer((byte) 0, (byte) 0xFF));
        assertValue("CHAR 'ab'", VARCHAR, utf8Slice("ab"));
        assertRefused("CHAR 'ab '", VARCHAR);
        assertRefused("'abcd'", createVarcharType(3));
        assertRefused("7", VARCHAR);
        assertRefused("DATE '2020-01-01'", VARCHAR);
        assertRefused("'00FF'", VARBINARY);
    }

    @Test
    void testTimes()
    {
        assertValue("DATE '2020-02-29'", DATE, LocalDate.of(2020, 2, 29).toEpochDay());
        assertValue("TIME '01:02:03.5'", createTimeType(3), 3_723_500_000_000_000L);
        assertValue("TIMESTAMP '1970-01-01 00:00:01.5'", createTimestampType(3), 1_500_000L);
        assertValue("TIMESTAMP '1969-12-31 23:59:59.5'", createTimestampType(6), -500_000L);
        assertValue("TIMESTAMP '1970-01-01 00:00:00.123456789'", createTimestampType(9), new LongTimestamp(123_456, 789_000));
        assertRefused("TIME '01:02:03.5'", createTimeType(0));
        assertRefused("TIMESTAMP '1970-01-01 00:00:01.5'", createTimestampType(0));
        assertRefused("DATE '2020-02-30'", DATE);
    }

    @Test
    void testTimesWithTimeZone()
    {
        TimeZoneKey berlin = TimeZoneKey.getTimeZoneKey("Europe/Berlin");
        assertValue("TIMESTAMP '1970-01-01 00:00:01 UTC'", TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(1_000, UTC_KEY));
        assertValue("TIMESTAMP '1970-01-01 01:00:01.5 Europe/Berlin'", TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(1_500, berlin));
        assertValue("TIMESTAMP '1970-01-01 02:00:01+02:00'", TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(1_000, getTimeZoneKeyForOffset(120)));
        assertValue("TIMESTAMP '1969-12-31 23:59:59.123456789 UTC'", createTimestampWithTimeZoneType(9), LongTimestampWithTimeZone.fromEpochMillisAndFraction(-877, 456_789_000, UTC_KEY));
        // the first of two hours with the same name
        assertValue("TIMESTAMP '2020-10-25 02:30 Europe/Berlin'", TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(1_603_585_800_000L, berlin));
        assertValue("TIME '01:02:03.5+02:00'", createTimeWithTimeZoneType(3), packTimeWithTimeZone(3_723_500_000_000L, 120));
        assertValue("TIME '01:02:03.5 -08:30'", createTimeWithTimeZoneType(12), new LongTimeWithTimeZone(3_723_500_000_000_000L, -510));
        assertRefused("TIMESTAMP '1970-01-01 00:00:01'", TIMESTAMP_TZ_MILLIS);
        assertRefused("TIMESTAMP '1970-01-01 00:00:01.1234 UTC'", TIMESTAMP_TZ_MILLIS);
        assertRefused("TIMESTAMP '1970-01-01 00:00:01 Mars'", TIMESTAMP_TZ_MILLIS);
        assertRefused("TIME '01:02:03'", createTimeWithTimeZoneType(3));
        assertRefused("TIME '01:02:03.1234+02:00'", createTimeWithTimeZoneType(3));
    }

    @Test
    void testJson()
    {
        assertValue("JSON '{\"b\": [1, 2.50], \"a\": \"it''s\"}'", JSON, utf8Slice("{\"a\":\"it's\",\"b\":[1,2.50]}"));
        assertValue("JSON 'null'", JSON, utf8Slice("null"));
        assertRefused("'{}'", JSON);
        assertRefused("7", JSON);
    }

    @Test
    void testAddresses()
    {
        assertValue("IPADDRESS '1.2.3.4'", IPADDRESS, Slices.wrappedBuffer(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 1, 2, 3, 4}));
        assertValue("IPADDRESS '2001:db8::1'", IPADDRESS, Slices.wrappedBuffer(new byte[] {0x20, 1, 0x0D, (byte) 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
        assertRefused("IPADDRESS 'localhost'", IPADDRESS);
    }

    @Test
    void testUuid()
    {
        assertValue("UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", UUID, javaUuidToTrinoUuid(java.util.UUID.fromString("12151fd2-7586-11e9-8f9e-2a86e4085a59")));
    }

    private static void assertValue(String literal, Type type, Object value)
    {
        assertThat(DefaultLiteral.evaluate(literal, type)).as("%s as %s", literal, type).contains(value);
    }

    private static void assertRefused(String literal, Type type)
    {
        assertThatThrownBy(() -> DefaultLiteral.evaluate(literal, type))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(NOT_SUPPORTED.toErrorCode()))
                .hasMessageContaining("A column of type %s with the default value %s cannot be added".formatted(type.getDisplayName(), literal));
    }
}
