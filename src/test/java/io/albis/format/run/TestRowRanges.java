package io.albis.format.run;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists of rows with few gaps are ranges, and the values of the ranges are those of the list.
 */
final class TestRowRanges
{
    @Test
    void testRandomLists()
    {
        Random seeds = new Random();
        int dense = 0;
        for (int round = 0; round < 500; round++) {
            long seed = seeds.nextLong();
            Random random = new Random(seed);
            int run = random.nextInt(3);
            int count = 1 + random.nextInt(random.nextBoolean() ? Run.MAX_ROWS : 300);
            double gaps = random.nextDouble() * (random.nextBoolean() ? 1 : 0.1);
            int[] inRun = IntStream.range(0, count).filter(_ -> random.nextDouble() >= gaps).toArray();
            if (inRun.length == 0) {
                continue;
            }
            // other rows precede and follow those of the run
            int before = random.nextInt(5);
            int[] list = IntStream.concat(
                    IntStream.range(0, before),
                    IntStream.concat(Arrays.stream(inRun).map(row -> run * Run.MAX_ROWS + row), IntStream.range(0, 3))).toArray();
            Optional<RowRanges> found = RowRanges.find(list, before, before + inRun.length);
            int ranges = ranges(inRun);
            int span = inRun[inRun.length - 1] + 1 - inRun[0];
            boolean expected = ranges <= inRun.length / RowRanges.MIN_AVERAGE_ROWS && span - inRun.length <= inRun.length / 3;
            // a few rows make no difference
            if (inRun.length > 100 && ranges != inRun.length / RowRanges.MIN_AVERAGE_ROWS) {
                assertThat(found.isPresent()).as("seed %s", seed).isEqualTo(expected);
            }
            int runRows = inRun[inRun.length - 1] + 1 + random.nextInt(2);
            int[] others = IntStream.range(0, runRows).filter(row -> Arrays.binarySearch(inRun, row) < 0).toArray();
            assertThat(RowRanges.between(others, runRows).map(RowRanges::toString)).as("seed %s", seed).isEqualTo(found.map(RowRanges::toString));
            if (found.isPresent()) {
                dense++;
                checkRanges("seed " + seed, found.get(), inRun, random.nextInt(10));
            }
        }
        assertThat(dense).isGreaterThan(25);
    }

    private static void checkRanges(String description, RowRanges ranges, int[] rows, int offset)
    {
        IntArrayList expanded = new IntArrayList();
        for (int range = 0; range < ranges.size(); range++) {
            for (int row = ranges.begin(range); row < ranges.end(range); row++) {
                expanded.add(row);
            }
        }
        assertThat(expanded.toIntArray()).as(description).isEqualTo(rows);
        assertThat(ranges.list(offset)).as(description).isEqualTo(Arrays.stream(rows).map(row -> offset + row).toArray());
        assertThat(ranges.rows()).as(description).isEqualTo(rows.length);
        assertThat(ranges.first()).as(description).isEqualTo(rows[0]);
        assertThat(ranges.span()).as(description).isEqualTo(rows[rows.length - 1] + 1 - rows[0]);

        int[] span = IntStream.concat(IntStream.generate(() -> -1).limit(offset), IntStream.range(ranges.first(), ranges.first() + ranges.span())).toArray();
        int end = offset + rows.length;
        int[] ints = span.clone();
        ranges.compact(ints, offset, 1);
        assertThat(Arrays.copyOfRange(ints, offset, end)).as(description).isEqualTo(rows);
        long[] pairs = new long[2 * span.length];
        short[] shorts = new short[span.length];
        byte[] bytes = new byte[span.length];
        for (int i = 0; i < span.length; i++) {
            pairs[2 * i] = span[i];
            pairs[2 * i + 1] = -span[i];
            shorts[i] = (short) span[i];
            bytes[i] = (byte) span[i];
        }
        ranges.compact(pairs, offset, 2);
        ranges.compact(shorts, offset);
        ranges.compact(bytes, offset);
        assertThat(IntStream.range(offset, end).mapToLong(i -> pairs[2 * i]).toArray()).as(description).isEqualTo(Arrays.stream(rows).asLongStream().toArray());
        assertThat(IntStream.range(offset, end).mapToLong(i -> -pairs[2 * i + 1]).toArray()).as(description).isEqualTo(Arrays.stream(rows).asLongStream().toArray());
        assertThat(IntStream.range(offset, end).map(i -> shorts[i]).toArray()).as(description).isEqualTo(rows);
        assertThat(IntStream.range(offset, end).map(i -> bytes[i]).toArray()).as(description).isEqualTo(Arrays.stream(rows).map(row -> (byte) row).toArray());
    }

    private static int ranges(int[] rows)
    {
        int ranges = 1;
        for (int i = 1; i < rows.length; i++) {
            ranges += rows[i] == rows[i - 1] + 1 ? 0 : 1;
        }
        return ranges;
    }

    /**
     * The rows of a page need not be ascending or distinct.
     */
    @Test
    void testOtherOrders()
    {
        int[] ascending = IntStream.range(100, 1000).toArray();
        assertThat(RowRanges.find(ascending, 0, 900)).isPresent();
        int[] descending = IntStream.range(100, 1000).map(row -> 1099 - row).toArray();
        assertThat(RowRanges.find(descending, 0, 900)).isEmpty();
        int[] swapped = IntStream.concat(IntStream.range(500, 1000), IntStream.range(100, 500)).toArray();
        assertThat(RowRanges.find(swapped, 0, 900)).isEmpty();
        int[] repeated = IntStream.concat(IntStream.range(100, 600), IntStream.range(599, 1000)).toArray();
        assertThat(RowRanges.find(repeated, 0, 901)).isEmpty();
    }

    @Test
    void testRunsOfList()
    {
        // most rows of run 0, few of run 1, and all of a short run 2
        int[] list = IntStream.range(0, 2 * Run.MAX_ROWS + 100)
                .filter(row -> row < Run.MAX_ROWS ? row % 10 != 3 : row >= 2 * Run.MAX_ROWS || row % 100 == 0)
                .toArray();
        SegmentRows rows = SegmentRows.ofRows(list);
        assertThat(rows.byRun().stream().map(RunRows::run)).containsExactly(0, 1, 2);
        assertThat(rows.byRun().stream().map(run -> run.ranges().isPresent())).containsExactly(true, false, true);
        assertThat(rows.byRun().getLast().end()).isEqualTo(rows.count()).isEqualTo(list.length);
        assertThat(rows.capacity()).isEqualTo(Run.MAX_ROWS);
        assertThat(rows.onlyRun()).isNegative();
        SegmentRows first = SegmentRows.ofRows(Arrays.copyOf(list, rows.byRun().getFirst().end()));
        assertThat(first.onlyRun()).isZero();
        assertThat(first.capacity()).isEqualTo(Run.MAX_ROWS);
        SegmentRows ranges = SegmentRows.ofRanges(0, first.byRun().getFirst().ranges().orElseThrow());
        assertThat(ranges.isRun()).isFalse();
        assertThat(ranges.firstRun()).isZero();
        assertThat(ranges.lastRun()).isZero();
        assertThat(ranges.list()).isEqualTo(first.list());
        assertThat(ranges.get(5)).isEqualTo(6);
    }
}
