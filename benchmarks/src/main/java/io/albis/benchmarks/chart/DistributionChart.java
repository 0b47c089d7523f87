package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.chart.LineChart.Line;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Shows how the ratios of the TPC-DS queries are distributed, as in Figure 6c of the paper: for each share of the
 * queries, the ratio of CPU time that they do not exceed.
 */
final class DistributionChart
{
    private static final List<Integer> PERCENTS = IntStream.rangeClosed(0, 10)
            .mapToObj(step -> step * 10)
            .collect(toImmutableList());
    private static final List<String> PEERS = ImmutableList.of("iceberg", "hive", "hive_orc");

    private DistributionChart() {}

    static String draw(WrittenReport report)
    {
        List<Map<String, String>> queries = report.table("Each");
        return new LineChart(
                "%s TPC-DS queries: distribution of the ratios of CPU time".formatted(queries.size()),
                "CPU time of the peer / CPU time of Albis. More than 1 means that Albis takes less.",
                "percent of the queries that have this ratio or less",
                "CPU time of the peer / of Albis",
                true,
                PERCENTS.stream()
                        .map(percent -> percent + " %")
                        .collect(toImmutableList()),
                PEERS.stream()
                        .filter(peer -> queries.getFirst().containsKey("CPU (s) " + peer))
                        .map(peer -> new Line(FormatSeries.of(peer).label(), FormatSeries.of(peer).color(), percentiles(ratios(queries, peer))))
                        .collect(toImmutableList()),
                ImmutableList.of(
                        String.format(Locale.ROOT, "%s. Ratios of medians of %s rounds.", report.title(), report.number("Medians of ", " rounds")),
                        Machine.describe(report))).draw();
    }

    private static List<Double> ratios(List<Map<String, String>> queries, String peer)
    {
        return queries.stream()
                .filter(query -> WrittenReport.figure(query, "CPU (s) albis") > 0)
                .map(query -> WrittenReport.figure(query, "CPU (s) " + peer) / WrittenReport.figure(query, "CPU (s) albis"))
                .sorted()
                .collect(toImmutableList());
    }

    /**
     * Returns the least value that a share of all values do not exceed, for each share.
     */
    private static List<Double> percentiles(List<Double> sorted)
    {
        return PERCENTS.stream()
                .map(percent -> percent == 0 ? Collections.min(sorted) : sorted.get(Math.ceilDiv(sorted.size() * percent, 100) - 1))
                .collect(toImmutableList());
    }
}
