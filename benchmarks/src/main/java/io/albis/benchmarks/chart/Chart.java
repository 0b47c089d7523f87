package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import io.albis.benchmarks.chart.ChartPoints.ChartPoint;
import io.albis.benchmarks.chart.Plot.Options;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.DrawnChart;
import io.albis.benchmarks.report.SavedReport;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.getNameWithoutExtension;
import static io.albis.benchmarks.chart.Plot.list;
import static io.albis.benchmarks.chart.Plot.options;
import static java.util.Collections.nCopies;
import static java.util.Comparator.comparingDouble;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summarizingDouble;

/**
 * A chart of a report, as its rule describes it.
 */
public final class Chart
{
    // Above this factor between the figures, the least ones would be too close to the axis to be seen
    private static final double LOGARITHMIC = 30;
    private static final int HEIGHT = 460;
    private static final int MOST_NAMES = 60;
    // What fits into a line
    private static final int MOST_CHARACTERS = 110;
    // As a part of the width of the chart
    private static final double CHARACTER_WIDTH = 0.0086;
    private static final double MOST_NAMES_WIDTH = 0.6;
    private static final Map<String, String> POSITION_AND_VALUE = ImmutableMap.of("x", "position", "y", "value", "color", "contender");

    private final WrittenReport report;
    private final ChartRule rule;
    private final List<ChartPoint> points;

    private Chart(WrittenReport report, ChartRule rule)
    {
        this.report = requireNonNull(report, "report is null");
        this.rule = requireNonNull(rule, "rule is null");
        this.points = ChartPoints.of(report, rule);
    }

    /**
     * Returns what draws the charts of a report that is written to a file, without those whose figures the report does
     * not have.
     */
    public static Function<SavedReport, List<DrawnChart>> drawing(Path file, List<ChartRule> rules)
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
        Chart chart = new Chart(report, rule);
        if (chart.points.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(switch (rule.kind()) {
            case LINES -> chart.lines();
            case BARS -> chart.bars();
            case ROWS, TOTALS -> chart.rows();
            case RATIOS -> chart.ratios();
            case DISTRIBUTION -> chart.distribution();
        });
    }

    private String lines()
    {
        Plot plot = plot(report.description())
                .data(points, ChartPoint::position)
                .layer("line", POSITION_AND_VALUE, options("size", 1.2))
                .layer("point", POSITION_AND_VALUE, options("size", 3.5))
                .scale("color", colors())
                .scale("x", discrete(distinct(ChartPoint::position)).with("name", rule.tasks()))
                .scale("y", isLogarithmic() ? valueAxis(true, values().getMin() / 1.15, most() * 1.15) : valueAxis(false, 0, most() * 1.05));
        if (distinct(ChartPoint::panel).size() > 1) {
            plot.panels();
        }
        return plot.render(HEIGHT);
    }

    /**
     * Draws bars, or points where the least bars would be too short to be seen.
     */
    private String bars()
    {
        List<String> positions = distinct(ChartPoint::position);
        int contenders = distinct(ChartPoint::contender).size();
        Plot plot = named(plot(report.description()), positions, isLogarithmic());
        if (isLogarithmic()) {
            plot.data(points, ChartPoint::position)
                    .layer("point", ImmutableMap.of("x", "value", "y", "position", "color", "contender"), options("size", 4))
                    .scale("color", colors());
        }
        else {
            // The first bar is the lowest one
            plot.data(Lists.reverse(points), ChartPoint::position)
                    .layer("bar", ImmutableMap.of("x", "value", "y", "position", "fill", "contender"), options("orientation", "y").with("position", "dodge"))
                    .scale("fill", colors());
        }
        return plot.render(190 + positions.size() * (isLogarithmic() ? 22 : 10 + 12 * contenders));
    }

    private String rows()
    {
        Comparator<ChartPoint> least = comparingDouble(ChartPoint::value);
        List<ChartPoint> sorted = points.stream()
                .sorted(rule.figure().isRate() ? least.reversed() : least)
                .collect(toImmutableList());
        List<String> labels = Lists.transform(sorted, point -> Series.label(point.contender()));
        return named(plot(report.description()), labels, false)
                .data(sorted, ChartPoint::position)
                .layer("bar", ImmutableMap.of("x", "value", "y", "contender", "fill", "contender"), options("orientation", "y"))
                .layer("text", ImmutableMap.of("x", "value", "y", "contender", "label", "value"), text("left").with("nudge_x", most() / 100).with("label_format", ",.1f"))
                .scale("fill", discrete(labels).with("values", list(Lists.transform(sorted, point -> Series.familyColor(point.contender())))))
                .theme("legend_position", "none")
                .render(150 + 28 * sorted.size());
    }

