package io.albis.trino.topn;

import io.airlift.slice.Slices;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.TopN;
import io.albis.trino.handle.TopN.Key;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.connector.SortOrder.ASC_NULLS_FIRST;
import static io.trino.spi.connector.SortOrder.ASC_NULLS_LAST;
import static io.trino.spi.connector.SortOrder.DESC_NULLS_FIRST;
import static io.trino.spi.connector.SortOrder.DESC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Float.floatToRawIntBits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

/**
 * The rows that a threshold selects, and those that its predicate matches, include the first rows.
 */
@Execution(CONCURRENT)
final class TestTopNThreshold
{
    private static final List<Type> TYPES = List.of(BIGINT, DOUBLE, REAL, VARCHAR, createCharType(3));

    @Test
    void testStrictThreshold()
    {
        TopNThreshold threshold = threshold(BIGINT, 2, DESC_NULLS_LAST, false);
        assertThat(threshold.get().isAll()).isTrue();
        assertThat(select(threshold, block(BIGINT, 5L))).containsExactly(0);
        assertThat(threshold.get().isAll()).isTrue();
        assertThat(select(threshold, block(BIGINT, 3L, 7L, 5L, 8L, 7L, null))).containsExactly(1, 3);
        assertThat(matches(threshold, 7L)).isFalse();
        assertThat(matches(threshold, 8L)).isTrue();
        assertThat(matches(threshold, null)).isFalse();
        assertThat(select(threshold, block(BIGINT, 7L, null, 6L))).isEmpty();
    }

    @Test
    void testFurtherKeys()
    {
        TopNThreshold threshold = threshold(BIGINT, 2, ASC_NULLS_LAST, true);
        assertThat(select(threshold, block(BIGINT, 5L, 3L, 5L, 7L, 5L))).containsExactly(0, 1, 2, 4);
        assertThat(matches(threshold, 5L)).isTrue();
        assertThat(matches(threshold, 6L)).isFalse();
        assertThat(select(threshold, block(BIGINT, 6L, 5L))).containsExactly(1);
    }

