package io.albis.benchmarks.chart;

/**
 * The machine on which the figures of a chart were measured, and the date.
 */
final class Machine
{
    private Machine() {}

    public static String describe(WrittenReport report)
    {
        return "%s, %s, Trino %s. Figures: docs/results/%s.json".formatted(
                report.environment("date"),
                report.environment("machine").replace("(R)", ""),
                report.environment("Trino"),
                report.name());
    }
}
