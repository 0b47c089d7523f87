package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Projection;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.SCANNING;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static java.util.Locale.ENGLISH;

/**
 * Measures scans of a table and a task that only reads the same files. The time of the latter is a lower bound for the
 * reader of any format.
 */
abstract class StorageBenchmark
        extends Benchmark
{
    @Option(names = "--table", defaultValue = "store_sales", paramLabel = "TABLE", description = "${DEFAULT-VALUE} if not given")
    protected String table;

    @Option(names = "--threads", paramLabel = "N", description = "number of threads that read the files without Trino; one for each processor by default")
    protected int threads = Runtime.getRuntime().availableProcessors();

    /**
     * Returns a task that reads the files without decoding them.
     */
    protected abstract Task readTask();

    protected abstract String storage();

    protected Task scanTask(QueryTask scan)
    {
        return scan;
    }

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return BenchmarkCatalog.withoutAnswers(options.catalogs);
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tables.prepare(catalogs(), table);
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        List<String> columns = tables.columns(table);
        // The cheapest aggregation that needs the values
        Projection scan = Projection.of("count", table, columns, columns.size());
        return ImmutableList.of(readTask(), scanTask(new QueryTask(scan.name(), scan.sql(), schema(), server)));
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Scan of %s at %s on %s".formatted(table, options.scale, storage()),
                "what",
                ImmutableList.of(),
                ImmutableList.of(ELAPSED, BYTES_READ),
                ImmutableList.of(ELAPSED))
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of a scan, and of reading the files without decoding them"));
    }

    @Override
    protected List<Section> others(Results results)
    {
        String reading = readTask().name();
        List<String> scans = results.comparableTasks().stream()
                .filter(task -> !task.equals(reading))
                .collect(toImmutableList());
        if (scans.isEmpty() || !results.comparableTasks().contains(reading)) {
            return ImmutableList.of();
        }
        String scan = scans.getFirst();
        MarkdownTable fractions = new MarkdownTable(ImmutableList.of("catalog", "files (MB)", reading + " (MB/s)", "scan (MB/s)", "scan / " + reading, "scan CPU (s)", "CPU (s)", "process CPU (s)", "scanning, all threads (s)"));
        for (BenchmarkCatalog catalog : catalogs()) {
            String name = catalog.catalogName();
            double bytes = results.median(BYTES_READ, reading, name);
            double readTime = results.median(ELAPSED, reading, name);
            double scanTime = results.median(ELAPSED, scan, name);
            ImmutableList.Builder<String> row = ImmutableList.<String>builder()
                    .add(name, BYTES_READ.unit().format(bytes), rate(bytes, readTime), rate(bytes, scanTime), String.format(ENGLISH, "%.2f", readTime / scanTime));
            for (Figure figure : ImmutableList.of(SCAN_CPU, CPU, PROCESS_CPU, SCANNING)) {
                row.add(figure.unit().format(results.median(figure, scan, name)));
            }
            fractions.add(row.build());
        }
        return ImmutableList.of(new Section("As a fraction of what %s reads".formatted(reading), "All bytes of all files of the table are read by %s, %s at a time.\nEach rate is the number of these bytes divided by the time of that read,\nor by the time of the whole query.\n\n%s".formatted(reading, threads, fractions.render())));
    }

    // The unit is bytes per nanosecond, multiplied by a thousand
    private static String rate(double bytes, double nanos)
    {
        return String.format(ENGLISH, "%,.0f", bytes / nanos * 1e3);
    }
}
