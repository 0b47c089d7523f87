package io.albis.benchmarks.workload;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestFraction
{
    @Test
    void testParse()
    {
        assertThat(Fraction.parse("0.001%")).isEqualTo(new Fraction(1)).hasToString("0.001 %");
        assertThat(Fraction.parse("1")).isEqualTo(new Fraction(1000)).hasToString("1 %");
        assertThat(Fraction.parse("30 %")).isEqualTo(new Fraction(30_000)).hasToString("30 %");
        assertThat(Fraction.parse("100")).isEqualTo(new Fraction(100_000)).hasToString("100 %");
        for (String text : new String[] {"0", "0.000", "0.0001", "100.001", "-1", "five", ""}) {
            assertThatThrownBy(() -> Fraction.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Not a part of a table: '%s'. It is a number of percent from 0.001 to 100, such as 5%%", text);
        }
    }

    @Test
    void testNames()
    {
        assertThat(Fraction.parse("0.001").suffix()).isEqualTo("0_001");
        assertThat(Fraction.parse("2.50").suffix()).isEqualTo("2_5");
        assertThat(Fraction.parse("30").suffix()).isEqualTo("30");
    }

    @Test
    void testRows()
    {
        assertThat(Fraction.parse("30").of(1000)).isEqualTo(300);
        assertThat(Fraction.parse("0.001").of(1000)).isEqualTo(1);
        assertThat(Fraction.parse("5").predicate(ImmutableList.of("a", "b"))).isEqualTo("mod(coalesce(a, 0) * 7919 + coalesce(b, 0) * 7921, 100000) < 5000");
    }
}
