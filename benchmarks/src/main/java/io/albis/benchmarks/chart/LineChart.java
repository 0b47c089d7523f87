package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.chart.Drawing.Anchor;
import io.albis.benchmarks.chart.VerticalAxis.Tick;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Lines over the same values of the horizontal axis, which are at equal distances. Each line ends with its label, so
 * that no legend is needed.
 *
 * @param logarithmic whether the vertical axis is logarithmic, for values that are all greater than 0
 * @param positions labels of the values of the horizontal axis
 * @param footer lines below the chart, such as the source of the figures
 */
record LineChart(String title, String subtitle, String horizontal, String vertical, boolean logarithmic, List<String> positions, List<Line> lines, List<String> footer)
{
    private static final int WIDTH = 860;
    private static final int LEFT = 80;
    private static final int RIGHT = 200;
    private static final int TOP = 70;
    private static final int HEIGHT = 300;
    // The least distance between two labels at the ends of lines
    private static final int LABEL_HEIGHT = 16;

    LineChart
    {
        requireNonNull(title, "title is null");
        requireNonNull(subtitle, "subtitle is null");
        requireNonNull(horizontal, "horizontal is null");
        requireNonNull(vertical, "vertical is null");
        positions = ImmutableList.copyOf(positions);
        lines = ImmutableList.copyOf(lines);
        footer = ImmutableList.copyOf(footer);
        checkArgument(!positions.isEmpty() && !lines.isEmpty(), "there is nothing to draw");
    }

    /**
     * A line of the chart.
     *
     * @param values values for each position, none of which is negative
     */
    record Line(String label, Palette color, List<Double> values)
    {
        Line
        {
            requireNonNull(label, "label is null");
            requireNonNull(color, "color is null");
            values = ImmutableList.copyOf(values);
        }
    }

    String draw()
    {
        VerticalAxis axis = axis();
        int bottom = TOP + HEIGHT;
        Drawing drawing = new Drawing(WIDTH, bottom + 52 + 20 * footer.size(), title);
        drawing.boldText(16, 24, 16, title);
        drawing.text(16, 44, Anchor.START, subtitle);
        for (Tick tick : axis.ticks()) {
            double y = y(axis, tick.value());
            drawing.line(LEFT, y, WIDTH - RIGHT, y, Palette.GRID, 1);
            drawing.text(LEFT - 8, y + 4, Anchor.END, tick.label());
        }
        for (int i = 0; i < positions.size(); i++) {
            drawing.text(x(i), bottom + 18, Anchor.MIDDLE, positions.get(i));
        }
        drawing.text((LEFT + WIDTH - RIGHT) / 2.0, bottom + 38, Anchor.MIDDLE, horizontal);
        drawing.verticalText(20, TOP + HEIGHT / 2.0, vertical);
        lines.forEach(line -> line(drawing, line, axis));
        labels(drawing, axis);
        for (int i = 0; i < footer.size(); i++) {
            drawing.text(16, bottom + 62 + 20 * i, Anchor.START, footer.get(i));
        }
        return drawing.render();
    }

    private VerticalAxis axis()
    {
        DoubleSummaryStatistics values = lines.stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        return logarithmic ? VerticalAxis.logarithmic(values.getMin(), values.getMax()) : VerticalAxis.linear(values.getMax());
    }

    private void line(Drawing drawing, Line line, VerticalAxis axis)
    {
        for (int i = 0; i < line.values().size(); i++) {
            double value = line.values().get(i);
            if (i > 0) {
                drawing.line(x(i - 1), y(axis, line.values().get(i - 1)), x(i), y(axis, value), line.color(), 2);
            }
            drawing.point(x(i), y(axis, value), 3, line.color(), String.format(Locale.ROOT, "%s, %s: %.2f", line.label(), positions.get(i), value));
        }
    }

    /**
     * Puts the labels next to the ends of their lines, from top to bottom, and moves those down that would overlap.
     */
    private void labels(Drawing drawing, VerticalAxis axis)
    {
        double lowest = Double.NEGATIVE_INFINITY;
        List<Line> sorted = lines.stream()
                .sorted((first, second) -> Double.compare(second.values().getLast(), first.values().getLast()))
                .collect(toImmutableList());
        for (Line line : sorted) {
            double y = Math.max(y(axis, line.values().getLast()) + 4, lowest + LABEL_HEIGHT);
            double x = x(line.values().size() - 1) + 12;
            drawing.point(x, y - 4, 4, line.color(), line.label());
            drawing.text(x + 10, y, Anchor.START, line.label());
            lowest = y;
        }
    }

    private double x(int position)
    {
        double step = (double) (WIDTH - LEFT - RIGHT) / positions.size();
        return LEFT + (position + 0.5) * step;
    }

    private static double y(VerticalAxis axis, double value)
    {
        return TOP + HEIGHT - axis.position(value) * HEIGHT;
    }
}
