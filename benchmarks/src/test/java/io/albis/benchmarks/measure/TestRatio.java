package io.albis.benchmarks.measure;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestRatio
{
    @Test
    void testRoundsAreComparedWithEachOther()
    {
        // In the second round, the machine was twice as slow for both
        Ratio ratio = Ratio.of(ImmutableList.of(3.0, 6.0, 3.2), ImmutableList.of(2.0, 4.0, 2.0));
        assertThat(ratio).isEqualTo(new Ratio(1.5, 1.5, 1.6));
        assertThat(ratio).hasToString("1.50 [1.50, 1.60]");
    }

    @Test
    void testZeros()
    {
        assertThat(Ratio.of(ImmutableList.of(0.0, 0.0), ImmutableList.of(0.0, 2.0))).isEqualTo(new Ratio(0.5, 0, 1));
    }

    @Test
    void testDifferentRounds()
    {
        assertThatThrownBy(() -> Ratio.of(ImmutableList.of(1.0), ImmutableList.of(1.0, 2.0)))
                .hasMessage("not the same number of rounds: 1, 2");
    }
}
