package io.albis.benchmarks.format.slice;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRangeSearch
{
    // Several runs, and more than the rows that RangeBitmap keeps together
    private static final int ROWS = 70_001;

    @Test
    void testRandomRanges()
    {
        SplittableRandom random = new SplittableRandom(1);
        for (long bound : new long[] {1, 2, 3, 256, 257, 100_000, 1L << 40, 1L << 56}) {
            long[] values = new SearchedColumn(bound, ROWS, ROWS).values(0);
            for (SearchMethod method : SearchMethod.values()) {
                RangeSearch search = method.create(values);
                for (int i = 0; i < 20; i++) {
                    long low = random.nextLong(bound);
                    assertFinds(method, search, values, low, low + random.nextLong(bound - low));
                }
                assertFinds(method, search, values, 0, bound - 1);
                assertFinds(method, search, values, values[0], values[0]);
            }
        }
    }

    /**
     * Tests ranges without values, before, between, and after the others.
     */
    @Test
    void testRangesBetweenTheValues()
    {
        long[] values = IntStream.range(0, ROWS).mapToLong(row -> 1000 * (row * 7919L % ROWS) - 5000).toArray();
        for (SearchMethod method : SearchMethod.values()) {
            RangeSearch search = method.create(values);
            assertThat(search.search(new ValueRange(-10_000, -5001), new int[ROWS])).isEqualTo(0);
            assertThat(search.search(new ValueRange(1, 999), new int[ROWS])).isEqualTo(0);
            assertThat(search.search(new ValueRange(1000L * ROWS, Long.MAX_VALUE), new int[ROWS])).isEqualTo(0);
            assertThat(search.search(new ValueRange(Long.MIN_VALUE, Long.MAX_VALUE), new int[ROWS])).isEqualTo(ROWS);
            assertFinds(method, search, values, Long.MIN_VALUE, -5000);
            assertFinds(method, search, values, 1, 1000);
            assertFinds(method, search, values, 0, 5000);
            assertFinds(method, search, values, 1000L * (ROWS - 10), Long.MAX_VALUE);
        }
    }

    @Test
    void testRankedValues()
    {
        RankedValues ranked = new RankedValues(new long[] {300, -7, 5, 300, 5});
        assertThat(ranked.count()).isEqualTo(3);
        assertThat(ranked.slices()).isEqualTo(2);
        assertThat(IntStream.of(-8, -7, -6, 5, 300, 301).map(ranked::firstRank)).containsExactly(0, 0, 1, 1, 2, 3);
        assertThat(IntStream.of(-8, -7, -6, 5, 300, 301).map(ranked::lastRank)).containsExactly(-1, 0, 0, 1, 2, 2);
        // The values from -7 to 300 need two bytes each
        assertThat(ranked.bytes()).isEqualTo(3 * 2);
        assertThat(new RankedValues(new long[] {4, 4}).slices()).isEqualTo(0);
        assertThatThrownBy(() -> new RankedValues(new long[0])).hasMessage("there are no values");
    }

    @Test
    void testCheck()
            throws IOException
    {
        SearchedColumn column = new SearchedColumn(1000, 250_000, 100_000);
        SearchCheck check = SearchCheck.check(column, ImmutableList.of(column.range(0.01), column.range(30), column.range(100)));
        // One value of 1,000, and 300 of them
        assertThat(check.rows().get(0)).isBetween(150L, 350L);
        assertThat(check.rows().get(1)).isBetween(70_000L, 80_000L);
        assertThat(check.rows().get(2)).isEqualTo(250_000);
        SearchSizes sizes = check.sizes();
        assertThat(sizes.distinct()).isEqualTo(3 * 1000);
        assertThat(sizes.slices()).isEqualTo(10);
        assertThat(sizes.column()).isEqualTo(2 * 250_000);
        assertThat(sizes.rankedBytes()).isEqualTo(3 * 1000 * 2);
        // One bit of each row in each slice
        assertThat(sizes.sliceBytes()).isBetween(10 * 250_000 / Byte.SIZE / 2L, 2L * 10 * 250_000 / Byte.SIZE);
        assertThat(sizes.valueList()).isBetween(250_000L, 5L * 250_000);
    }

    @Test
    void testColumn()
    {
        SearchedColumn column = new SearchedColumn(10_000, 25, 10);
        assertThat(SearchedColumn.parse(column.name())).isEqualTo(column);
        assertThat(column.rowGroups()).isEqualTo(3);
        assertThat(column.values(0)).hasSize(10).isEqualTo(column.values(0)).isNotEqualTo(column.values(1));
        assertThat(column.values(2)).hasSize(5);
        assertThat(column.range(0.01)).isEqualTo(new ValueRange(4999, 4999));
        assertThat(column.range(1)).isEqualTo(new ValueRange(4950, 5049));
        assertThat(column.range(100)).isEqualTo(new ValueRange(0, 9999));
        assertThatThrownBy(() -> SearchedColumn.parse("1-2")).hasMessage("not a column: 1-2");
        assertThatThrownBy(() -> new SearchedColumn(Long.MAX_VALUE, 1, 1)).hasMessageContaining("not a number of values");
        assertThatThrownBy(() -> column.range(0)).hasMessage("not a percentage: 0.0");
        assertThatThrownBy(() -> new ValueRange(2, 1)).hasMessage("the range from 2 to 1 is empty");
    }

    private static void assertFinds(SearchMethod method, RangeSearch search, long[] values, long low, long high)
    {
        int[] expected = IntStream.range(0, values.length).filter(row -> values[row] >= low && values[row] <= high).toArray();
        int[] positions = new int[values.length];
        int found = search.search(new ValueRange(low, high), positions);
        assertThat(Arrays.copyOf(positions, found)).as("%s from %s to %s", method, low, high).isEqualTo(expected);
    }
}
