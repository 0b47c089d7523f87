package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.JoinTables;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static io.albis.benchmarks.measure.Figure.WRITE_CPU;

@Command(name = "join", description = "The equi-join of two tables of a key and 1 to 2 kB (Figure 6b of the Albis paper); the scale has no effect")
class JoinBenchmark
        extends Benchmark
{
    @Option(names = "--rows", defaultValue = "400000", paramLabel = "N", description = "rows of each of the two tables; ${DEFAULT-VALUE} if not given")
    private int rows;

    @Override
    protected String schema()
    {
        return new JoinTables(rows).schema();
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        new JoinTables(rows).prepare(server, catalogs(), progress);
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return new JoinTables(rows).tasks(server, catalogs(), options.data);
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Equi-join of two tables of %,d rows of 1 to 2 kB".formatted(rows),
                "what",
                ImmutableList.of(),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, WRITE_CPU, BYTES_READ, PEAK_MEMORY),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU))
                .withJudged(ELAPSED, CPU)
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of the join with the load of its result, and of scans of its two tables"));
    }
}
