package io.albis.format.index;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The positions of a value: what this writer writes, what other writers may write, and what no writer may write.
 */
final class TestPostings
{
    private static final int RUN_COOKIE = 12347;

    @Test
    void testRandomPositions()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            int rows = 1 + random.nextInt(200_000);
            int density = 1 + random.nextInt(random.nextBoolean() ? 3 : 5000);
            int[] positions = IntStream.range(0, rows).filter(_ -> random.nextInt(density) == 0).toArray();
            SliceOutput output = new DynamicSliceOutput(16);
            int length = Postings.write(positions, 0, positions.length, output);
            assertThat(output.slice().length()).isEqualTo(length);
            if (positions.length > 0) {
                assertThat(read(output.slice(), positions.length, rows).toArray()).as("seed %s, round %s", seed, i).isEqualTo(positions);
            }
        }
    }

    /**
     * Ranges that take more bytes than a list, and ranges that touch.
     */
    @Test
    void testContainersThatAreNotMinimal()
    {
        assertThat(read(runs(1, 1, 3, 1, 5, 1), 3, 100).toArray()).containsExactly(1, 3, 5);
        assertThat(read(runs(1, 2, 3, 4), 6, 100).toArray()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(read(runs(65_530, 6), 6, 65_536).toArray()).containsExactly(65_530, 65_531, 65_532, 65_533, 65_534, 65_535);
    }

    @Test
    void testInvalidRuns()
    {
        assertInvalid(runs(1, 3, 3, 2), 5);
        assertInvalid(runs(5, 1, 3, 1), 2);
        // the last range ends after the container, which would be a position of the next one
        assertInvalid(runs(1, 1, 65_530, 7), 8);
    }

    @Test
    void testInvalidList()
    {
        // an array container: one container without ranges
        assertThat(read(array(1, 5, 9), 3, 100).toArray()).containsExactly(1, 5, 9);
        assertInvalid(array(1, 9, 5), 3);
        assertInvalid(array(5, 5, 9), 3);
    }

    @Test
    void testInvalidBits()
    {
        int[] positions = IntStream.range(0, 10_000).map(i -> i * 3).toArray();
        RoaringBitmap bitmap = RoaringBitmap.bitmapOf(positions);
        byte[] bytes = new byte[bitmap.serializedSizeInBytes()];
        bitmap.serialize(ByteBuffer.wrap(bytes));
        assertThat(read(Slices.wrappedBuffer(bytes), 10_000, 100_000).toArray()).isEqualTo(positions);
        // a bit that the cardinality does not count
        byte[] changed = Arrays.copyOf(bytes, bytes.length);
        changed[bytes.length - 1] = (byte) 0x80;
        assertInvalid(Slices.wrappedBuffer(changed), 10_000);
    }

    private static void assertInvalid(Slice bytes, int count)
    {
        assertThatThrownBy(() -> read(bytes, count, 100_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the bitmap of a value is invalid");
    }

    private static RoaringBitmap read(Slice bytes, int count, int rows)
    {
        RoaringBitmap target = new RoaringBitmap();
        Postings.addTo(target, bytes, count, rows);
        return target;
    }

    /**
     * Returns a bitmap with a single container of ranges.
     *
     * @param runs the begin and the number of positions of each range
     */
    private static Slice runs(int... runs)
    {
        int count = 0;
        for (int run = 0; run < runs.length; run += 2) {
            count += runs[run + 1];
        }
        ByteBuffer bytes = ByteBuffer.allocate(11 + runs.length * Short.BYTES).order(LITTLE_ENDIAN);
        // one container, which has ranges, with the key 0
        bytes.putInt(RUN_COOKIE).put((byte) 1).putShort((short) 0).putShort((short) (count - 1)).putShort((short) (runs.length / 2));
        for (int run = 0; run < runs.length; run += 2) {
            bytes.putShort((short) runs[run]).putShort((short) (runs[run + 1] - 1));
        }
        return Slices.wrappedBuffer(bytes.array());
    }

    private static Slice array(int... positions)
    {
        ByteBuffer bytes = ByteBuffer.allocate(9 + positions.length * Short.BYTES).order(LITTLE_ENDIAN);
        bytes.putInt(RUN_COOKIE).put((byte) 0).putShort((short) 0).putShort((short) (positions.length - 1));
        for (int position : positions) {
            bytes.putShort((short) position);
        }
        return Slices.wrappedBuffer(bytes.array());
    }
}
