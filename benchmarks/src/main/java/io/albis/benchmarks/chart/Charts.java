package io.albis.benchmarks.chart;

import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.DrawnChart;
import io.albis.benchmarks.report.SavedReport;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.getNameWithoutExtension;

/**
 * Draws charts of reports by their rules.
 */
public final class Charts
{
    private Charts() {}

    /**
     * Returns what draws the charts of a report that is written to a file, without those whose figures the report does
     * not have.
     */
    public static Function<SavedReport, List<DrawnChart>> of(Path file, List<ChartRule> rules)
    {
        String source = getNameWithoutExtension(file) + ".json";
        return report -> rules.stream()
                .flatMap(rule -> draw(new WrittenReport(source, report), rule)
                        .map(svg -> new DrawnChart(rule.name(), rule.title(), svg))
                        .stream())
                .collect(toImmutableList());
    }

    /**
     * Draws a chart as SVG.
     *
     * @return empty if the report does not have the figures
     */
    public static Optional<String> draw(WrittenReport report, ChartRule rule)
    {
        List<ChartPoint> points = ChartPoints.of(report, rule);
        return points.isEmpty() ? Optional.empty() : Optional.of(new Chart(report, rule, points).draw());
    }
}
