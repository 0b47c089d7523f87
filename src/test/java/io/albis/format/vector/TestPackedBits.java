package io.albis.format.vector;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Both kinds of loops give the same values, at every offset and for every number of values, up to the last byte that
 * they may read and write.
 */
final class TestPackedBits
{
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testUnpack(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        for (int count = 0; count <= 300; count++) {
            checkUnpack(vectors, count);
        }
        checkUnpack(vectors, 8192);
    }

    private void checkUnpack(boolean vectors, int count)
    {
        int offset = random.nextInt(20);
        int outputOffset = random.nextInt(20);
        byte[] bytes = new byte[offset + (count + 7) / 8 + NarrowValues.SLACK];
        random.nextBytes(bytes);
        byte[] output = new byte[outputOffset + count + PackedBits.OUTPUT_SLACK];
        random.nextBytes(output);
        byte[] expected = output.clone();
        for (int i = 0; i < count; i++) {
            expected[outputOffset + i] = (byte) (bytes[offset + i / 8] >> (i % 8) & 1);
        }
        PackedBits.unpack(vectors, bytes, offset, count, output, outputOffset);
        assertThat(Arrays.copyOf(output, outputOffset + count)).as("%s bits at %s, seed %s", count, offset, seed)
                .isEqualTo(Arrays.copyOf(expected, outputOffset + count));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testBounds(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        byte[] bytes = new byte[8 + NarrowValues.SLACK];
        byte[] output = new byte[64 + PackedBits.OUTPUT_SLACK];
        PackedBits.unpack(vectors, bytes, 0, 64, output, 0);
        assertThatThrownBy(() -> PackedBits.unpack(vectors, bytes, 1, 64, output, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> PackedBits.unpack(vectors, bytes, 0, 64, output, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> PackedBits.unpack(vectors, bytes, -1, 8, output, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
