package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.change.Changes;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_WRITTEN;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.NEW_FILES;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;

@Command(name = "changes", description = "DELETE, UPDATE, and MERGE of parts of store_sales; catalogs whose rows cannot be changed are left out")
class ChangesBenchmark
        extends ChangingBenchmark
{
    @Option(names = "--fractions", split = ",", defaultValue = "0.001,1,30", paramLabel = "LIST", description = "how many percent of the rows; ${DEFAULT-VALUE} if not given")
    private List<Fraction> fractions;

    private List<Task> tasks;

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tasks = new Changes(server, tables, catalogs(), options.data).create(fractions, progress);
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
                "Changes of store_sales at " + options.scale,
                "statement",
                ImmutableList.of(),
                ImmutableList.of(ELAPSED, CPU, PROCESS_CPU, BYTES_WRITTEN, NEW_FILES),
                ImmutableList.of(ELAPSED, CPU, PROCESS_CPU, NEW_FILES))
                .withJudged(ELAPSED, CPU)
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of each statement"));
    }
}
