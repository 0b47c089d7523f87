package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.change.SmallFilesTable;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;

@Command(name = "optimize", description = "Merges many small files of store_sales, and reads them before and after; catalogs whose rows cannot be changed are left out")
class OptimizeBenchmark
        extends ChangingBenchmark
{
    @Option(names = "--inserts", defaultValue = "1000", paramLabel = "N", description = "how many statements have written the files; ${DEFAULT-VALUE} if not given")
    private int inserts;

    private List<Task> tasks;

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tasks = new SmallFilesTable(server, tables, catalogs(), options.data).create(inserts, progress);
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return tasks;
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Optimizing store_sales at %s after %s inserts".formatted(options.scale, inserts),
                "statement",
                ImmutableList.of(),
                ImmutableList.of(ELAPSED, CPU, PROCESS_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, PROCESS_CPU))
                .withJudged(ELAPSED, CPU)
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of each statement"));
    }
}
