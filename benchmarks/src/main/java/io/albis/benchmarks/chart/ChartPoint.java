package io.albis.benchmarks.chart;

import static java.util.Objects.requireNonNull;

/**
 * A figure in a chart.
 *
 * @param contender what was measured, which is a line, a bar, or a color
 * @param position where it is on the axis without figures
 * @param panel one of several parts of the chart that are next to each other; empty if there is only one
 */
record ChartPoint(String contender, String position, String panel, double value)
{
    ChartPoint
    {
        requireNonNull(contender, "contender is null");
        requireNonNull(position, "position is null");
        requireNonNull(panel, "panel is null");
    }
}
