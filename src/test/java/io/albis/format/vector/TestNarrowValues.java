package io.albis.format.vector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Both kinds of loops give the same values, at every offset and for every number of values, up to the last byte that
 * they may read.
 */
final class TestNarrowValues
{
    private static final int[] COUNTS = {0, 1, 2, 7, 8, 9, 15, 16, 17, 21, 31, 32, 33, 63, 64, 65, 100, 1000, 8192};

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void longs(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        for (int width = 0; width <= Long.BYTES; width++) {
            for (int count : COUNTS) {
                int offset = random.nextInt(70);
                byte[] bytes = bytes(offset, width, count);
                long base = width == Long.BYTES ? 0 : random.nextLong();
                long[] output = new long[count + 5];
                Arrays.fill(output, 42);
                NarrowValues.widen(vectors, bytes, offset, width, base, count, output, 2);
                for (int i = 0; i < count; i++) {
                    assertThat(output[2 + i]).as(place(width, count, offset, i)).isEqualTo(base + unsigned(bytes, offset + width * i, width));
                }
                assertThat(new long[] {output[0], output[1], output[count + 2]}).as(place(width, count, offset, count)).containsOnly(42);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ints(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        for (int width = 0; width <= Integer.BYTES; width++) {
            for (int count : COUNTS) {
                int offset = random.nextInt(70);
                byte[] bytes = bytes(offset, width, count);
                int base = width == Integer.BYTES ? 0 : random.nextInt();
                int[] output = new int[count + 5];
                Arrays.fill(output, 42);
                NarrowValues.widen(vectors, bytes, offset, width, base, count, output, 2);
                for (int i = 0; i < count; i++) {
                    assertThat(output[2 + i]).as(place(width, count, offset, i)).isEqualTo((int) (base + unsigned(bytes, offset + width * i, width)));
                }
                assertThat(new int[] {output[0], output[1], output[count + 2]}).as(place(width, count, offset, count)).containsOnly(42);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shorts(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        for (int width = 0; width <= Short.BYTES; width++) {
            for (int count : COUNTS) {
                int offset = random.nextInt(70);
                byte[] bytes = bytes(offset, width, count);
                short base = width == Short.BYTES ? 0 : (short) random.nextInt();
                short[] output = new short[count + 5];
                Arrays.fill(output, (short) 42);
                NarrowValues.widen(vectors, bytes, offset, width, base, count, output, 2);
                for (int i = 0; i < count; i++) {
                    assertThat(output[2 + i]).as(place(width, count, offset, i)).isEqualTo((short) (base + unsigned(bytes, offset + width * i, width)));
                }
                assertThat(new short[] {output[0], output[1], output[count + 2]}).as(place(width, count, offset, count)).containsOnly((short) 42);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void valuesThatExceedAnArrayAreRejected(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        assertThatThrownBy(() -> NarrowValues.widen(vectors, new byte[3 * 100 + NarrowValues.SLACK], 1, 3, 0L, 100, new long[100], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NarrowValues.widen(vectors, new byte[3 * 100 + NarrowValues.SLACK], 0, 3, 0, 100, new int[100], 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> NarrowValues.widen(vectors, new byte[1000], 0, 9, 0L, 100, new long[100], 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * The tests run with the module, as Trino does. A program that uses the Java API may run without it.
     */
    @Test
    void plainLoopsAreUsedWithoutTheModule()
            throws Exception
    {
        assertThat(output("--add-modules=jdk.incubator.vector")).isEqualTo(Vectors.SUPPORTED + " 1000");
        assertThat(output("-Dnone=none")).isEqualTo("false 1000");
    }

    private static String output(String option)
            throws IOException, InterruptedException
    {
        Process process = new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                option,
                "-Xmx64m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Widened.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = process.inputReader().readLine();
        assertThat(process.waitFor()).isEqualTo(0);
        return output;
    }

    /**
     * Widens values in a process of its own.
     */
    static final class Widened
    {
        private Widened() {}

        static void main()
        {
            long[] output = new long[1000];
            NarrowValues.widen(new byte[1000 + NarrowValues.SLACK], 0, 1, 1L, 1000, output, 0);
            System.out.println(Vectors.SUPPORTED + " " + Arrays.stream(output).sum());
        }
    }

    private byte[] bytes(int offset, int width, int count)
    {
        byte[] bytes = new byte[offset + width * count + NarrowValues.SLACK];
        random.nextBytes(bytes);
        return bytes;
    }

    private static long unsigned(byte[] bytes, int offset, int width)
    {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value |= (bytes[offset + i] & 0xFFL) << (Byte.SIZE * i);
        }
        return value;
    }

    private String place(int width, int count, int offset, int index)
    {
        return "seed %s, width %s, count %s, offset %s, value %s".formatted(seed, width, count, offset, index);
    }
}
