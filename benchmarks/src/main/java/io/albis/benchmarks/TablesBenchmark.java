package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.FullScan;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static io.albis.benchmarks.measure.Figure.VALUE_RATE;

@Command(name = "tables", description = "All columns of the largest TPC-DS tables through Trino (Figure 6a of the Albis paper)")
class TablesBenchmark
        extends QueryBenchmark
{
    @Option(names = "--tables", split = ",", defaultValue = "store_sales,catalog_sales,web_sales", paramLabel = "LIST", description = "${DEFAULT-VALUE} if not given")
    private List<String> tables;

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables loaded, Progress progress)
    {
        tables.forEach(table -> loaded.prepare(catalogs(), table));
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables loaded)
    {
        return tables.stream()
                .map(table -> new FullScan(table, table, loaded.columns(table), schema(), server))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("All columns of the largest tables at " + options.scale),
                "table",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, VALUE_RATE, CPU, SCAN_CPU, BYTES_READ, ALLOCATED_PER_ROW),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU))
                .withJudged(ELAPSED, SCAN_CPU)
                .withCharts(ChartRule.bars(VALUE_RATE, "Values per second of scans of all columns"));
    }
}
