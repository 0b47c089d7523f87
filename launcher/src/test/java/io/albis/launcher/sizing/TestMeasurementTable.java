package io.albis.launcher.sizing;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.tpcds.Scale;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestMeasurementTable
{
    private static final List<Measurement> MEASUREMENTS = ImmutableList.of(
            new Measurement(
                    4,
                    ImmutableList.of(Duration.ofMillis(1500), Duration.ofMillis(500), Duration.ofMillis(250), Duration.ofMillis(750)),
                    1,
                    Duration.ofSeconds(2),
                    new Metrics(3_000_000_000L, 512 << 20, 8 << 20, 10, 14),
                    64 << 20),
            new Measurement(16, ImmutableList.of(), 3, Duration.ofSeconds(1), Metrics.NONE, 0));

    @Test
    void testMarkdown()
    {
        assertThat(MeasurementTable.markdown(Scale.TINY, MEASUREMENTS)).isEqualTo(
                """
                TPC-DS at tiny. Each client runs the queries once, one after the other.

                | Clients | Queries | Failed | Seconds | Queries per minute | Median s | 95 % s | CPU s per query | Cores | Heap MB | Largest query MB | MB read per query | Reads per query | S3 requests per query |
                |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
                | 4 | 4 | 1 | 2.0 | 120.0 | 0.50 | 1.50 | 0.75 | 1.50 | 512 | 64 | 2.00 | 2.5 | 3.5 |
                | 16 | 0 | 3 | 1.0 | 0.0 | - | - | 0.00 | 0.00 | 0 | 0 | 0.00 | 0.0 | 0.0 |
                """);
    }

    @Test
    void testJson()
    {
        assertThat(MeasurementTable.json(Scale.TINY, MEASUREMENTS)).isEqualTo(
                """
                [
                  {"scale": "tiny", "clients": 4, "queries": 4, "failed": 1, "elapsedNanos": 2000000000, "cpuNanos": 3000000000, "heapBytes": 536870912, "largestQueryBytes": 67108864, "bytesRead": 8388608, "reads": 10, "s3Requests": 14, "latencyNanos": [250000000, 500000000, 750000000, 1500000000]},
                  {"scale": "tiny", "clients": 16, "queries": 0, "failed": 3, "elapsedNanos": 1000000000, "cpuNanos": 0, "heapBytes": 0, "largestQueryBytes": 0, "bytesRead": 0, "reads": 0, "s3Requests": 0, "latencyNanos": []}
                ]
                """);
    }
}
