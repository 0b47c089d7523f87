package io.albis.table.sketch;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.stats.cardinality.HyperLogLog;
import io.albis.format.RandomBlocks;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.LongTimeWithTimeZone;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION_NOT_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.DateTimeEncoding.packTimeWithTimeZone;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimeWithTimeZoneType.createTimeWithTimeZoneType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Float.floatToRawIntBits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

class TestColumnSketches
{
    private static final int ROUNDS = 8;
    private static final TypeOperators TYPE_OPERATORS = new TypeOperators();

    static List<Type> types()
    {
        return RandomBlocks.TYPES;
    }

    @ParameterizedTest
    @MethodSource("types")
    void testRandomTables(Type type)
            throws Throwable
    {
        long seed = new Random().nextLong();
        System.out.println("Sketches of %s by seed %s".formatted(type, seed));
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            double nulls = random.nextInt(3) * 0.4;
            List<Block> blocks = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToObj(_ -> RandomBlocks.randomBlock(random, type, 1 + random.nextInt(3000), nulls))
                    .toList();
            checkWriters(random, type, blocks);
        }
    }

    @Test
    void testLargeEntryOfLargeDictionary()
    {
        // One copy of the entry for each row would take 8 GB
        int rows = 8192;
        int size = 1 << 20;
        int[] offsets = new int[rows + 2];
        Arrays.fill(offsets, 1, offsets.length, size);
        Block dictionary = new VariableWidthBlock(rows + 1, Slices.allocate(size), offsets, Optional.empty());
        PageSketcher sketcher = new PageSketcher(ImmutableList.of(AlbisColumn.make(1, "text", VARCHAR)));
        sketcher.append(new Page(DictionaryBlock.create(rows, dictionary, new int[rows])));
        PageSketcher run = new PageSketcher(ImmutableList.of(AlbisColumn.make(1, "text", VARCHAR)));
        run.append(new Page(RunLengthEncodedBlock.create(VARCHAR, Slices.allocate(size), rows)));
        assertThat(encode(sketcher.finish())).isEqualTo(encode(run.finish()));
    }

    @Test
    void testNestedColumn()
    {
        Type array = new ArrayType(BIGINT);
        PageSketcher sketcher = new PageSketcher(ImmutableList.of(AlbisColumn.make(1, "a", array), AlbisColumn.make(2, "n", BIGINT)));
        sketcher.append(new Page(RunLengthEncodedBlock.create(array, null, 2), RunLengthEncodedBlock.create(BIGINT, null, 2)));
        assertThat(sketcher.finish().columns().keySet()).containsExactly(2);
    }

    private static Slice encode(ColumnSketches sketches)
    {
        DynamicSliceOutput output = new DynamicSliceOutput(1024);
        SketchCodec.write(sketches, output);
        return output.slice();
    }

    /**
     * However the rows are split among writers, their merged sketches are identical, and the estimate is close to the
     * actual number.
     */
    private static void checkWriters(Random random, Type type, List<Block> blocks)
            throws Throwable
    {
        ColumnSketch whole = sketch(type, blocks);
        List<List<Block>> writers = ImmutableList.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        blocks.forEach(block -> writers.get(random.nextInt(writers.size())).add(block));
        List<ColumnSketch> sketches = writers.stream()
                .map(writer -> sketch(type, writer))
                .toList();
        assertSame(ColumnSketch.merge(sketches), whole);
        assertSame(ColumnSketch.merge(sketches.reversed()), whole);
        assertSame(ColumnSketch.merge(ImmutableList.of(whole, whole)), new ColumnSketch(1, 2 * whole.values(), 2 * whole.bytes(), whole.distinct()));

        assertThat(whole.values()).isEqualTo(blocks.stream().mapToLong(TestColumnSketches::values).sum());
        assertThat(whole.bytes()).isEqualTo(blocks.stream().mapToLong(TestColumnSketches::bytes).sum());
        int distinct = distinctValues(type, blocks);
        if (distinct < 200) {
            // A small number of distinct values is exact, unless two of them have the same 26 bits
            assertThat((double) whole.distinctValues()).as(type.getDisplayName()).isBetween(distinct - 2.0, (double) distinct);
        }
        else {
            assertThat(whole.distinctValues()).as(type.getDisplayName()).isCloseTo(distinct, withPercentage(12));
        }
    }

    /**
     * Compares the dense form of the sketches. The registers are identical, but the sparse list depends on how it was
     * built.
     */
    private static void assertSame(ColumnSketch actual, ColumnSketch expected)
    {
        assertThat(actual.values()).isEqualTo(expected.values());
        assertThat(actual.bytes()).isEqualTo(expected.bytes());
        assertThat(dense(actual)).isEqualTo(dense(expected));
    }

    private static Slice dense(ColumnSketch sketch)
    {
        HyperLogLog distinct = HyperLogLogFormat.toHyperLogLog(sketch.distinct());
        distinct.makeDense();
        return distinct.serialize();
    }

    @ParameterizedTest
    @MethodSource("types")
    void testForms(Type type)
    {
        Random random = new Random(17);
        for (int round = 0; round < ROUNDS; round++) {
            Block block = RandomBlocks.randomBlock(random, type, 1 + random.nextInt(3000), 0.3);
            Block flat = flat(block);
            ColumnSketch expected = sketch(type, ImmutableList.of(flat));
            assertThat(sketch(type, ImmutableList.of(block))).isEqualTo(expected);
            // A dictionary with more values than the column, and a column with more values than the dictionary
            int[] positions = IntStream.range(0, block.getPositionCount()).toArray();
            Block more = flat.copyPositions(positions, 0, positions.length / 2 + 1);
            assertThat(sketch(type, ImmutableList.of(DictionaryBlock.create(more.getPositionCount(), flat, positions))))
                    .isEqualTo(sketch(type, ImmutableList.of(more)));
            int[] repeated = IntStream.range(0, 3 * positions.length).map(position -> position % (positions.length / 2 + 1)).toArray();
            assertThat(sketch(type, ImmutableList.of(DictionaryBlock.create(repeated.length, flat, repeated))))
                    .isEqualTo(sketch(type, ImmutableList.of(flat.copyPositions(repeated, 0, repeated.length))));
            Block run = RunLengthEncodedBlock.create(block.getSingleValueBlock(0), 1000);
            assertThat(sketch(type, ImmutableList.of(run))).isEqualTo(sketch(type, ImmutableList.of(flat(run))));
        }
    }

    @Test
    void testManyValues()
    {
        for (int count : new int[] {1, 10, 200, 300, 1000, 3000, 10_000, 100_000}) {
            checkMany(count, BIGINT, i -> (long) i);
            checkMany(count, BIGINT, i -> i * 1_000_000L);
            checkMany(count, BIGINT, i -> -(long) i << 32);
            checkMany(count, INTEGER, i -> (long) i);
            checkMany(count, DOUBLE, i -> i / 4.0);
            checkMany(count, REAL, i -> (long) floatToRawIntBits(i));
            checkMany(count, createDecimalType(7, 2), i -> (long) i * 5);
            checkMany(count, UUID, i -> utf8Slice("%016d".formatted(i)));
            checkMany(count, VARCHAR, i -> utf8Slice(Integer.toString(i)));
            checkMany(count, VARCHAR, i -> utf8Slice("a text that is longer " + i));
            checkMany(count, VARCHAR, i -> utf8Slice("\0".repeat(i % 50) + i / 50));
            checkMany(count, createCharType(20), i -> utf8Slice("Clerk#%09d".formatted(i)));
        }
    }

    private static void checkMany(int count, Type type, Function<Integer, Object> values)
    {
        BlockBuilder block = type.createBlockBuilder(null, count);
        for (int i = 0; i < count; i++) {
            TypeUtils.writeNativeValue(type, block, values.apply(i));
        }
        ColumnSketch sketch = sketch(type, ImmutableList.of(block.build(), block.build()));
        assertThat(sketch.values()).isEqualTo(2 * count);
        assertThat(sketch.distinctValues()).as("%s of %s", count, type.getDisplayName()).isCloseTo(count, withPercentage(10));
    }

    @Test
    void testEqualValues()
    {
        assertOneValue(DOUBLE, 0.0, -0.0);
        assertOneValue(DOUBLE, Double.NaN, Double.longBitsToDouble(0x7FF8000000000001L), Double.longBitsToDouble(0xFFF8000000000000L));
        assertOneValue(REAL, (long) floatToRawIntBits(0.0f), (long) floatToRawIntBits(-0.0f));
        assertOneValue(REAL, (long) 0x7FC00000, (long) 0x7FC00001);
        // Blocks should not contain padded values, and equal values must not count as two
        Block padded = new VariableWidthBlock(3, utf8Slice("aa a    "), new int[] {0, 1, 3, 8}, Optional.empty());
        assertThat(sketch(createCharType(5), ImmutableList.of(padded)).distinctValues()).isEqualTo(1);
        assertOneValue(
                createTimestampWithTimeZoneType(3),
                packDateTimeWithZone(1_000_000, TimeZoneKey.UTC_KEY),
                packDateTimeWithZone(1_000_000, TimeZoneKey.getTimeZoneKeyForOffset(60)));
        assertOneValue(
                createTimestampWithTimeZoneType(12),
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(1_000_000, 5, TimeZoneKey.UTC_KEY),
                LongTimestampWithTimeZone.fromEpochMillisAndFraction(1_000_000, 5, TimeZoneKey.getTimeZoneKeyForOffset(60)));
        assertOneValue(
                createTimeWithTimeZoneType(9),
                packTimeWithTimeZone(1_800_000_000_000L, 60),
                packTimeWithTimeZone(23 * 3_600_000_000_000L + 1_800_000_000_000L, 0));
        assertOneValue(
                createTimeWithTimeZoneType(12),
                new LongTimeWithTimeZone(1_800_000_000_000_000L, 60),
                new LongTimeWithTimeZone(23 * 3_600_000_000_000_000L + 1_800_000_000_000_000L, 0));
        assertThat(distinctValues(VARCHAR, utf8Slice("a"), utf8Slice("a "), utf8Slice("a\0"), utf8Slice(""), utf8Slice("\0"))).isEqualTo(5);
    }

    private static void assertOneValue(Type type, Object... values)
    {
        assertThat(distinctValues(type, values)).as(type.getDisplayName()).isEqualTo(1);
    }

    private static long distinctValues(Type type, Object... values)
    {
        BlockBuilder block = type.createBlockBuilder(null, values.length);
        for (Object value : values) {
            TypeUtils.writeNativeValue(type, block, value);
        }
        return sketch(type, ImmutableList.of(block.build())).distinctValues();
    }

    @Test
    void testNothing()
    {
        ColumnSketch empty = sketch(VARCHAR, ImmutableList.of());
        assertThat(empty.values()).isZero();
        assertThat(empty.distinctValues()).isZero();
        assertThat(empty.distinct().length()).isLessThan(10);
        Block nulls = RunLengthEncodedBlock.create(VARCHAR, null, 1000);
        assertThat(sketch(VARCHAR, ImmutableList.of(nulls, flat(nulls)))).isEqualTo(empty);
        assertThat(ColumnSketch.merge(ImmutableList.of(empty, empty))).isEqualTo(empty);
    }

    @Test
    void testSizes()
    {
        assertThat(sketchOf(10).distinct().length()).isEqualTo(44);
        assertThat(sketchOf(100_000).distinct().length()).isCloseTo(1029, offset(60));
    }

    @Test
    void testColumnsOfSomeParts()
    {
        ColumnSketch one = sketch(BIGINT, ImmutableList.of());
        ColumnSketch two = new ColumnSketch(2, 0, 0, one.distinct());
        assertThat(ColumnSketches.merge(ImmutableList.of()).columns()).isEmpty();
        assertThat(ColumnSketches.merge(ImmutableList.of(ColumnSketches.of(ImmutableList.of(one, two)), ColumnSketches.of(ImmutableList.of(two)))).columns()).containsOnlyKeys(2);
        assertThat(ColumnSketches.merge(ImmutableList.of(ColumnSketches.of(ImmutableList.of(one)), ColumnSketches.NONE)).columns()).isEmpty();
    }

    /**
     * New values may replace nulls, and may be longer than the others.
     */
    @Test
    void testReplacedValues()
    {
        ColumnSketch empty = sketch(VARCHAR, ImmutableList.of());
        ColumnSketch few = sketch(VARCHAR, ImmutableList.of(RunLengthEncodedBlock.create(VARCHAR, utf8Slice("a"), 10)));
        ColumnSketch many = sketch(VARCHAR, ImmutableList.of(texts("a long text ", 1000)));
        ColumnSketch other = new ColumnSketch(2, 7, 0, few.distinct());
        assertThat(replace(empty, many)).isEqualTo(new ColumnSketch(1, 1000, many.bytes(), replace(empty, many).distinct()));
        assertThat(replace(empty, many).distinctValues()).isEqualTo(many.distinctValues());
        assertThat(replace(many, empty)).isEqualTo(replace(empty, many));
        ColumnSketch replaced = replace(few, many);
        assertThat(replaced.distinctValues()).isCloseTo(1000, withPercentage(10));
        assertThat(replaced.values()).isEqualTo(1000);
        assertThat(replaced.bytes()).isEqualTo(Math.round((many.bytes() + 10) / 1010.0 * 1000));
        assertThat(replace(replaced, many).values()).isEqualTo(1000);
        assertThat(replace(empty, empty)).isEqualTo(empty);
        assertThat(ColumnSketches.of(ImmutableList.of(few, other)).withReplaced(ColumnSketches.of(ImmutableList.of(many)), _ -> false).get(2)).contains(other);
        // The values of a column without a sketch are unknown, unless it had none
        assertThat(ColumnSketches.of(ImmutableList.of(other)).withReplaced(ColumnSketches.of(ImmutableList.of(many)), _ -> false).get(1)).isEmpty();
        assertThat(ColumnSketches.of(ImmutableList.of(other)).withReplaced(ColumnSketches.of(ImmutableList.of(many)), columnId -> columnId == 1).get(1)).contains(many);
    }

    private static ColumnSketch replace(ColumnSketch oldValues, ColumnSketch newValues)
    {
        return ColumnSketches.of(ImmutableList.of(oldValues)).withReplaced(ColumnSketches.of(ImmutableList.of(newValues)), _ -> false).get(1).orElseThrow();
    }

    private static Block texts(String prefix, int count)
    {
        BlockBuilder block = VARCHAR.createBlockBuilder(null, count);
        for (int i = 0; i < count; i++) {
            VARCHAR.writeSlice(block, utf8Slice(prefix + i));
        }
        return block.build();
    }

    @Test
    void testLimit()
    {
        List<ColumnSketch> columns = IntStream.range(0, 100)
                .mapToObj(id -> new ColumnSketch(id, 1000, 0, sketchOf(1000).distinct()))
                .toList();
        ColumnSketches sketches = ColumnSketches.of(columns.reversed());
        long size = columns.getFirst().distinct().length();
        assertThat(sketches.limit(100 * size)).isEqualTo(sketches);
        assertThat(sketches.limit(3 * size + 1).columns()).containsOnlyKeys(0, 1, 2);
        assertThat(sketches.limit(0).columns()).isEmpty();
    }

    private static ColumnSketch sketchOf(int count)
    {
        BlockBuilder block = BIGINT.createBlockBuilder(null, count);
        for (int i = 0; i < count; i++) {
            BIGINT.writeLong(block, i);
        }
        return sketch(BIGINT, ImmutableList.of(block.build()));
    }

    private static ColumnSketch sketch(Type type, List<Block> blocks)
    {
        PageSketcher sketcher = new PageSketcher(ImmutableList.of(AlbisColumn.make(1, "c", type)));
        blocks.forEach(block -> sketcher.append(new Page(block)));
        assertThat(sketcher.retainedSize()).isPositive();
        return sketcher.finish().get(1).orElseThrow();
    }

    private static Block flat(Block block)
    {
        int[] positions = IntStream.range(0, block.getPositionCount()).map(block::getUnderlyingValuePosition).toArray();
        return block.getUnderlyingValueBlock().copyPositions(positions, 0, positions.length);
    }

    private static long values(Block block)
    {
        return IntStream.range(0, block.getPositionCount())
                .filter(position -> !block.isNull(position))
                .count();
    }

    private static long bytes(Block block)
    {
        if (!(block.getUnderlyingValueBlock() instanceof VariableWidthBlock values)) {
            return 0;
        }
        return IntStream.range(0, block.getPositionCount())
                .filter(position -> !block.isNull(position))
                .map(position -> values.getSliceLength(block.getUnderlyingValuePosition(position)))
                .sum();
    }

    /**
     * Counts distinct values with the operators of the type.
     */
    private static int distinctValues(Type type, List<Block> blocks)
            throws Throwable
    {
        MethodHandle hash = TYPE_OPERATORS.getXxHash64Operator(type, simpleConvention(FAIL_ON_NULL, BLOCK_POSITION_NOT_NULL));
        MethodHandle identical = TYPE_OPERATORS.getIdenticalOperator(type, simpleConvention(FAIL_ON_NULL, BLOCK_POSITION, BLOCK_POSITION));
        Map<Long, List<Block>> distinct = new HashMap<>();
        int count = 0;
        for (Block block : blocks) {
            for (int position = 0; position < block.getPositionCount(); position++) {
                if (block.isNull(position)) {
                    continue;
                }
                Block value = block.getSingleValueBlock(position);
                List<Block> candidates = distinct.computeIfAbsent((long) hash.invoke(value, 0), _ -> new ArrayList<>());
                boolean found = false;
                for (Block candidate : candidates) {
                    found |= (boolean) identical.invoke(value, 0, candidate, 0);
                }
                if (!found) {
                    candidates.add(value);
                    count++;
                }
            }
        }
        return count;
    }
}
