package io.albis.format.vector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.IntStream;

import static io.trino.spi.block.Bitmap.wordsForBits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The tests of stored values give the same bits as tests of one value after the other.
 */
final class TestNarrowSelection
{
    private static final int[] COUNTS = {0, 1, 63, 64, 65, 127, 128, 200, 1000, 8192};

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ranges(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        for (int width = 0; width <= Long.BYTES; width++) {
            for (int count : COUNTS) {
                for (int trial = 0; trial < 5; trial++) {
                    int offset = random.nextInt(70);
                    byte[] bytes = bytes(offset + width * count);
                    long mask = NarrowValues.mask(width);
                    long low = (trial == 0 ? 0 : random.nextLong()) & mask;
                    long span = trial == 1 ? mask : random.nextLong() & mask;
                    long[] bits = garbage(count);
                    NarrowSelection.inRange(vectors, bytes, offset, width, low, span, count, bits);
                    BitSet expected = new BitSet();
                    for (int i = 0; i < count; i++) {
                        long value = NarrowValues.get(bytes, offset, width, mask, i);
                        expected.set(i, Long.compareUnsigned((value - low) & mask, span) <= 0);
                    }
                    assertThat(BitSet.valueOf(Arrays.copyOf(bits, wordsForBits(count)))).as("seed %s, width %s, count %s, low %s, span %s", seed, width, count, low, span).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void bitmaps()
    {
        for (int width = 0; width <= Long.BYTES; width++) {
            for (int count : COUNTS) {
                int offset = random.nextInt(70);
                byte[] bytes = bytes(offset + width * count);
                long[] bitmap = random.longs(1 + random.nextInt(2000)).toArray();
                long first = random.nextInt(2000) - 1000;
                long[] bits = garbage(count);
                NarrowSelection.inBitmap(bytes, offset, width, first, bitmap, count, bits);
                BitSet expected = new BitSet();
                for (int i = 0; i < count; i++) {
                    long bit = first + NarrowValues.get(bytes, offset, width, NarrowValues.mask(width), i);
                    expected.set(i, bit >= 0 && bit < 64L * bitmap.length && (bitmap[(int) (bit / 64)] >> bit & 1) != 0);
                }
                assertThat(BitSet.valueOf(Arrays.copyOf(bits, wordsForBits(count)))).as("seed %s, width %s, count %s", seed, width, count).isEqualTo(expected);
            }
        }
    }

    @Test
    void rows()
    {
        for (int count : COUNTS) {
            for (double share : new double[] {0, 0.01, 0.5, 0.999, 1}) {
                BitSet set = bits(count, share);
                int[] rows = new int[count];
                int size = NarrowSelection.toRows(Arrays.copyOf(set.toLongArray(), wordsForBits(count)), count, rows);
                assertThat(Arrays.copyOf(rows, size)).as("seed %s, count %s", seed, count).isEqualTo(set.stream().toArray());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nulls(boolean nulls)
    {
        for (int count : COUNTS) {
            BitSet valid = bits(count, 0.5);
            if (valid.cardinality() == 0 || valid.cardinality() == count) {
                continue;
            }
            byte[] bytes = bytes(wordsForBits(count) * Long.BYTES);
            // the bits after the last row are undefined
            for (int row = 0; row < count; row++) {
                int bit = 1 << row % 8;
                bytes[row / 8] = (byte) (valid.get(row) ? bytes[row / 8] | bit : bytes[row / 8] & ~bit);
            }
            int[] rows = IntStream.range(0, count).toArray();
            int size = NarrowSelection.selectNulls(bytes, 0, count, nulls, rows, count);
            int[] expected = IntStream.range(0, count).filter(row -> valid.get(row) != nulls).toArray();
            assertThat(Arrays.copyOf(rows, size)).as("seed %s, count %s", seed, count).isEqualTo(expected);

            int[] some = IntStream.range(0, count).filter(row -> row % 3 == 1).toArray();
            int[] expectedSome = IntStream.of(some).filter(row -> valid.get(row) != nulls).toArray();
            int someSize = NarrowSelection.selectNulls(bytes, 0, count, nulls, some, some.length);
            assertThat(Arrays.copyOf(some, someSize)).as("seed %s, count %s", seed, count).isEqualTo(expectedSome);
        }
    }

    private BitSet bits(int count, double share)
    {
        BitSet bits = new BitSet();
        for (int i = 0; i < count; i++) {
            bits.set(i, random.nextDouble() < share);
        }
        return bits;
    }

    private long[] garbage(int count)
    {
        return random.longs(wordsForBits(count) + 1).toArray();
    }

    private byte[] bytes(int length)
    {
        byte[] bytes = new byte[length + NarrowValues.SLACK];
        random.nextBytes(bytes);
        return bytes;
    }
}
