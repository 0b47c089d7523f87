package io.albis.table.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Longs;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.PartitionTypes;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.airlift.slice.Slices.wrappedBuffer;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.model.PartitionTransform.BUCKET;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.albis.table.model.PartitionTransform.TRUNCATE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.SmallintType.SMALLINT;
import static io.trino.spi.type.TimeType.TIME_PICOS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.TimestampType.TIMESTAMP_PICOS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_PICOS;
import static io.trino.spi.type.Timestamps.PICOSECONDS_PER_DAY;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Double.doubleToLongBits;
import static java.lang.Float.floatToIntBits;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestPartitionValues
{
    private static final Map<Type, List<Object>> EXTREMES = ImmutableMap.<Type, List<Object>>builder()
            .put(BOOLEAN, ImmutableList.of(false, true))
            .put(TINYINT, ImmutableList.of((long) Byte.MIN_VALUE, (long) Byte.MAX_VALUE))
            .put(SMALLINT, ImmutableList.of((long) Short.MIN_VALUE, (long) Short.MAX_VALUE))
            .put(INTEGER, ImmutableList.of((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE))
            .put(BIGINT, ImmutableList.of(Long.MIN_VALUE, Long.MAX_VALUE))
            .put(REAL, ImmutableList.of((long) floatToIntBits(-0f), (long) floatToIntBits(Float.NaN), (long) 0xFFC00001, (long) floatToIntBits(Float.MIN_VALUE), (long) floatToIntBits(-Float.MAX_VALUE), (long) floatToIntBits(Float.NEGATIVE_INFINITY)))
            .put(DOUBLE, ImmutableList.of(-0.0, Double.NaN, Double.MIN_VALUE, -Double.MAX_VALUE, Double.POSITIVE_INFINITY))
            .put(createDecimalType(18, 2), ImmutableList.of(-999_999_999_999_999_999L, 999_999_999_999_999_999L))
            .put(createDecimalType(38, 2), ImmutableList.of(Int128.valueOf(-1), Int128.valueOf(Long.MAX_VALUE, -1)))
            .put(DATE, ImmutableList.of((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE))
            .put(TIME_PICOS, ImmutableList.of(0L, PICOSECONDS_PER_DAY - 1))
            .put(TIMESTAMP_MICROS, ImmutableList.of(Long.MIN_VALUE, Long.MAX_VALUE))
            .put(TIMESTAMP_PICOS, ImmutableList.of(new LongTimestamp(Long.MIN_VALUE, 0), new LongTimestamp(Long.MAX_VALUE, 999_999)))
            .put(TIMESTAMP_TZ_MILLIS, ImmutableList.of(packDateTimeWithZone(-(1L << 50), TimeZoneKey.UTC_KEY), packDateTimeWithZone(1L << 50, TimeZoneKey.getTimeZoneKeyForOffset(60))))
            .put(TIMESTAMP_TZ_PICOS, ImmutableList.of(LongTimestampWithTimeZone.fromEpochMillisAndFraction(-(1L << 50), 999_999_999, TimeZoneKey.UTC_KEY)))
            .put(createCharType(3), ImmutableList.of(utf8Slice(""), utf8Slice("a b")))
            .put(VARCHAR, ImmutableList.of(utf8Slice(""), utf8Slice("ä ")))
            .put(VARBINARY, ImmutableList.of(utf8Slice(""), wrappedBuffer((byte) -1)))
            .put(UUID, ImmutableList.of(wrappedBuffer(new byte[16])))
            .buildOrThrow();

    /**
     * Values that a writer stores are valid.
     */
    @Test
    void testWrittenValues()
    {
        EXTREMES.forEach((type, values) -> {
            for (PartitionTransform transform : PartitionTransform.values()) {
                if (PartitionTypes.isSupported(transform, type)) {
                    PartitionField field = new PartitionField(1, transform, transform.isParameterized() ? 3 : 0);
                    PartitionKeys keys = new PartitionKeys(ImmutableList.of(field), ImmutableList.of(type), new int[] {0});
                    for (Object value : values) {
                        Block block = writeNativeValue(type, value);
                        byte[] bytes = keys.values(keys.get(new Page(block), 0, PartitionKeys.newBuffer())).getFirst().value().orElseThrow();
                        assertThatCode(() -> PartitionValues.check(field, type, bytes)).as("%s of %s %s", transform, type, value).doesNotThrowAnyException();
                    }
                }
            }
        });
    }

    @Test
    void testDamagedValues()
    {
        for (Type type : EXTREMES.keySet()) {
            if (type != VARCHAR && type != VARBINARY && !type.equals(createCharType(3))) {
                for (int length : new int[] {0, 3, 9, 17}) {
                    assertDamaged(IDENTITY, type, new byte[length], "it has %s bytes instead of ".formatted(length));
                }
            }
        }
        assertDamaged(IDENTITY, BOOLEAN, bytes(2), "it is 2");
        assertDamaged(IDENTITY, TINYINT, bytes(128), "it is 128");
        assertDamaged(IDENTITY, SMALLINT, bytes(-32769), "it is -32769");
        assertDamaged(IDENTITY, INTEGER, bytes(1L << 31), "it is 2147483648");
        assertDamaged(IDENTITY, DATE, bytes(1L << 31), "it is 2147483648");
        assertDamaged(IDENTITY, TIME_PICOS, bytes(PICOSECONDS_PER_DAY), "it is 86400000000000000");
        assertDamaged(IDENTITY, TIME_PICOS, bytes(-1), "it is -1");
        assertDamaged(IDENTITY, DOUBLE, bytes(doubleToLongBits(-0.0)), "-0.0 has the bits 8000000000000000");
        assertDamaged(IDENTITY, DOUBLE, bytes(0x7FF8000000000001L), "NaN has the bits 7ff8000000000001");
        assertDamaged(IDENTITY, REAL, bytes(doubleToLongBits(0.1)), "it is 0.1");
        assertDamaged(IDENTITY, createDecimalType(18, 2), new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "its unscaled value is 18446744073709551616");
        assertDamaged(IDENTITY, TIMESTAMP_PICOS, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1}, "");
        assertDamaged(IDENTITY, TIMESTAMP_TZ_MILLIS, bytes(Long.MAX_VALUE), "");
        assertDamaged(IDENTITY, createCharType(3), new byte[] {'a', ' '}, "it ends with padding");
        assertDamaged(BUCKET, VARCHAR, bytes(3), "it is bucket 3 of 3");
        assertDamaged(BUCKET, VARCHAR, bytes(-1), "it is bucket -1 of 3");
        assertDamaged(BUCKET, VARCHAR, new byte[4], "it has 4 bytes instead of 8");
        assertDamaged(TRUNCATE, BIGINT, new byte[4], "it has 4 bytes instead of 8");
        for (PartitionTransform unit : ImmutableList.of(PartitionTransform.YEAR, PartitionTransform.MONTH, PartitionTransform.DAY)) {
            assertDamaged(unit, DATE, new byte[4], "it has 4 bytes instead of 8");
            assertDamaged(unit, DATE, bytes(1L << 32), "it is 4294967296");
        }
        assertDamaged(PartitionTransform.HOUR, TIMESTAMP_MICROS, new byte[4], "it has 4 bytes instead of 8");
    }

    private static void assertDamaged(PartitionTransform transform, Type type, byte[] bytes, String reason)
    {
        int parameter = transform.isParameterized() ? 3 : 0;
        RowGroup rowGroup = oneRow().withPartition(ImmutableList.of(new PartitionValue(7, transform.code(), parameter, Optional.of(bytes))));
        AlbisColumn column = new AlbisColumn(7, "column", type);
        Object value = EXTREMES.get(type).getFirst();
        String message = "Damaged Albis table: the partition of row group %s has a value of %s of column 7 that is not valid for type %s: %s".formatted(rowGroup.id(), transform.label(), type.getDisplayName(), reason);
        for (Domain domain : ImmutableList.of(Domain.singleValue(type, value), Domain.notNull(type))) {
            RowGroupPredicate predicate = new RowGroupPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)));
            assertThatThrownBy(() -> predicate.overlaps(rowGroup))
                    .isInstanceOf(UncheckedIOException.class)
                    .cause()
                    .isInstanceOf(AlbisDataException.class)
                    .hasMessageStartingWith(message);
        }
    }

    private static byte[] bytes(long value)
    {
        return Longs.toByteArray(Long.reverseBytes(value));
    }
}
