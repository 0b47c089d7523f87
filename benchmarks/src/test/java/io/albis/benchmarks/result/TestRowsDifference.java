package io.albis.benchmarks.result;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

final class TestRowsDifference
{
    @Test
    void testOrderDoesNotMatter()
    {
        assertThat(find(rows(row(1L, "a"), row(2L, "b")), rows(row(2L, "b"), row(1L, "a")))).isEmpty();
    }

    @Test
    void testNumberOfEqualRows()
    {
        assertThat(find(rows(row(1L), row(1L), row(2L)), rows(row(1L), row(2L), row(2L))))
                .contains("1 rows only in x: (1); 1 rows only in y: (2)");
        assertThat(find(rows(row(1L), row(1L)), rows(row(1L))))
                .contains("1 rows only in x: (1); 0 rows only in y");
    }

    @Test
    void testDifferentValues()
    {
        assertThat(find(rows(row(1L, null)), rows(row(1L, "null"))))
                .contains("1 rows only in x: (1, null); 1 rows only in y: (1, null)");
        // The lengths of the values are part of the comparison
        assertThat(find(rows(row("a", "bc")), rows(row("ab", "c")))).isPresent();
        assertThat(find(rows(row(new byte[] {1})), rows(row(new byte[] {2})))).isPresent();
        assertThat(find(rows(row(new BigDecimal("0.10"))), rows(row(new BigDecimal("0.11"))))).isPresent();
    }

    @Test
    void testPrecisionOfTypes()
    {
        assertThat(find(rows(row(new BigDecimal("0.10"), "a  ", 1L, new byte[] {1})), rows(row(new BigDecimal("0.1"), "a", 1, new byte[] {1})))).isEmpty();
    }

    @Test
    void testSumsInAnotherOrder()
    {
        long seed = new Random().nextLong();
        System.out.println("TestRowsDifference, seed: " + seed);
        Random random = new Random(seed);
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            numbers.add(random.nextDouble() * 10_000);
        }
        double sum = sum(numbers);
        Collections.shuffle(numbers, random);
        double shuffled = sum(numbers);
        assertThat(find(rows(row(1L, sum)), rows(row(1L, shuffled)))).as("%s, %s", sum, shuffled).isEmpty();
        // One of the numbers is missing
        assertThat(find(rows(row(1L, sum)), rows(row(1L, sum - 1)))).isPresent();
    }

    @Test
    void testSpecialNumbers()
    {
        assertThat(find(rows(row(Double.NaN), row(Double.POSITIVE_INFINITY)), rows(row(Double.POSITIVE_INFINITY), row(Double.NaN)))).isEmpty();
        assertThat(find(rows(row(Double.NaN)), rows(row(0.0)))).isPresent();
        assertThat(find(rows(row(0.0)), rows(row(-0.0)))).isEmpty();
        assertThat(find(rows(row((Object) null)), rows(row(0.0)))).isPresent();
    }

    /**
     * The first numbers are the same but for their last digits, which decide about the order of the rows.
     */
    @Test
    void testAlmostEqualFirstNumbers()
    {
        double more = Math.nextUp(0.3);
        assertThat(find(rows(row(0.3, 1.0), row(more, 2.0)), rows(row(more, 1.0), row(0.3, 2.0)))).isEmpty();
        assertThat(find(rows(row(0.3, 1.0), row(more, 2.0)), rows(row(more, 1.0), row(0.3, 3.0)))).isPresent();
    }

    @Test
    void testOnlySomeRowsAreShown()
    {
        assertThat(find(rows(row(1L), row(2L), row(3L), row(4L)), rows()))
                .hasValueSatisfying(text -> assertThat(text).startsWith("4 rows only in x: (").endsWith("), ...; 0 rows only in y"));
    }

    private static Optional<String> find(List<ComparedRow> expected, List<ComparedRow> actual)
    {
        return RowsDifference.find(expected, actual).map(difference -> difference.describe("x", "y"));
    }

    private static List<ComparedRow> rows(ComparedRow... rows)
    {
        return ImmutableList.copyOf(rows);
    }

    private static ComparedRow row(Object... values)
    {
        return ComparedRow.of(Arrays.asList(values));
    }

    private static double sum(List<Double> numbers)
    {
        double sum = 0;
        for (double number : numbers) {
            sum += number;
        }
        return sum;
    }
}