    @Test
    void testNulls()
    {
        TopNThreshold first = threshold(BIGINT, 2, ASC_NULLS_FIRST, false);
        assertThat(select(first, block(BIGINT, null, 1L))).hasSize(2);
        assertThat(matches(first, null)).isTrue();
        assertThat(select(first, block(BIGINT, null, null))).containsExactly(0);
        assertThat(first.get().isNone()).isTrue();

        TopNThreshold last = threshold(BIGINT, 2, ASC_NULLS_LAST, false);
        assertThat(select(last, block(BIGINT, null, null))).hasSize(2);
        assertThat(matches(last, null)).isFalse();
        assertThat(matches(last, Long.MAX_VALUE)).isTrue();

        TopNThreshold further = threshold(BIGINT, 2, DESC_NULLS_FIRST, true);
        assertThat(select(further, block(BIGINT, null, null, 7L))).hasSize(2);
        assertThat(matches(further, null)).isTrue();
        assertThat(matches(further, 7L)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(value = SortOrder.class, names = {"ASC_NULLS_LAST", "DESC_NULLS_LAST"})
    void testNaN(SortOrder order)
    {
        // the bounds of segments do not cover NaN, so they say nothing if it comes first
        boolean nanFirst = new SortKeyOrder(DOUBLE, order).isNaNFirst();
        TopNThreshold threshold = threshold(DOUBLE, 1, order, false);
        assertThat(select(threshold, block(DOUBLE, 1.0))).hasSize(1);
        assertThat(threshold.get().getDomains().orElseThrow().values().iterator().next().getValues().isAll()).isEqualTo(nanFirst);
        assertThat(select(threshold, block(DOUBLE, Double.NaN))).hasSize(nanFirst ? 1 : 0);
    }

    @Test
    void testScanWithoutNaN()
    {
        TopNThreshold without = new TopNThreshold(new TopN(1, column(DOUBLE), DESC_NULLS_LAST, false), false);
        assertThat(select(without, block(DOUBLE, 1.0))).hasSize(1);
        assertThat(matches(without, 1.0)).isFalse();
        assertThat(matches(without, 2.0)).isTrue();
    }

    /**
     * The second key decides about rows that are equal in the first one, so that they are not all returned.
     */
    @Test
    void testSeveralKeys()
    {
        TopN topN = new TopN(2, List.of(new Key(new AlbisColumnHandle(1, "a", BIGINT), ASC_NULLS_LAST), new Key(new AlbisColumnHandle(2, "b", DOUBLE), DESC_NULLS_FIRST)), false);
        TopNThreshold threshold = new TopNThreshold(topN, true);
        Block[] keys = {block(BIGINT, 5L, 5L, 5L, 5L, 7L), block(DOUBLE, 1.0, 3.0, 2.0, null, 9.0)};
        int[] rows = new int[5];
        assertThat(threshold.selectByFirstKey(keys[0], 5, rows)).isEqualTo(5);
        assertThat(Arrays.copyOf(rows, threshold.select(keys, 5, rows))).containsExactly(1, 3);
        // bounds of the first key cannot exclude equal values
        assertThat(matches(threshold, 5L)).isTrue();
        assertThat(matches(threshold, 6L)).isFalse();
        assertThat(Arrays.copyOf(rows, threshold.selectByFirstKey(keys[0], 5, rows))).containsExactly(0, 1, 2, 3);
        // equal to the last of the first rows
        assertThat(threshold.select(new Block[] {block(BIGINT, 5L, 5L), block(DOUBLE, 3.0, 2.0)}, 2, rows)).isEqualTo(0);
        // NaN comes last with NULLS FIRST in a descending order
        assertThat(threshold.select(new Block[] {block(BIGINT, 5L), block(DOUBLE, Double.NaN)}, 1, rows)).isEqualTo(0);
        assertThat(threshold.select(new Block[] {block(BIGINT, 5L), block(DOUBLE, 4.0)}, 1, rows)).isEqualTo(1);

        TopNThreshold further = new TopNThreshold(new TopN(2, topN.keys(), true), true);
        assertThat(Arrays.copyOf(rows, further.select(keys, 5, rows))).containsExactly(1, 3);
        assertThat(further.select(new Block[] {block(BIGINT, 5L, 5L), block(DOUBLE, 3.0, 2.0)}, 2, rows)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(SortOrder.class)
    void testRandomRows(SortOrder order)
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Type first = TYPES.get(random.nextInt(TYPES.size()));
            Type second = TYPES.get(random.nextInt(TYPES.size()));
            SortOrder secondOrder = SortOrder.values()[random.nextInt(SortOrder.values().length)];
            boolean further = random.nextBoolean();
            TopN topN = new TopN(1 + random.nextInt(20), List.of(new Key(new AlbisColumnHandle(1, "a", first), order), new Key(new AlbisColumnHandle(2, "b", second), secondOrder)), further);
            TopNThreshold threshold = new TopNThreshold(topN, true);
            SortKeysOrder comparison = new SortKeysOrder(topN);
            List<Block[]> all = new ArrayList<>();
            List<Block[]> returned = new ArrayList<>();
            for (int page = random.nextInt(10); page >= 0; page--) {
                Block[] keys = randomKeys(first, second, random);
                int count = keys[0].getPositionCount();
                addRows(keys, IntStream.range(0, count).toArray(), all);
                int[] rows = new int[count];
                int candidateCount = threshold.selectByFirstKey(keys[0], count, rows);
                int[] candidates = Arrays.copyOf(rows, candidateCount);
                Block[] narrowed = {keys[0].getPositions(candidates, 0, candidateCount), keys[1].getPositions(candidates, 0, candidateCount)};
                addRows(narrowed, Arrays.copyOf(rows, threshold.select(narrowed, candidateCount, rows)), returned);
            }
            Comparator<Block[]> byKeys = (left, right) -> comparison.compare(left, 0, right, 0);
            all.sort(byKeys);
            returned.sort(byKeys);
            int expected = (int) Math.min(topN.rows(), all.size());
            assertThat(returned.size()).as("seed %s, round %s", seed, round).isGreaterThanOrEqualTo(expected);
            for (int row = 0; row < expected; row++) {
                assertThat(byKeys.compare(returned.get(row), all.get(row))).as("seed %s, round %s, row %s", seed, round, row).isEqualTo(0);
            }
            if (further) {
                // all rows that are equal to the last one remain
                Block[] last = all.get(expected - 1);
                assertThat(returned.stream().filter(row -> byKeys.compare(row, last) == 0).count()).as("seed %s, round %s", seed, round)
                        .isEqualTo(all.stream().filter(row -> byKeys.compare(row, last) == 0).count());
            }
        }
    }

    private static Block[] randomKeys(Type first, Type second, Random random)
    {
        int rows = 1 + random.nextInt(50);
        BlockBuilder firstKeys = first.createBlockBuilder(null, rows);
        BlockBuilder secondKeys = second.createBlockBuilder(null, rows);
        for (int row = 0; row < rows; row++) {
            firstKeys.append(writeNativeValue(first, randomValue(first, random, 3)), 0);
            secondKeys.append(writeNativeValue(second, randomValue(second, random, 20)), 0);
        }
        return new Block[] {firstKeys.build(), secondKeys.build()};
    }

    private static void addRows(Block[] keys, int[] rows, List<Block[]> destination)
    {
        for (int row : rows) {
            destination.add(new Block[] {keys[0].getSingleValueBlock(row), keys[1].getSingleValueBlock(row)});
        }
    }

    @ParameterizedTest
    @EnumSource(SortOrder.class)
    void testRandomPages(SortOrder order)
            throws Exception
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 100; round++) {
                Type type = TYPES.get(random.nextInt(TYPES.size()));
                boolean further = random.nextBoolean();
                int rows = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
                TopNThreshold threshold = threshold(type, rows, order, further);
                List<Block> pages = new ArrayList<>();
                int values = 1 + random.nextInt(random.nextBoolean() ? 5 : 1000);
                for (int page = random.nextInt(20); page >= 0; page--) {
                    pages.add(randomBlock(type, random, values));
                }
                List<Future<List<Object>>> futures = pages.stream()
                        .map(page -> executor.submit(() -> returned(threshold, type, page)))
                        .toList();
                List<Object> returned = new ArrayList<>();
                for (Future<List<Object>> future : futures) {
                    returned.addAll(future.get());
                }
                List<Object> all = new ArrayList<>();
                pages.forEach(page -> all.addAll(values(type, page)));
                List<Object> expected = first(type, order, all, rows);
                assertThat(first(type, order, returned, rows)).as("seed %s, round %s: %s %s of %s", seed, round, rows, order, type).isEqualTo(expected);
                if (further && !expected.isEmpty()) {
                    // all rows that are equal to the last one remain
                    Object last = expected.getLast();
                    assertThat(count(returned, last)).as("seed %s, round %s", seed, round).isEqualTo(count(all, last));
                }
            }
        }
    }

    private static long count(List<Object> values, Object value)
    {
        return values.stream().filter(other -> other.equals(value)).count();
    }

    /**
     * Returns the values that a page source would return, which filters by the predicate and then selects rows.
     */
    private static List<Object> returned(TopNThreshold threshold, Type type, Block page)
    {
        List<Integer> matching = new ArrayList<>();
        // other threads may change it
        TupleDomain<?> predicate = threshold.get();
        Domain domain = predicate.isNone() ? Domain.none(type) : predicate.getDomains().orElseThrow().values().stream().findFirst().orElse(Domain.all(type));
        for (int row = 0; row < page.getPositionCount(); row++) {
            Object value = readNativeValue(type, page, row);
            boolean nan = value instanceof Double number && number.isNaN() || type == REAL && value != null && Float.isNaN(Float.intBitsToFloat((int) (long) value));
            if (nan ? domain.getValues().isAll() : domain.includesNullableValue(value)) {
                matching.add(row);
            }
        }
        int[] positions = matching.stream().mapToInt(Integer::intValue).toArray();
        Block filtered = page.getPositions(positions, 0, positions.length);
        int[] selected = select(threshold, filtered);
        return values(type, filtered.getPositions(selected, 0, selected.length));
    }

    private static List<Object> values(Type type, Block block)
    {
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < block.getPositionCount(); row++) {
            Object value = readNativeValue(type, block, row);
            values.add(value == null ? "null" : withoutNegativeZero(type, value));
        }
        return values;
    }

    /**
     * The two zeros have no order, so either of them can be among the first values.
     */
    private static Object withoutNegativeZero(Type type, Object value)
    {
        SortKeyOrder order = new SortKeyOrder(type, ASC_NULLS_LAST);
        boolean negativeZero = order.hasNaN() && value.equals(order.floatingPoint(-0.0));
        return negativeZero ? order.floatingPoint(0) : value;
    }

    private static List<Object> first(Type type, SortOrder order, List<Object> values, int rows)
    {
        SortKeyOrder comparison = new SortKeyOrder(type, order);
        return values.stream()
                .sorted((left, right) -> comparison.compare(toBlock(type, left), 0, toBlock(type, right), 0))
                .limit(rows)
                .toList();
    }

    private static Block toBlock(Type type, Object value)
    {
        return writeNativeValue(type, "null".equals(value) ? null : value);
    }

    private static Block randomBlock(Type type, Random random, int values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, 10);
        for (int i = random.nextInt(50); i >= 0; i--) {
            builder.append(writeNativeValue(type, randomValue(type, random, values)), 0);
        }
        return builder.build();
    }

    private static Object randomValue(Type type, Random random, int values)
    {
        int number = random.nextInt(-values, values + 1);
        if (random.nextInt(8) == 0) {
            return null;
        }
        if (type == BIGINT) {
            return (long) number;
        }
        if (type == DOUBLE) {
            return special(random, number);
        }
        if (type == REAL) {
            return (long) floatToRawIntBits((float) special(random, number));
        }
        return Slices.utf8Slice(Integer.toString(number % 500 + 500, 36));
    }

    private static double special(Random random, int number)
    {
        return switch (random.nextInt(12)) {
            case 0 -> Double.NaN;
            case 1 -> -0.0;
            case 2 -> 0.0;
            case 3 -> Double.POSITIVE_INFINITY;
            case 4 -> Double.NEGATIVE_INFINITY;
            default -> number / 2.0;
        };
    }

    private static TopNThreshold threshold(Type type, long rows, SortOrder order, boolean furtherKeys)
    {
        return new TopNThreshold(new TopN(rows, column(type), order, furtherKeys), true);
    }

    private static AlbisColumnHandle column(Type type)
    {
        return new AlbisColumnHandle(1, "a", type);
    }

    private static int[] select(TopNThreshold threshold, Block block)
    {
        int[] rows = new int[block.getPositionCount()];
        int count = threshold.select(new Block[] {block}, block.getPositionCount(), rows);
        return Arrays.copyOf(rows, count);
    }

    private static boolean matches(TopNThreshold threshold, Object value)
    {
        return threshold.get().getDomains()
                .map(domains -> getOnlyElement(domains.values()).includesNullableValue(value))
                .orElse(false);
    }

    private static Block block(Type type, Object... values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.length);
        for (Object value : values) {
            builder.append(writeNativeValue(type, value), 0);
        }
        return builder.build();
    }
}
