package io.albis.launcher.sizing;

import io.albis.launcher.tpcds.Scale;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import static java.util.stream.Collectors.joining;

/**
 * Formats measurements for people and for programs.
 */
final class MeasurementTable
{
    private static final double MEGABYTE = 1 << 20;

    private MeasurementTable() {}

    /**
     * Returns a table in Markdown.
     */
    static String markdown(Scale scale, List<Measurement> measurements)
    {
        return """
               TPC-DS at %s. Each client runs the queries once, one after the other.

               | Clients | Queries | Failed | Seconds | Queries per minute | Median s | 95 %% s | CPU s per query | Cores | Heap MB | Largest query MB | MB read per query | Reads per query | S3 requests per query |
               |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
               %s""".formatted(scale, measurements.stream().map(MeasurementTable::row).collect(joining()));
    }

    private static String row(Measurement measurement)
    {
        Metrics used = measurement.used();
        boolean answered = measurement.answered() > 0;
        return format(
                "| %d | %d | %d | %.1f | %.1f | %s | %s | %.2f | %.2f | %.0f | %.0f | %.2f | %.1f | %.1f |\n",
                measurement.clients(),
                measurement.answered(),
                measurement.failed(),
                seconds(measurement.elapsed()),
                60 * measurement.answered() / seconds(measurement.elapsed()),
                answered ? format("%.2f", seconds(measurement.percentile(50))) : "-",
                answered ? format("%.2f", seconds(measurement.percentile(95))) : "-",
                measurement.perQuery(used.processNanos()) / 1e9,
                measurement.cores(),
                used.heapBytes() / MEGABYTE,
                measurement.largestMemory() / MEGABYTE,
                measurement.perQuery(used.bytesRead()) / MEGABYTE,
                measurement.perQuery(used.reads()),
                measurement.perQuery(used.requests()));
    }

    /**
     * Returns one object of JSON for each measurement, with the sums of all queries.
     */
    static String json(Scale scale, List<Measurement> measurements)
    {
        return measurements.stream()
                .map(measurement -> format(
                        "  {\"scale\": \"%s\", \"clients\": %d, \"queries\": %d, \"failed\": %d, \"elapsedNanos\": %d, \"cpuNanos\": %d, \"heapBytes\": %d, \"largestQueryBytes\": %d, \"bytesRead\": %d, \"reads\": %d, \"s3Requests\": %d, \"latencyNanos\": [%s]}",
                        scale,
                        measurement.clients(),
                        measurement.answered(),
                        measurement.failed(),
                        measurement.elapsed().toNanos(),
                        measurement.used().processNanos(),
                        measurement.used().heapBytes(),
                        measurement.largestMemory(),
                        measurement.used().bytesRead(),
                        measurement.used().reads(),
                        measurement.used().requests(),
                        measurement.latencies().stream().map(latency -> Long.toString(latency.toNanos())).collect(joining(", "))))
                .collect(joining(",\n", "[\n", "\n]\n"));
    }

    private static double seconds(Duration duration)
    {
        return duration.toNanos() / 1e9;
    }

    private static String format(String format, Object... values)
    {
        return String.format(Locale.ENGLISH, format, values);
    }
}
