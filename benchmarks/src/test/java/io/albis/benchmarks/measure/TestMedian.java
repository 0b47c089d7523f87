package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import static io.albis.benchmarks.measure.Median.median;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMedian
{
    @Test
    void testOdd()
    {
        assertThat(median(ImmutableList.of(7))).isEqualTo(7);
        assertThat(median(ImmutableList.of(9.0, 1.0, 2.0))).isEqualTo(2);
    }

    @Test
    void testEven()
    {
        assertThat(median(ImmutableList.of(4, 100, 1, 3))).isEqualTo(3.5);
    }

    @Test
    void testEmpty()
    {
        assertThatThrownBy(() -> median(ImmutableList.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
