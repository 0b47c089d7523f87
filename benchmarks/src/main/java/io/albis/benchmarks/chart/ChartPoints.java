package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multimaps;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.report.ChartRule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparingDouble;

/**
 * Finds the points of charts in the tables of reports.
 */
final class ChartPoints
{
    private ChartPoints() {}

    /**
     * A figure in a chart.
     *
     * @param contender what was measured, which is a line, a bar, or a color
     * @param position where it is on the axis without figures
     * @param panel one of several parts of the chart that are next to each other; empty if there is only one
     */
    record ChartPoint(String contender, String position, String panel, double value) {}

    /**
     * Returns the points of a chart in the order of the report, contender after contender.
     *
     * @return empty if the report does not have the figure
     */
    public static List<ChartPoint> of(WrittenReport report, ChartRule rule)
    {
        List<Map<String, String>> rows = report.table(rule.section());
        return switch (rule.kind()) {
            case LINES, BARS -> ofTasks(rows, rule);
            case ROWS -> ofRows(rows, rule.figure());
            case TOTALS -> ofTotals(rows, rule.figure());
            case RATIOS -> ratios(ofTasks(rows, rule));
            case DISTRIBUTION -> distribution(ratios(ofTasks(rows, rule)));
        };
    }

    /**
     * Reads a table with a column for each contender.
     */
    private static List<ChartPoint> ofTasks(List<Map<String, String>> rows, ChartRule rule)
    {
        ImmutableList.Builder<ChartPoint> points = ImmutableList.builder();
        for (String contender : contenders(rows, rule.figure())) {
            for (Map<String, String> row : rows) {
                Matcher name = rule.names().matcher(firstCell(row));
                if (name.matches()) {
                    WrittenReport.figure(row.get(column(rule.figure(), contender)))
                            .ifPresent(value -> points.add(new ChartPoint(contender, name.group("x"), name.group("panel"), value)));
                }
            }
        }
        return points.build();
    }

    /**
     * Returns the contenders that a table has a column of a figure for.
     */
    static List<String> contenders(List<Map<String, String>> rows, Figure figure)
    {
        String prefix = column(figure, "");
        return rows.stream()
                .limit(1)
                .flatMap(row -> row.keySet().stream())
                .filter(column -> column.startsWith(prefix))
                .map(column -> column.substring(prefix.length()))
                .collect(toImmutableList());
    }

    private static String column(Figure figure, String contender)
    {
        return "%s %s".formatted(figure.header(), contender);
    }

    /**
     * Reads a table with a row for each contender.
     */
    private static List<ChartPoint> ofRows(List<Map<String, String>> rows, Figure figure)
    {
        ImmutableList.Builder<ChartPoint> points = ImmutableList.builder();
        for (Map<String, String> row : rows) {
            WrittenReport.figure(row.getOrDefault(figure.header(), "")).ifPresent(value -> points.add(new ChartPoint(firstCell(row), firstCell(row), "", value)));
        }
        return points.build();
    }

    /**
     * Reads a table with a row for each figure. The last columns compare contenders.
     */
    private static List<ChartPoint> ofTotals(List<Map<String, String>> rows, Figure figure)
    {
        ImmutableList.Builder<ChartPoint> points = ImmutableList.builder();
        for (Map<String, String> row : rows) {
            if (firstCell(row).equals(figure.header())) {
                row.forEach((column, cell) -> {
                    if (!column.contains("/")) {
                        WrittenReport.figure(cell).ifPresent(value -> points.add(new ChartPoint(column, column, "", value)));
                    }
                });
            }
        }
        return points.build();
    }

    private static String firstCell(Map<String, String> row)
    {
        return row.values().iterator().next();
    }

    /**
     * Divides the figures of the other contenders by those of the first one.
     */
    private static List<ChartPoint> ratios(List<ChartPoint> points)
    {
        if (points.isEmpty()) {
            return points;
        }
        String first = points.getFirst().contender();
        Map<String, Double> divisors = new HashMap<>();
        ImmutableList.Builder<ChartPoint> ratios = ImmutableList.builder();
        for (ChartPoint point : points) {
            if (point.contender().equals(first)) {
                divisors.put(point.position(), point.value());
                continue;
            }
            // Figures below the precision of the report have no ratio
            double divisor = divisors.getOrDefault(point.position(), 0.0);
            if (divisor > 0 && point.value() > 0) {
                ratios.add(new ChartPoint(point.contender(), point.position(), point.panel(), point.value() / divisor));
            }
        }
        return ratios.build();
    }

    /**
     * Returns for each value which percentage of the values of the same contender do not exceed it.
     */
    private static List<ChartPoint> distribution(List<ChartPoint> points)
    {
        ImmutableList.Builder<ChartPoint> distribution = ImmutableList.builder();
        Multimaps.index(points, ChartPoint::contender).asMap().forEach((contender, values) -> {
            List<ChartPoint> sorted = values.stream()
                    .sorted(comparingDouble(ChartPoint::value))
                    .collect(toImmutableList());
            for (int i = 0; i < sorted.size(); i++) {
                distribution.add(new ChartPoint(contender, Double.toString(100.0 * (i + 1) / sorted.size()), "", sorted.get(i).value()));
            }
        });
        return distribution.build();
    }
}
