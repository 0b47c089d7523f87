package io.albis.format.delete;

import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Sets of positions behave like a {@link BitSet}.
 */
final class TestDeletedPositions
{
    private static final int ROWS = 200_000;
    private static final int BLOCK = 1 << 16;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    @Test
    void testSets()
    {
        for (int round = 0; round < 30; round++) {
            BitSet model = randomSet();
            BitSet other = randomSet();
            DeletedPositions positions = positions(model);
            DeletedPositions otherPositions = positions(other);
            assertThat(positions.cardinality()).as("seed %s", seed).isEqualTo(model.cardinality());
            assertThat(positions.isEmpty()).isEqualTo(model.isEmpty());
            assertThat(positions.intersects(otherPositions)).as("seed %s", seed).isEqualTo(model.intersects(other));

            BitSet union = (BitSet) model.clone();
            union.or(other);
            assertThat(positions.union(otherPositions)).as("seed %s", seed).isEqualTo(positions(union)).hasSameHashCodeAs(positions(union));
            BitSet difference = (BitSet) model.clone();
            difference.andNot(other);
            assertThat(positions.minus(otherPositions)).as("seed %s", seed).isEqualTo(positions(difference));
            // the operands are unchanged
            assertThat(positions).isEqualTo(positions(model));
            assertThat(otherPositions).isEqualTo(positions(other));
        }
    }

    @Test
    void testRanges()
    {
        for (int round = 0; round < 20; round++) {
            BitSet model = randomSet();
            DeletedPositions positions = positions(model);
            for (int range = 0; range < 50; range++) {
                int begin = random.nextBoolean() ? random.nextInt(ROWS) : BLOCK * (1 + random.nextInt(2)) - 1 - random.nextInt(20);
                int count = random.nextBoolean() ? 1 + random.nextInt(8192) : 1 + random.nextInt(30);
                int deleted = model.get(begin, begin + count).cardinality();
                assertThat(positions.cardinality(begin, begin + count)).as("seed %s", seed).isEqualTo(deleted);
                assertThat(positions.isEmpty(begin, begin + count)).as("seed %s", seed).isEqualTo(deleted == 0);
                assertThat(positions.isFull(begin, begin + count)).as("seed %s", seed).isEqualTo(deleted == count);
                assertThat(positions.contains(begin)).isEqualTo(model.get(begin));

                int[] expected = IntStream.range(0, count).filter(row -> !model.get(begin + row)).toArray();
                int[] live = new int[count];
                assertThat(positions.selectLive(begin, count, live)).as("seed %s", seed).isEqualTo(expected.length);
                assertThat(Arrays.copyOf(live, expected.length)).as("seed %s", seed).isEqualTo(expected);

                assertThat(positions.deletedRows(begin, count)).as("seed %s", seed)
                        .isEqualTo(IntStream.range(0, count).filter(row -> model.get(begin + row)).toArray());

                double share = random.nextDouble();
                int[] some = IntStream.range(0, count).filter(_ -> random.nextDouble() < share).toArray();
                int[] expectedSome = IntStream.of(some).filter(row -> !model.get(begin + row)).toArray();
                assertThat(positions.removeFrom(begin, some, some.length)).as("seed %s", seed).isEqualTo(expectedSome.length);
                assertThat(Arrays.copyOf(some, expectedSome.length)).as("seed %s", seed).isEqualTo(expectedSome);
            }
        }
    }

    /**
     * A bitmap divides positions into blocks of 65,536, and has nothing for a block without positions.
     */
    @Test
    void testRangesBeyondTheLastBlock()
    {
        DeletedPositions first = DeletedPositions.ofRange(0, BLOCK);
        assertThat(first.isFull(BLOCK - 16, BLOCK)).isTrue();
        assertThat(first.isFull(BLOCK - 16, BLOCK + 1)).isFalse();
        assertThat(first.isFull(BLOCK - 16, BLOCK + 1800)).isFalse();
        assertThat(first.isFull(BLOCK - 16, 2 * BLOCK + 1800)).isFalse();
        DeletedPositions withGap = first.union(DeletedPositions.ofRange(2 * BLOCK, 2 * BLOCK + 8000));
        assertThat(withGap.isFull(BLOCK - 16, BLOCK + 1800)).isFalse();
        assertThat(withGap.isFull(BLOCK - 16, 2 * BLOCK + 1800)).isFalse();
        assertThat(withGap.isFull(2 * BLOCK, 2 * BLOCK + 8000)).isTrue();
    }