    /**
     * Adds the axes of horizontal bars, whose names are part of the plot, because the library shortens those of an
     * axis.
     *
     * @param names names from the highest to the lowest bar
     */
    private Plot named(Plot plot, List<String> names, boolean logarithmic)
    {
        int length = names.stream().mapToInt(String::length).max().orElseThrow();
        double part = Math.min((length + 2) * CHARACTER_WIDTH, MOST_NAMES_WIDTH);
        double start = logarithmic ? values().getMin() / 1.3 : 0;
        double end = most() * 1.1;
        double left = logarithmic ? start * Math.pow(start / end, part / (1 - part)) : -end * part / (1 - part);
        Options data = options("name", list(names)).with("end", list(nCopies(names.size(), logarithmic ? start : -most() / 100)));
        return plot.layer("text", ImmutableMap.of("x", "end", "y", "name", "label", "name"), text("right").with("data", data))
                .scale("x", valueAxis(logarithmic, left, end))
                .scale("y", discrete(Lists.reverse(names)).with("name", "").with("expand", list(ImmutableList.of(0, 0.7))))
                .theme("axis_text_y", options("blank", true))
                .theme("panel_grid_major_y", options("blank", true));
    }

    private String ratios()
    {
        Map<String, DoubleSummaryStatistics> ratios = points.stream()
                .collect(groupingBy(ChartPoint::position, LinkedHashMap::new, summarizingDouble(ChartPoint::value)));
        List<String> positions = ratios.keySet().stream()
                .sorted(comparingDouble(position -> ratios.get(position).getMin()))
                .collect(toImmutableList());
        List<String> less = positions.stream()
                .filter(position -> ratios.get(position).getMin() < 1)
                .collect(toImmutableList());
        Options ranges = options("position", list(positions))
                .with("least", list(Lists.transform(positions, position -> ratios.get(position).getMin())))
                .with("most", list(Lists.transform(positions, position -> ratios.get(position).getMax())));
        boolean named = positions.size() <= MOST_NAMES;
        return plot(totals(), ImmutableList.of(less(less, positions.size()), report.description()))
                .data(points, ChartPoint::position)
                .layer("linerange", ImmutableMap.of("x", "position", "ymin", "least", "ymax", "most"), options("data", ranges).with("color", "#c4c9cf"))
                .layer("hline", ImmutableMap.of(), one())
                .layer("point", POSITION_AND_VALUE, options("size", 3))
                .scale("color", colors())
                .scale("x", discrete(positions).with("name", "%s, ordered by the least ratio".formatted(rule.tasks())).with("expand", list(ImmutableList.of(0, 1))))
                .scale("y", ratioAxis())
                .theme("axis_text_x", named ? options("angle", 90) : options("blank", true))
                .theme("panel_grid_major_x", options("blank", true))
                .render(named ? HEIGHT + 80 : HEIGHT + 20);
    }

    private String distribution()
    {
        return plot(totals(), ImmutableList.of(report.description()))
                .data(points, point -> Double.parseDouble(point.position()))
                .layer("hline", ImmutableMap.of(), one())
                .layer("line", POSITION_AND_VALUE, options("size", 1.2))
                .scale("color", colors())
                .scale("x", options("name", "percent of the %s that have this ratio or less".formatted(rule.tasks())).with("limits", list(ImmutableList.of(0, 100))))
                .scale("y", ratioAxis())
                .render(HEIGHT);
    }

    private Plot plot(String subtitle)
    {
        return plot(subtitle, ImmutableList.of());
    }

    private Plot plot(String subtitle, List<String> caption)
    {
        return new Plot(rule.title(), subtitle, ImmutableList.<String>builder()
                .addAll(caption)
                .add(report.environment())
                .add("Figures: %s. %s".formatted(report.source(), rule.note()).strip())
                .build());
    }

