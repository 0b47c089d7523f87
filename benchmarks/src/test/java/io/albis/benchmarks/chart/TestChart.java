package io.albis.benchmarks.chart;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.DrawnChart;
import io.albis.benchmarks.report.MarkdownReports;
import io.albis.benchmarks.report.SavedReport;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class TestChart
{
    private static final SavedReport REPORT = MarkdownReports.parse(
            """
            # A <report>

            - date: 2026-11-26
            - machine: two cores
            - Trino: 483

            Medians of 3 rounds.
            The rest.

            ## Together

            | figure | albis | hive | best peer / albis |
            | --- | ---: | ---: | ---: |
            | elapsed (s) | 2.000 | 6.000 | 3.00 [3.00, 3.00] hive |

            ## Formats

            | format | values/s (M) |
            | --- | ---: |
            | json | 1.5 |
            | albis_block_one_group | 1,234.5 |

            ## Each

            | what | rows | data (Gbit/s) albis_row | data (Gbit/s) json | elapsed (s) albis | elapsed (s) hive |
            | --- | ---: | ---: | ---: | ---: | ---: |
            | 1 of a kind | 1,000 | 40.0 | 9.0 | 1.000 | 4.000 |
            | 2 of a kind | 1,000 | 79.5 | 17.0 | 2.000 | 1.000 |
            """,
            ImmutableList.of());
    private static final String MACHINE = "2026-11-26, two cores, Trino 483";

    @Test
    void testLines()
            throws Exception
    {
        assertThat(texts(ChartRule.lines(Figure.GOODPUT, "Speed", "threads").withNames("(?<x>\\d) (?<panel>.*)")))
                .contains("Speed", "threads", "1", "2", "data (Gbit/s), more is better", "Albis, row layout", "JSON")
                .contains("A <report>. Medians of 3 rounds.", MACHINE, "Figures: run.json.")
                .doesNotContain("of a kind");
    }

    @Test
    void testPanels()
            throws Exception
    {
        assertThat(texts(ChartRule.lines(Figure.GOODPUT, "Speed", "kind").withNames("(?<panel>\\d) (?<x>.*)"))).contains("of a kind", "1", "2");
    }

    @Test
    void testBars()
            throws Exception
    {
        assertThat(texts(ChartRule.bars(Figure.ELAPSED, "Times").withNote("A note.")))
                .contains("Times", "1 of a kind", "2 of a kind", "elapsed (s), less is better", "Albis", "Hive (Parquet)", MACHINE, "Figures: run.json. A note.");
        assertThat(texts(ChartRule.rows("Formats", Figure.VALUE_RATE, "Rates"))).contains("values/s (M), more is better", "Albis (default)", "1,234.5", "JSON", "1.5");
        assertThat(texts(ChartRule.totals(Figure.ELAPSED, "All"))).contains("Albis", "2.0", "Hive (Parquet)", "6.0").doesNotContain("3.0");
    }

    /**
     * Tests that points replace bars of very different lengths.
     */
    @Test
    void testPoints()
            throws Exception
    {
        SavedReport report = MarkdownReports.parse(
                """
                # A report

                - date: 2026-11-26
                - machine: two cores
                - Trino: 483

                Medians of 3 rounds.

                ## Each

                | what | rows | elapsed (s) albis |
                | --- | ---: | ---: |
                | a name of more than twenty characters | 1 | 0.020 |
                | long | 1 | 9.000 |
                """,
                ImmutableList.of());
        assertThat(texts(report, ChartRule.bars(Figure.ELAPSED, "Times"))).contains("a name of more than twenty characters", "long", "0.02", "0.5", "5");
    }

    @Test
    void testRatios()
            throws Exception
    {
        assertThat(texts(ChartRule.ratios(Figure.ELAPSED, "Ratios", "tasks")))
                .contains("All together: Albis 2.0 s, Hive (Parquet) 6.0 s.", "elapsed, divided by that of Albis")
                .contains("Another one takes less than Albis in 1 of 2 tasks: 2 of a kind.");
        assertThat(texts(ChartRule.distribution(Figure.ELAPSED, "Distribution", "tasks")))
                .contains("percent of the tasks that have this ratio or less", "More than 1 means that Albis takes less.", "100");
    }

    @Test
    void testCharts()
    {
        ChartRule lines = ChartRule.lines(Figure.GOODPUT, "Speed", "threads");
        List<ChartRule> rules = ImmutableList.of(lines, ChartRule.bars(Figure.CPU, "Not measured"), ChartRule.totals(Figure.CPU, "Neither"));
        List<DrawnChart> charts = Chart.drawing(Path.of("run.md"), rules).apply(REPORT);
        assertThat(charts).extracting(DrawnChart::name, DrawnChart::title).containsExactly(tuple("goodput-lines", "Speed"));
        assertThat(charts.getFirst().svg())
                .as("the same figures give the same image")
                .isEqualTo(Chart.draw(new WrittenReport("run.json", REPORT), lines).orElseThrow());
        assertThat(charts.getFirst().svg()).hasSizeLessThan(100_000);
    }

    private static List<String> texts(ChartRule rule)
            throws Exception
    {
        return texts(REPORT, rule);
    }

    private static List<String> texts(SavedReport report, ChartRule rule)
            throws Exception
    {
        String svg = Chart.draw(new WrittenReport("run.json", report), rule).orElseThrow();
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
        assertThat(document.getDocumentElement().getAttribute("width")).startsWith("860");
        NodeList texts = document.getElementsByTagName("text");
        return IntStream.range(0, texts.getLength())
                .mapToObj(index -> texts.item(index).getTextContent().strip())
                .collect(toImmutableList());
    }
}
