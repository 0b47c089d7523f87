package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.chart.LineChart.Line;
import io.albis.benchmarks.page.ResultFolder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * All charts of the documentation. A chart whose report does not exist yet is not drawn.
 */
public final class Charts
{
    private static final Map<String, Chart> CHARTS = ImmutableMap.<String, Chart>builder()
            .put("scan", new Chart("format", ScanChart::draw))
            .put("tpcds", new Chart("tpcds-sf1", QueriesChart::draw))
            .put("distribution", new Chart("tpcds-sf1", DistributionChart::draw))
            .put("columns", new Chart("columns", report -> lines(report, "time (ms) ", "Reading few or many of 100 columns", "number of columns", "milliseconds, less is faster")))
            .put("threads", new Chart("threads", report -> lines(report, "data (Gbit/s) ", "Scan speed by the number of threads", "threads", "Gbit/s of values")))
            .put("concurrency", new Chart("concurrency-sf1", report -> lines(report, "statements (1/s) ", "Clients that run the TPC-DS queries at the same time", "clients", "queries per second")))
            .buildOrThrow();

    private Charts() {}

    private record Chart(String report, Function<WrittenReport, String> drawing) {}

    /**
     * Draws the charts.
     *
     * @param folder an existing folder for the SVG files
     */
    public static void draw(ResultFolder results, Path folder)
    {
        CHARTS.forEach((name, chart) -> results.report(chart.report())
                .map(report -> chart.drawing().apply(new WrittenReport(chart.report(), report)))
                .ifPresent(svg -> write(folder.resolve(name + ".svg"), svg)));
    }

    private static void write(Path file, String svg)
    {
        try {
            Files.writeString(file, svg);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Draws a line for each contender, from the columns of the tasks that have one figure for each contender.
     *
     * @param prefix what the headers of these columns start with
     */
    private static String lines(WrittenReport report, String prefix, String title, String horizontal, String vertical)
    {
        List<Map<String, String>> rows = report.table("Each");
        List<String> headers = ImmutableList.copyOf(rows.getFirst().keySet());
        List<Line> lines = headers.stream()
                .filter(header -> header.startsWith(prefix))
                .map(header -> {
                    FormatSeries series = FormatSeries.of(header.substring(prefix.length()));
                    return new Line(series.label(), series.color(), rows.stream()
                            .map(row -> WrittenReport.figure(row, header))
                            .collect(toImmutableList()));
                })
                .collect(toImmutableList());
        return new LineChart(
                title,
                report.title(),
                horizontal,
                vertical,
                false,
                rows.stream()
                        .map(row -> row.get(headers.getFirst()).split(" ", 2)[0])
                        .collect(toImmutableList()),
                lines,
                ImmutableList.of("Medians of %s rounds.".formatted(report.number("Medians of ", " rounds")), Machine.describe(report))).draw();
    }
}
