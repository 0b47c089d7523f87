package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.Layout;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.HdfsClientTask;
import io.albis.benchmarks.workload.Projection;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
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

@Command(name = "hdfs", description = "Scans of a table on HDFS, and what the client of HDFS takes for the same files")
class HdfsBenchmark
        extends Benchmark
{
    private static final String CLIENT = "client of HDFS";

    @Option(names = "--hdfs", required = true, paramLabel = "URI", description = "of the NameNode, such as hdfs://127.0.0.1:8020, with a folder if need be: the tables will be there")
    private String hdfs;

    @Option(names = "--table", defaultValue = "store_sales", paramLabel = "TABLE", description = "${DEFAULT-VALUE} if not given")
    private String table;

    @Option(names = "--threads", paramLabel = "N", description = "that the client reads with; as many as there are processors if not given")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return options.catalogs.stream()
                .map(catalog -> catalog.on(hdfs))
                .collect(toImmutableList());
    }

    @Override
    protected void prepare(TpcdsTables tables)
    {
        tables.prepare(catalogs(), table);
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        List<String> columns = tables.columns(table);
        // what costs least of all that needs the values
        Projection scan = Projection.of("count", table, columns, columns.size());
        return ImmutableList.of(
                new HdfsClientTask(CLIENT, catalogs(), options.scale.schema(), table, threads),
                new QueryTask(scan.name(), scan.sql(), options.scale, server));
    }

    @Override
    protected Layout layout()
    {
        return new Layout(
                "Scan of %s at %s on HDFS".formatted(table, options.scale),
                "what",
                ImmutableList.of(),
                ImmutableList.of(ELAPSED, BYTES_READ),
                ImmutableList.of(ELAPSED));
    }

    @Override
    protected List<Section> others(Results results)
    {
        List<String> scans = results.comparableTasks().stream()
                .filter(task -> !task.equals(CLIENT))
                .collect(toImmutableList());
        if (scans.isEmpty() || !results.comparableTasks().contains(CLIENT)) {
            return ImmutableList.of();
        }
        String scan = scans.getFirst();
        MarkdownTable fractions = new MarkdownTable(ImmutableList.of("catalog", "files (MB)", "client (MB/s)", "scan (MB/s)", "scan / client", "scan CPU (s)", "CPU (s)", "process CPU (s)", "scanning, all threads (s)"));
        for (BenchmarkCatalog catalog : catalogs()) {
            String name = catalog.catalogName();
            double bytes = results.median(BYTES_READ, CLIENT, name);
            double clientTime = results.median(ELAPSED, CLIENT, name);
            double scanTime = results.median(ELAPSED, scan, name);
            ImmutableList.Builder<String> row = ImmutableList.<String>builder()
                    .add(name, BYTES_READ.unit().format(bytes), rate(bytes, clientTime), rate(bytes, scanTime), String.format(ENGLISH, "%.2f", clientTime / scanTime));
            for (Figure figure : ImmutableList.of(SCAN_CPU, CPU, PROCESS_CPU, SCANNING)) {
                row.add(figure.unit().format(results.median(figure, scan, name)));
            }
            fractions.add(row.build());
        }
        return ImmutableList.of(new Section("As a fraction of what the client reads", "The client reads all bytes of all files of the table, with %s threads. Rates are those bytes by the time of the client, and by that of the whole query.\n\n%s".formatted(threads, fractions.render())));
    }

    // bytes per nanosecond, times a thousand
    private static String rate(double bytes, double nanos)
    {
        return String.format(ENGLISH, "%,.0f", bytes / nanos * 1e3);
    }
}
