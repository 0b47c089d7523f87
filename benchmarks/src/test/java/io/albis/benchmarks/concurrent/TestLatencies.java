package io.albis.benchmarks.concurrent;

import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figures;
import org.junit.jupiter.api.Test;

import java.util.stream.LongStream;

import static io.albis.benchmarks.measure.Figure.CONFLICTS;
import static io.albis.benchmarks.measure.Figure.MEDIAN_LATENCY;
import static io.albis.benchmarks.measure.Figure.RATE;
import static io.albis.benchmarks.measure.Figure.TAIL_LATENCY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestLatencies
{
    @Test
    void testPercentiles()
    {
        long[] hundred = LongStream.rangeClosed(1, 100).toArray();
        assertThat(Latencies.percentile(hundred, 50)).isEqualTo(50);
        assertThat(Latencies.percentile(hundred, 99)).isEqualTo(99);
        assertThat(Latencies.percentile(hundred, 100)).isEqualTo(100);
        assertThat(Latencies.percentile(new long[] {7}, 50)).isEqualTo(7);
        assertThat(Latencies.percentile(new long[] {7, 8, 9}, 99)).isEqualTo(9);
        assertThatThrownBy(() -> Latencies.percentile(new long[0], 50)).hasMessage("there are no values");
    }

    @Test
    void testFigures()
    {
        Latencies latencies = new Latencies();
        latencies.add(30);
        latencies.add(10);
        latencies.addConflict();
        latencies.add(20);
        Figures figures = latencies.addTo(new Figures(ImmutableMap.of()), 2_000_000_000L);
        assertThat(figures.values()).containsExactlyInAnyOrderEntriesOf(ImmutableMap.of(
                RATE, 1500L,
                MEDIAN_LATENCY, 20L,
                TAIL_LATENCY, 30L,
                CONFLICTS, 1L));
    }
}
