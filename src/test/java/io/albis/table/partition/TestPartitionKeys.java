package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.metadata.PartitionValue;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.PartitionTypes;
import io.albis.table.model.TableException;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.Type;
import io.trino.spi.type.UuidType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.model.PartitionTransform.BUCKET;
import static io.albis.table.model.PartitionTransform.DAY;
import static io.albis.table.model.PartitionTransform.HOUR;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.table.model.PartitionTransform.MONTH;
import static io.albis.table.model.PartitionTransform.TRUNCATE;
import static io.albis.table.model.PartitionTransform.YEAR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimeType.TIME_MICROS;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimeZoneKey.getTimeZoneKey;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MILLIS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_PICOS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Double.NaN;
import static java.lang.Float.floatToRawIntBits;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestPartitionKeys
{
    private static final long MICROS = 1_000_000;

    /**
     * The hashes are those of appendix B of the specification of Iceberg.
     */
    @Test
    void testHashes()
    {
        assertHash(INTEGER, 34L, 2017239379);
        assertHash(BIGINT, 34L, 2017239379);
        assertHash(SMALLINT, 34L, 2017239379);
        assertHash(createDecimalType(4, 2), 1420L, -500754589);
        assertHash(createDecimalType(38, 2), Int128.valueOf(1420), -500754589);
        assertHash(DATE, LocalDate.parse("2017-11-16").toEpochDay(), -653330422);
        assertHash(TIME_MICROS, 81_068_000_000L * MICROS, -662762989);
        long micros = LocalDateTime.parse("2017-11-16T22:31:08").toEpochSecond(UTC) * MICROS;
        assertHash(TIMESTAMP_MILLIS, micros, -2047944441);
        assertHash(TIMESTAMP_MICROS, micros, -2047944441);
        assertHash(TIMESTAMP_MICROS, micros + 1, -1207196810);
        assertHash(TIMESTAMP_PICOS, new LongTimestamp(micros + 1, 999_999), -1207196810);
        assertHash(TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(micros / 1000, getTimeZoneKey("America/Los_Angeles")), -2047944441);
        assertHash(TIMESTAMP_TZ_MICROS, LongTimestampWithTimeZone.fromEpochMillisAndFraction(micros / 1000, (int) MICROS, getTimeZoneKey("America/Los_Angeles")), -1207196810);
        assertHash(VARCHAR, utf8Slice("iceberg"), 1210000089);
        assertHash(createCharType(20), utf8Slice("iceberg"), 1210000089);
        assertHash(UuidType.UUID, javaUuidToTrinoUuid(UUID.fromString("f79c3e09-677c-4bbd-a479-3f349cb785e7")), 1488055340);
        assertHash(VARBINARY, Slices.wrappedBuffer(new byte[] {0, 1, 2, 3}), -188683207);
    }

    private static void assertHash(Type type, Object value, int hash)
    {
        assertThat(IcebergHash.of(type).get(block(type, value), 0)).isEqualTo(hash);
        assertThat(value(BUCKET, 100, type, value)).isEqualTo((long) (hash & Integer.MAX_VALUE) % 100);
    }

    @Test
    void testTimes()
    {
        assertTimes("1970-01-01T00:00:00", 0, 0, 0, 0);
        assertTimes("1969-12-31T23:59:59.999999", -1, -1, -1, -1);
        assertTimes("2017-11-16T22:31:08.000001", 47, 574, 17486, 419686);
        assertTimes("1968-02-29T01:00:00", -2, -23, -672, -16127);
        assertTimes("0001-01-01T00:00:00", -1969, -23628, -719162, -17259888);
        assertTimes("9999-12-31T23:00:00", 8029, 96359, 2932896, 70389527);
    }

    private static void assertTimes(String text, long year, long month, long day, long hour)
    {
        LocalDateTime time = LocalDateTime.parse(text);
        long micros = time.toEpochSecond(UTC) * MICROS + time.getNano() / 1000;
        assertUnits(DATE, time.toLocalDate().toEpochDay(), year, month, day);
        assertUnits(TIMESTAMP_MICROS, micros, year, month, day);
        assertUnits(TIMESTAMP_PICOS, new LongTimestamp(micros, 999_999), year, month, day);
        long millis = Math.floorDiv(micros, 1000);
        assertUnits(TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(millis, getTimeZoneKey("Asia/Tokyo")), year, month, day);
        assertUnits(TIMESTAMP_TZ_MICROS, LongTimestampWithTimeZone.fromEpochMillisAndFraction(millis, 999_000_000, UTC_KEY), year, month, day);
        assertThat(value(HOUR, 0, TIMESTAMP_MICROS, micros)).isEqualTo(hour);
        assertThat(value(HOUR, 0, TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(millis, UTC_KEY))).isEqualTo(hour);
    }

    private static void assertUnits(Type type, Object value, long year, long month, long day)
    {
        assertThat(value(YEAR, 0, type, value)).isEqualTo(year);
        assertThat(value(MONTH, 0, type, value)).isEqualTo(month);
        assertThat(value(DAY, 0, type, value)).isEqualTo(day);
    }

    @Test
    void testTruncation()
    {
        assertThat(value(TRUNCATE, 10, INTEGER, 1L)).isEqualTo(0L);
        assertThat(value(TRUNCATE, 10, INTEGER, -1L)).isEqualTo(-10L);
        assertThat(value(TRUNCATE, 10, BIGINT, -10L)).isEqualTo(-10L);
        // as in Iceberg, this overflows
        assertThat(value(TRUNCATE, 10, INTEGER, (long) Integer.MIN_VALUE)).isEqualTo((long) (Integer.MIN_VALUE - 2));
        assertThat(value(TRUNCATE, 10, BIGINT, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE - 2);
        assertThat(value(TRUNCATE, 100, TINYINT, -128L)).isEqualTo((long) (byte) -200);
        assertThat(value(TRUNCATE, 50, createDecimalType(4, 2), 1065L)).isEqualTo(1050L);
        assertThat(value(TRUNCATE, 50, createDecimalType(38, 2), Int128.valueOf(new BigDecimal("-10.65").unscaledValue()))).isEqualTo(Int128.valueOf(BigInteger.valueOf(-1100)));
        assertThat(value(TRUNCATE, 3, VARCHAR, utf8Slice("iceberg"))).isEqualTo(utf8Slice("ice"));
        assertThat(value(TRUNCATE, 3, VARCHAR, utf8Slice("äöüß"))).isEqualTo(utf8Slice("äöü"));
        assertThat(value(TRUNCATE, 3, VARCHAR, utf8Slice("äö"))).isEqualTo(utf8Slice("äö"));
        assertThat(value(TRUNCATE, 3, VARCHAR, utf8Slice(""))).isEqualTo(utf8Slice(""));
        assertThat(value(TRUNCATE, 3, createCharType(9), utf8Slice("a"))).isEqualTo(utf8Slice("a"));
        // spaces at the end of a char value are padding, so these are equal
        assertThat(key(TRUNCATE, 2, createCharType(9), utf8Slice("a b"))).isEqualTo(key(TRUNCATE, 2, createCharType(9), utf8Slice("a")));
        assertThat(value(TRUNCATE, 2, createCharType(9), utf8Slice("a b"))).isEqualTo(utf8Slice("a"));
        assertThat(value(TRUNCATE, 2, VARCHAR, utf8Slice("a b"))).isEqualTo(utf8Slice("a "));
        assertThat(value(TRUNCATE, 2, VARBINARY, Slices.wrappedBuffer(new byte[] {1, 2, 3}))).isEqualTo(Slices.wrappedBuffer(new byte[] {1, 2}));
    }

    /**
     * Values that are equal in SQL are in the same partition.
     */
    @Test
    void testEqualValues()
    {
        assertThat(key(IDENTITY, 0, DOUBLE, 0.0)).isEqualTo(key(IDENTITY, 0, DOUBLE, -0.0));
        assertThat(key(IDENTITY, 0, DOUBLE, NaN)).isEqualTo(key(IDENTITY, 0, DOUBLE, Double.longBitsToDouble(0x7FF8000000000001L)));
        assertThat(key(IDENTITY, 0, DOUBLE, NaN)).isNotEqualTo(key(IDENTITY, 0, DOUBLE, 1.0));
        assertThat(key(IDENTITY, 0, DOUBLE, 0.5)).isEqualTo(key(IDENTITY, 0, REAL, (long) floatToRawIntBits(0.5f)));
        assertThat(key(IDENTITY, 0, TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(5, UTC_KEY))).isEqualTo(key(IDENTITY, 0, TIMESTAMP_TZ_MILLIS, packDateTimeWithZone(5, getTimeZoneKey("Asia/Tokyo"))));
        assertThat(key(IDENTITY, 0, TINYINT, -5L)).isEqualTo(key(IDENTITY, 0, BIGINT, -5L));
        assertThat(key(IDENTITY, 0, createDecimalType(5, 2), -5L)).isEqualTo(key(IDENTITY, 0, createDecimalType(30, 2), Int128.valueOf(-5)));
        assertThat(key(IDENTITY, 0, VARCHAR, null)).isNotEqualTo(key(IDENTITY, 0, VARCHAR, utf8Slice("")));
        assertThat(value(IDENTITY, 0, REAL, (long) floatToRawIntBits(-2.5f))).isEqualTo((long) floatToRawIntBits(-2.5f));
        assertThat(value(BUCKET, 4, VARCHAR, null)).isNull();
    }

    /**
     * No two lists of values have the same bytes.
     */
    @Test
    void testSeveralFields()
    {
        List<PartitionField> fields = ImmutableList.of(new PartitionField(1, IDENTITY, 0), new PartitionField(2, IDENTITY, 0));
        PartitionKeys keys = new PartitionKeys(fields, ImmutableList.of(VARCHAR, VARCHAR), new int[] {0, 1});
        Page page = new Page(block(VARCHAR, utf8Slice("a")), block(VARCHAR, utf8Slice("bc")));
        Page other = new Page(block(VARCHAR, utf8Slice("ab")), block(VARCHAR, utf8Slice("c")));
        Slice key = keys.get(page, 0, PartitionKeys.newBuffer()).copy();
        assertThat(keys.get(other, 0, PartitionKeys.newBuffer())).isNotEqualTo(key);
        assertThat(keys.values(key)).extracting(PartitionValue::columnId).containsExactly(1, 2);
        assertThat(keys.values(key)).extracting(value -> new String(value.value().orElseThrow())).containsExactly("a", "bc");
        assertThat(PartitionFields.match(fields, keys.values(key))).isTrue();
        assertThat(PartitionFields.match(fields.reversed(), keys.values(key))).isFalse();
    }

    @Test
    void testLongValue()
    {
        assertThat(value(IDENTITY, 0, VARCHAR, utf8Slice("x".repeat(1024)))).isEqualTo(utf8Slice("x".repeat(1024)));
        assertThatThrownBy(() -> key(IDENTITY, 0, VARCHAR, utf8Slice("x".repeat(1025))))
                .isInstanceOf(TableException.class)
                .hasMessage("Rows cannot be partitioned by a value of 1025 bytes, because the values of a partition can have at most 1024 bytes. Use the function truncate or bucket in the table property partitioned_by");
        assertThat(value(TRUNCATE, 3, VARCHAR, utf8Slice("x".repeat(1025)))).isEqualTo(utf8Slice("xxx"));
    }

    @ParameterizedTest
    @EnumSource(PartitionTransform.class)
    void testNestedTypes(PartitionTransform transform)
    {
        assertThat(PartitionTypes.isSupported(transform, new ArrayType(BIGINT))).isFalse();
    }

    private static Object value(PartitionTransform transform, int parameter, Type type, Object value)
    {
        Optional<byte[]> bytes = key(transform, parameter, type, value).getFirst().value();
        return bytes.map(found -> PartitionBytes.toNativeValue(PartitionTypes.resultType(transform, type), found)).orElse(null);
    }

    private static List<PartitionValue> key(PartitionTransform transform, int parameter, Type type, Object value)
    {
        PartitionKeys keys = new PartitionKeys(ImmutableList.of(new PartitionField(1, transform, parameter)), ImmutableList.of(type), new int[] {0});
        return keys.values(keys.get(new Page(block(type, value)), 0, PartitionKeys.newBuffer()));
    }

    private static Block block(Type type, Object value)
    {
        BlockBuilder builder = type.createBlockBuilder(null, 1);
        writeNativeValue(type, builder, value);
        return builder.build();
    }
}
