package io.albis.trino.changes;

import com.google.common.collect.ImmutableList;
import io.albis.format.type.EqualValues;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

import static io.trino.spi.block.ArrayValueBuilder.buildArrayValue;
import static io.trino.spi.block.MapValueBuilder.buildMapValue;
import static io.trino.spi.block.RowValueBuilder.buildRowValue;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.packTimeWithTimeZone;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimeWithTimeZoneType.TIME_TZ_MILLIS;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimeZoneKey.getTimeZoneKeyForOffset;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_PICOS;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

final class TestValueComparison
{
    private static final TypeOperators OPERATORS = new TypeOperators();
    private static final Type MAP = new MapType(VARCHAR, BIGINT, OPERATORS);

    @Test
    void testBitsOfReal()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] bits = {0, 1 << 31, 0x7FC00000, 0xFFC00000, 0x7FC00001, 0x7F800001, 0xFFFFFFFF, 0x7F800000, 0x7FC00000 | random.nextInt(1 << 22), 1};
        Block block = new IntArrayBlock(bits.length, Optional.empty(), bits);
        for (int left = 0; left < bits.length; left++) {
            for (int right = 0; right < bits.length; right++) {
                assertSame(REAL, block.getSingleValueBlock(left), block.getSingleValueBlock(right), bits[left] == bits[right], "seed %s: %x and %x".formatted(seed, bits[left], bits[right]));
            }
        }
    }

    /**
     * The engine replaces the bits of NaN.
     */
    @Test
    void testBitsOfDouble()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long quiet = 0x7FF8000000000000L;
        long[] bits = {0, 1L << 63, quiet, quiet | 1L << 63, quiet | 1, 0x7FF0000000000001L, -1, 0x7FF0000000000000L, quiet | random.nextLong(1L << 51), 1};
        Block block = new LongArrayBlock(bits.length, Optional.empty(), bits);
        for (int left = 0; left < bits.length; left++) {
            for (int right = 0; right < bits.length; right++) {
                assertSame(DOUBLE, block.getSingleValueBlock(left), block.getSingleValueBlock(right), bits[left] == bits[right] || (isNaN(bits[left]) && isNaN(bits[right])), "seed %s: %x and %x".formatted(seed, bits[left], bits[right]));
            }
        }
    }

    private static boolean isNaN(long bits)
    {
        return Double.isNaN(Double.longBitsToDouble(bits));
    }

    @Test
    void testTimeZones()
    {
        assertDifferent(TIMESTAMP_TZ_MILLIS, ImmutableList.of(packDateTimeWithZone(5, UTC_KEY), packDateTimeWithZone(5, getTimeZoneKeyForOffset(60)), packDateTimeWithZone(6, UTC_KEY)));
        assertDifferent(TIMESTAMP_TZ_PICOS, ImmutableList.of(
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(5, 0, UTC_KEY),
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(5, 0, getTimeZoneKeyForOffset(60)),
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(5, 1, UTC_KEY)));
        long hour = 3_600_000_000_000L;
        assertDifferent(TIME_TZ_MILLIS, ImmutableList.of(packTimeWithTimeZone(hour, 0), packTimeWithTimeZone(2 * hour, 60), packTimeWithTimeZone(2 * hour, 0)));
    }

    /**
     * The order of the entries of a map does not matter to SQL.
     */
    @Test
    void testMaps()
    {
        Type arrays = new ArrayType(MAP);
        Type rows = RowType.anonymous(ImmutableList.of(VARCHAR, MAP));
        Type keys = new MapType(RowType.anonymous(ImmutableList.of(BIGINT, DOUBLE)), VARCHAR, OPERATORS);
        List<List<String>> maps = ImmutableList.of(ImmutableList.of(), ImmutableList.of("a"), ImmutableList.of("a", "b"), ImmutableList.of("b", "a"), ImmutableList.of("a", "c"), ImmutableList.of("a", "b", "c"), ImmutableList.of("a", "null"));
        assertDifferent(MAP, maps.stream().map(TestValueComparison::map).toList());
        assertDifferent(arrays, maps.stream().map(map -> (Object) buildArrayValue((ArrayType) arrays, 2, elements -> {
            MAP.writeObject(elements, map(map));
            elements.appendNull();
        })).toList());
        assertDifferent(rows, maps.stream().map(map -> (Object) buildRowValue((RowType) rows, fields -> {
            fields.get(0).appendNull();
            MAP.writeObject(fields.get(1), map(map));
        })).toList());
        assertDifferent(keys, ImmutableList.of(map(keys, 0.0, 1.0), map(keys, -0.0, 1.0), map(keys, 1.0, 0.0), map(keys, Double.NaN, 0.0)));
        // without a value that can differ
        assertThat(EqualValues.canDiffer(new ArrayType(VARCHAR))).isFalse();
        assertDifferent(new ArrayType(BIGINT), ImmutableList.of(longs(), longs(1), longs(1, 2), longs(2, 1)));
        for (Type type : ImmutableList.of(MAP, arrays, rows, keys)) {
            assertThat(EqualValues.canDiffer(type)).isTrue();
        }
    }

    /**
     * The engine could replace a value that is run-length encoded by another one.
     */
    @Test
    void testProtectedValues()
    {
        assertProtected(MAP, map(ImmutableList.of("a", "b")), true);
        assertProtected(DOUBLE, 0.0, true);
        assertProtected(DOUBLE, Double.NaN, false);
        assertProtected(DOUBLE, 1.0, false);
        assertProtected(REAL, (long) 0xFFC00001, true);
        assertProtected(REAL, 0x7F800000L, false);
        assertProtected(BIGINT, 0L, false);
        Block nulls = RunLengthEncodedBlock.create(MAP, null, 3);
        assertThat(EqualValues.protect(MAP, nulls)).isSameAs(nulls);
    }

    private static void assertProtected(Type type, Object value, boolean isProtected)
    {
        Block block = RunLengthEncodedBlock.create(writeNativeValue(type, value), 3);
        Block result = EqualValues.protect(type, block);
        assertThat(result instanceof DictionaryBlock).isEqualTo(isProtected);
        assertThat(result.getPositionCount()).isEqualTo(3);
        for (int position = 0; position < 3; position++) {
            assertThat(ValueComparison.of(type, OPERATORS).isSame(result, position, block, position)).isTrue();
        }
    }

    private static Object map(List<String> keys)
    {
        return buildMapValue((MapType) MAP, keys.size(), (keyBuilder, valueBuilder) -> {
            for (String key : keys) {
                VARCHAR.writeString(keyBuilder, key);
                if (key.equals("null")) {
                    valueBuilder.appendNull();
                }
                else {
                    BIGINT.writeLong(valueBuilder, key.charAt(0));
                }
            }
        });
    }

    private static Object map(Type type, double... numbers)
    {
        MapType map = (MapType) type;
        return buildMapValue(map, numbers.length, (keyBuilder, valueBuilder) -> {
            for (double number : numbers) {
                map.getKeyType().writeObject(keyBuilder, buildRowValue((RowType) map.getKeyType(), fields -> {
                    BIGINT.writeLong(fields.get(0), 1);
                    DOUBLE.writeDouble(fields.get(1), number);
                }));
                VARCHAR.writeString(valueBuilder, "value");
            }
        });
    }

    private static Object longs(long... values)
    {
        Consumer<BlockBuilder> elements = builder -> {
            for (long value : values) {
                BIGINT.writeLong(builder, value);
            }
        };
        return buildArrayValue(new ArrayType(BIGINT), values.length, elements::accept);
    }

    /**
     * Asserts that each value is the same as itself only, also beside other values in its block, and that null is the
     * same as null.
     */
    private static void assertDifferent(Type type, List<Object> values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.size() + 1);
        builder.appendNull();
        for (Object value : values) {
            builder.append(writeNativeValue(type, value), 0);
        }
        Block block = builder.build();
        for (int left = 0; left <= values.size(); left++) {
            for (int right = 0; right <= values.size(); right++) {
                assertThat(ValueComparison.of(type, OPERATORS).isSame(block, left, block, right)).as("%s: values %s and %s", type, left, right).isEqualTo(left == right);
                assertSame(type, block.getSingleValueBlock(left), block.getSingleValueBlock(right), left == right, "%s: values %s and %s".formatted(type, left, right));
                assertSame(type, block.getRegion(left, 1), block.getSingleValueBlock(right), left == right, "%s: values %s and %s".formatted(type, left, right));
            }
        }
    }

    private static void assertSame(Type type, Block left, Block right, boolean same, String description)
    {
        assertThat(ValueComparison.of(type, OPERATORS).isSame(left, 0, right, 0)).as(description).isEqualTo(same);
    }
}