    /**
     * Returns what all tasks take together, unless there are too many contenders, and what the ratios mean.
     */
    private String totals()
    {
        String together = String.join(", ", ChartPoints.of(report, ChartRule.totals(rule.figure(), "")).stream()
                .map(point -> String.format(ENGLISH, "%s %,.1f %s", Series.label(point.contender()), point.value(), rule.figure().unit().symbol()))
                .collect(toImmutableList()));
        String meaning = "More than 1 means that %s takes less.".formatted(reference());
        return together.isEmpty() || together.length() > MOST_CHARACTERS ? meaning : "All together: %s.\n%s".formatted(together, meaning);
    }

    private String less(List<String> positions, int all)
    {
        String text = "Another one takes less than %s in %s of %s %s".formatted(reference(), positions.size(), all, rule.tasks());
        String names = String.join(", ", positions);
        return names.isEmpty() || names.length() > MOST_CHARACTERS - text.length() ? text + "." : "%s: %s.".formatted(text, names);
    }

    private String reference()
    {
        return Series.label(contenders().getFirst());
    }

    private List<String> contenders()
    {
        return ChartPoints.contenders(report.table(rule.section()), rule.figure());
    }

    /**
     * Returns the line at which both take the same.
     */
    private static Options one()
    {
        return options("yintercept", 1).with("color", Series.familyColor("albis")).with("size", 0.8);
    }

    private static Options text(String side)
    {
        return options("hjust", side).with("size", 6.2).with("color", Plot.TEXT);
    }

    private boolean isLogarithmic()
    {
        DoubleSummaryStatistics values = values();
        return values.getMin() > 0 && values.getMax() / values.getMin() > LOGARITHMIC;
    }

    private Options valueAxis(boolean logarithmic, double start, double end)
    {
        List<BigDecimal> breaks = logarithmic ? Breaks.logarithmic(values().getMin(), most()) : Breaks.linear(most());
        List<String> labels = Lists.transform(breaks, value -> String.format(ENGLISH, "%,." + Math.max(0, value.scale()) + "f", value));
        return axis(logarithmic ? "log10" : "identity", start, end, Lists.transform(breaks, BigDecimal::doubleValue), labels)
                .with("name", "%s, %s is better".formatted(rule.figure().header(), rule.figure().isRate() ? "more" : "less"));
    }

    /**
     * Returns an axis on which twice as much and half as much are at the same distance from 1.
     */
    private Options ratioAxis()
    {
        double least = Math.min(1, values().getMin());
        double most = Math.max(1, values().getMax());
        ImmutableList.Builder<Double> breaks = ImmutableList.builder();
        ImmutableList.Builder<String> labels = ImmutableList.builder();
        for (int exponent = Math.getExponent(least); exponent <= Math.getExponent(most); exponent++) {
            breaks.add(Math.scalb(1.0, exponent));
            labels.add(exponent < 0 ? "1/%s".formatted(1L << -exponent) : Long.toString(1L << exponent));
        }
        // With space for the points
        return axis("log2", Math.scalb(1.0, Math.getExponent(least)) / 1.15, most * 1.15, breaks.build(), labels.build())
                .with("name", "%s, divided by that of %s".formatted(rule.figure().title(), reference()));
    }

    private static Options axis(String transformation, double start, double end, List<Double> breaks, List<String> labels)
    {
        return options("trans", transformation)
                .with("limits", list(ImmutableList.of(start, end)))
                .with("expand", list(ImmutableList.of(0, 0)))
                .with("breaks", list(breaks))
                .with("labels", list(labels));
    }

    private static Options discrete(List<String> limits)
    {
        return options("discrete", true).with("limits", list(limits));
    }

    private Options colors()
    {
        List<String> shown = distinct(ChartPoint::contender);
        List<Series> series = Series.distinct(contenders()).stream()
                .filter(candidate -> shown.contains(candidate.contender()))
                .collect(toImmutableList());
        boolean wide = series.stream().mapToInt(candidate -> candidate.label().length() + 5).sum() > MOST_CHARACTERS;
        return discrete(Lists.transform(series, Series::label))
                .with("values", list(Lists.transform(series, Series::color)))
                .with("guide", options("name", "legend").with("ncol", wide ? 2 : series.size()));
    }

    private List<String> distinct(Function<ChartPoint, String> property)
    {
        return points.stream()
                .map(property)
                .distinct()
                .collect(toImmutableList());
    }

    private DoubleSummaryStatistics values()
    {
        return points.stream()
                .mapToDouble(ChartPoint::value)
                .summaryStatistics();
    }

    private double most()
    {
        double most = values().getMax();
        return most > 0 ? most : 1;
    }
}
