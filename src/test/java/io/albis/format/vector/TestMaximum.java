package io.albis.format.vector;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Both kinds of loops find the greatest value wherever it is.
 */
final class TestMaximum
{
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testMaximum(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        for (int count = 0; count <= 100; count++) {
            int[] values = random.ints(count + 3, 0, 1000).toArray();
            // These are not among the first values
            Arrays.fill(values, count, count + 3, 5000);
            assertThat(Maximum.of(vectors, values, count)).as("%s values, seed %s", count, seed)
                    .isEqualTo(Arrays.stream(values, 0, count).max().orElse(0));
            for (int position = 0; position < count; position++) {
                int[] changed = values.clone();
                changed[position] = 2000;
                assertThat(Maximum.of(vectors, changed, count)).as("2000 at %s of %s", position, count).isEqualTo(2000);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testNegative(boolean vectors)
    {
        assumeTrue(!vectors || Vectors.SUPPORTED);
        int[] values = new int[100];
        Arrays.fill(values, -1);
        assertThat(Maximum.of(vectors, values, 100)).isEqualTo(0);
        assertThatThrownBy(() -> Maximum.of(vectors, values, 101)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
