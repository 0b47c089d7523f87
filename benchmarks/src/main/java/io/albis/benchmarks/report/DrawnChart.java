package io.albis.benchmarks.report;

import static java.util.Objects.requireNonNull;

/**
 * A chart of a report.
 *
 * @param name name among the charts of the report
 * @param svg the image
 */
public record DrawnChart(String name, String title, String svg)
{
    public DrawnChart
    {
        requireNonNull(name, "name is null");
        requireNonNull(title, "title is null");
        requireNonNull(svg, "svg is null");
    }
}
