package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.LoadTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_ON_DISK;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PEAK_HEAP;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static io.albis.benchmarks.measure.Figure.WRITE_CPU;

@Command(name = "load", description = "Creates the TPC-DS tables with CREATE TABLE AS, and replaces existing tables")
class LoadBenchmark
        extends Benchmark
{
    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tables.prepareSource();
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return tables.names().stream()
                .map(table -> new LoadTask(table, tables, options.catalogs, options.data))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "CREATE TABLE AS of the TPC-DS tables at " + options.scale,
                "table",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, WRITE_CPU, PROCESS_CPU, PEAK_MEMORY, PEAK_HEAP, BYTES_ON_DISK),
                ImmutableList.of(CPU, PEAK_MEMORY, BYTES_ON_DISK),
                ImmutableList.of(CPU))
                .withCharts(ChartRule.totals(ELAPSED, "Time to load all tables"), ChartRule.totals(BYTES_ON_DISK, "Size of all tables"));
    }
}