    @Test
    void testLivePositions()
    {
        for (int round = 0; round < 50; round++) {
            BitSet model = randomSet();
            DeletedPositions positions = positions(model);
            long[] live = IntStream.range(0, ROWS).filter(row -> !model.get(row)).asLongStream().toArray();
            for (int range = 0; range < 20 && live.length > 0; range++) {
                int first = random.nextInt(live.length);
                int count = 1 + random.nextInt(Math.min(10_000, live.length - first));
                assertThat(positions.livePositions(first, count)).as("seed %s", seed).isEqualTo(Arrays.copyOfRange(live, first, first + count));
            }
        }
        assertThat(DeletedPositions.NONE.livePositions(5, 3)).containsExactly(5, 6, 7);
    }

    /**
     * The last possible position is {@code Integer.MAX_VALUE - 1}, because a row group has at most
     * {@code Integer.MAX_VALUE} rows.
     */
    @Test
    void testGreatestPositions()
    {
        long rows = Integer.MAX_VALUE;
        DeletedPositions last = DeletedPositions.of(Integer.MAX_VALUE - 1);
        int[] selected = new int[10];
        assertThat(last.selectLive(rows - 3, 3, selected)).isEqualTo(2);
        assertThat(selected).startsWith(0, 1);
        assertThat(last.deletedRows(rows - 3, 3)).containsExactly(2);
        assertThat(last.removeFrom(rows - 3, new int[] {0, 1, 2}, 3)).isEqualTo(2);
        assertThat(last.livePositions(rows - 3, 2)).containsExactly(rows - 3, rows - 2);
        assertThat(last.isFull(rows - 1, rows)).isTrue();

        DeletedPositions allButLast = DeletedPositions.ofRange(0, rows - 1);
        assertThat(allButLast.cardinality()).isEqualTo(rows - 1);
        assertThat(allButLast.livePositions(0, 1)).containsExactly(rows - 1);
        assertThat(allButLast.selectLive(rows - 3, 3, selected)).isEqualTo(1);
        assertThat(selected[0]).isEqualTo(2);
        assertThat(allButLast.union(last).isFull(0, rows)).isTrue();
        assertThat(allButLast.retainedSize()).isLessThan(16 << 20);

        assertThatThrownBy(() -> DeletedPositions.of(1, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a position exceeds 2147483647");
    }

    @Test
    void testImmutable()
    {
        RoaringBitmap bitmap = RoaringBitmap.bitmapOf(1, 2, 3);
        DeletedPositions positions = DeletedPositions.of(bitmap);
        bitmap.add(7);
        assertThat(positions).isEqualTo(DeletedPositions.of(3, 2, 1));
        assertThat(positions).hasToString("3 deleted rows");
    }

    private static DeletedPositions positions(BitSet set)
    {
        return DeletedPositions.of(set.stream().toArray());
    }

    /**
     * Returns scattered positions and ranges, which have different kinds of containers.
     */
    private BitSet randomSet()
    {
        BitSet set = new BitSet(ROWS);
        int scattered = random.nextInt(1 << random.nextInt(17));
        for (int i = 0; i < scattered; i++) {
            set.set(random.nextInt(ROWS));
        }
        for (int range = random.nextInt(4); range > 0; range--) {
            int begin = random.nextInt(ROWS);
            set.set(begin, begin + random.nextInt(ROWS - begin));
        }
        // whole blocks of the bitmap, and none of their positions
        for (int block = 0; block * BLOCK < ROWS; block++) {
            if (random.nextInt(3) == 0) {
                set.set(block * BLOCK, Math.min((block + 1) * BLOCK, ROWS), random.nextBoolean());
            }
        }
        return set;
    }
}
