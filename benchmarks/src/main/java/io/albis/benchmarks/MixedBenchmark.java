package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.albis.benchmarks.concurrent.MixedLoad;
import io.albis.benchmarks.concurrent.MixedTask;
import io.albis.benchmarks.concurrent.Operation;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.CONFLICTS;
import static io.albis.benchmarks.measure.Figure.MEDIAN_LATENCY;
import static io.albis.benchmarks.measure.Figure.RATE;
import static io.albis.benchmarks.measure.Figure.TAIL_LATENCY;

@Command(name = "mixed", description = "Eight clients that query, insert into, merge into, and maintain a copy of store_sales at the same time; catalogs whose rows cannot be changed are left out")
class MixedBenchmark
        extends ChangingBenchmark
{
    @Option(names = "--duration", defaultValue = "10m", paramLabel = "TIME", description = "how long the clients run in each catalog, as in 10m; ${DEFAULT-VALUE} if not given")
    private Duration duration;

    @Option(names = "--retention", defaultValue = "1m", paramLabel = "TIME", description = "age of the snapshots that expire; ${DEFAULT-VALUE} if not given")
    private Duration retention;

    private MixedLoad load;

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        load = new MixedLoad(server, tables, catalogs(), options.data, duration, retention);
        load.prepare();
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return Arrays.stream(Operation.values())
                .map(operation -> new MixedTask(operation, load))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Eight clients of store_sales at %s for %s".formatted(options.scale, duration),
                "statements",
                ImmutableList.of(),
                ImmutableList.of(RATE, MEDIAN_LATENCY, TAIL_LATENCY, CONFLICTS),
                ImmutableList.of(MEDIAN_LATENCY, TAIL_LATENCY))
                .withCharts(
                        ChartRule.bars(MEDIAN_LATENCY, "The median of the times of statements"),
                        ChartRule.bars(TAIL_LATENCY, "The time that 99 % of the statements do not exceed"));
    }
}
