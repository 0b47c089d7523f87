package io.albis.benchmarks.chart;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;

import static org.assertj.core.api.Assertions.assertThat;

class TestBreaks
{
    @Test
    void testLinear()
    {
        assertThat(Breaks.linear(100)).extracting(BigDecimal::toPlainString).containsExactly("0", "20", "40", "60", "80", "100");
        assertThat(Breaks.linear(1.3)).extracting(BigDecimal::toPlainString).containsExactly("0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2");
        assertThat(Breaks.linear(1999)).extracting(BigDecimal::toPlainString).containsExactly("0", "200", "400", "600", "800", "1000", "1200", "1400", "1600", "1800");
    }

    @Test
    void testLogarithmic()
    {
        assertThat(Breaks.logarithmic(0.03, 2)).extracting(BigDecimal::toPlainString).containsExactly("0.05", "0.1", "0.2", "0.5", "1", "2");
        assertThat(Breaks.logarithmic(0.5, 5000)).extracting(BigDecimal::toPlainString).containsExactly("1", "10", "100", "1000");
    }
}
