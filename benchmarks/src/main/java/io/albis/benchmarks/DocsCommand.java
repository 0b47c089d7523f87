package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.chart.Chart;
import io.albis.benchmarks.chart.WrittenReport;
import io.albis.benchmarks.format.ColumnsBenchmark;
import io.albis.benchmarks.format.StoreSalesBenchmark;
import io.albis.benchmarks.format.ThreadsBenchmark;
import io.albis.benchmarks.page.Page;
import io.albis.benchmarks.page.ResultFolder;
import io.albis.benchmarks.report.ChartRule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Writes everything in the documentation that shows figures from the saved reports, without measuring anything.
 */
@Command(name = "docs", description = "Writes the reports, the charts, and the figures of docs/benchmarks.md from the JSON files in docs/results")
class DocsCommand
        implements Callable<Integer>
{
    private static final String LOCAL = "One server, files on the local disk and in the cache of the operating system.";
    private static final List<DocumentedChart> CHARTS = ImmutableList.of(
            new DocumentedChart("scan", "format", StoreSalesBenchmark.SPEEDS.withNote("Files in the cache of the operating system.")),
            new DocumentedChart("tpcds", "tpcds-sf1", TpcdsBenchmark.RATIOS.withNote(LOCAL)),
            new DocumentedChart("distribution", "tpcds-sf1", TpcdsBenchmark.DISTRIBUTION.withNote(LOCAL)),
            new DocumentedChart("columns", "columns", ColumnsBenchmark.TIMES),
            new DocumentedChart("threads", "threads", ThreadsBenchmark.SPEEDS),
            new DocumentedChart("concurrency", "concurrency-sf1", ConcurrencyBenchmark.RATES));

    @Option(names = "--docs", defaultValue = "docs", paramLabel = "DIR", description = "folder with benchmarks.md, results, and charts; ${DEFAULT-VALUE} if not given")
    private Path docs;

    @Option(names = "--import", description = "first create the JSON of reports that older builds wrote only as Markdown")
    private boolean imports;

    @Override
    public Integer call()
            throws IOException
    {
        ResultFolder results = new ResultFolder(docs.resolve("results"));
        if (imports) {
            results.importMarkdown();
        }
        results.writeMarkdown(results.folder());
        Path charts = docs.resolve("charts");
        Files.createDirectories(charts);
        for (DocumentedChart chart : CHARTS) {
            Optional<String> svg = results.report(chart.report())
                    .flatMap(report -> Chart.draw(new WrittenReport("docs/results/%s.json".formatted(chart.report()), report), chart.rule()));
            if (svg.isPresent()) {
                Files.writeString(charts.resolve(chart.name() + ".svg"), svg.get());
            }
        }
        Path page = docs.resolve("benchmarks.md");
        Files.writeString(page, new Page(results, Files.readString(results.folder().resolve("figures.txt"))).update(Files.readString(page)));
        return 0;
    }

    /**
     * A chart of the documentation, which is not drawn if there is no such report yet.
     *
     * @param name name of its file
     */
    private record DocumentedChart(String name, String report, ChartRule rule) {}
}
