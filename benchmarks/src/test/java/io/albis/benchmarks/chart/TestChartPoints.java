package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.chart.ChartPoints.ChartPoint;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.MarkdownReports;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TestChartPoints
{
    private static final WrittenReport REPORT = new WrittenReport("some.json", MarkdownReports.parse(
            """
            # A report

            Medians of 3 rounds.

            ## Together

            | figure | albis | iceberg | best peer / albis |
            | --- | ---: | ---: | ---: |
            | elapsed (s) | 3.000 | 9.000 | 3.00 [3.00, 3.00] iceberg |
            | CPU (s) | 1.000 | 2.000 | 2.00 [2.00, 2.00] iceberg |

            ## Each

            | query | rows | CPU (s) albis | CPU (s) iceberg | CPU (s) hive | scan CPU (s) albis |
            | --- | ---: | ---: | ---: | ---: | ---: |
            | q01, small | 1 | 1.000 | 0.500 | 3.000 | 9.000 |
            | q02, small | 1 | 2.000 | 8.000 | - | 9.000 |
            | q03, large | 1 | 0.000 | 8.000 | 3,000.000 | 9.000 |
            """,
            ImmutableList.of()));

    @Test
    void testTasks()
    {
        assertThat(ChartPoints.of(REPORT, ChartRule.lines(Figure.CPU, "A title", "queries").withNames("(?<x>.*), (?<panel>.*)"))).containsExactly(
                new ChartPoint("albis", "q01", "small", 1),
                new ChartPoint("albis", "q02", "small", 2),
                new ChartPoint("albis", "q03", "large", 0),
                new ChartPoint("iceberg", "q01", "small", 0.5),
                new ChartPoint("iceberg", "q02", "small", 8),
                new ChartPoint("iceberg", "q03", "large", 8),
                new ChartPoint("hive", "q01", "small", 3),
                new ChartPoint("hive", "q03", "large", 3000));
        assertThat(ChartPoints.of(REPORT, ChartRule.bars(Figure.SCAN_CPU, "A title"))).hasSize(3).contains(new ChartPoint("albis", "q03, large", "", 9));
        assertThat(ChartPoints.of(REPORT, ChartRule.bars(Figure.ELAPSED, "A title"))).isEmpty();
        assertThat(ChartPoints.of(REPORT, ChartRule.bars(Figure.CPU, "A title").withSection("Other"))).isEmpty();
    }

    @Test
    void testTotals()
    {
        assertThat(ChartPoints.of(REPORT, ChartRule.totals(Figure.CPU, "A title"))).containsExactly(
                new ChartPoint("albis", "albis", "", 1),
                new ChartPoint("iceberg", "iceberg", "", 2));
        assertThat(ChartPoints.of(REPORT, ChartRule.totals(Figure.SCAN_CPU, "A title"))).isEmpty();
    }

    @Test
    void testRatios()
    {
        assertThat(ChartPoints.of(REPORT, ChartRule.ratios(Figure.CPU, "A title", "queries"))).containsExactly(
                new ChartPoint("iceberg", "q01, small", "", 0.5),
                new ChartPoint("iceberg", "q02, small", "", 4),
                new ChartPoint("hive", "q01, small", "", 3));
        assertThat(ChartPoints.of(REPORT, ChartRule.distribution(Figure.CPU, "A title", "queries"))).containsExactly(
                new ChartPoint("iceberg", "50.0", "", 0.5),
                new ChartPoint("iceberg", "100.0", "", 4),
                new ChartPoint("hive", "100.0", "", 3));
    }
}
