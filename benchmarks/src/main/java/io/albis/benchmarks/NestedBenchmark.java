package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.NestedTable;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "nested", description = "Queries for elements of maps and arrays and for fields of rows")
class NestedBenchmark
        extends QueryBenchmark
{
    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        new NestedTable(server, tables).prepare(catalogs(), progress);
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return new NestedTable(server, tables).queries();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("Nested columns of a part of store_sales at " + options.scale),
                "query",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU))
                .withJudged(CPU)
                .withCharts(ChartRule.bars(CPU, "CPU time of queries for parts of nested columns"));
    }
}
