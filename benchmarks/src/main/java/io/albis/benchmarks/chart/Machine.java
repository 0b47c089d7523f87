package io.albis.benchmarks.chart;

/**
 * Where and when the figures of a chart were measured.
 */
final class Machine
{
    private Machine() {}

    public static String describe(WrittenReport report)
    {
        return "%s, %s, Trino %s. Figures: docs/results/%s".formatted(
                report.environment("date"),
                report.environment("machine").replace("(R)", ""),
                report.environment("Trino"),
                report.name());
    }
}
