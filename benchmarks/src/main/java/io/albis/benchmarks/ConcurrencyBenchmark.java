package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.concurrent.ClientsTask;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ServerOptions;
import io.albis.benchmarks.workload.TpcdsQueries;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.MEDIAN_LATENCY;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.RATE;
import static io.albis.benchmarks.measure.Figure.TAIL_LATENCY;

@Command(name = "concurrency", description = "Queries per second and their times, with several clients that run the TPC-DS queries at the same time")
class ConcurrencyBenchmark
        extends Benchmark
{
    static final ChartRule RATES = ChartRule.lines(RATE, "Queries of TPC-DS per second, by the number of clients", "clients at the same time");

    @Option(names = "--clients", split = ",", defaultValue = "1,2,4,8,16", paramLabel = "LIST", description = "how many clients at the same time; ${DEFAULT-VALUE} if not given")
    private List<Integer> clients;

    @Option(names = "--queries", defaultValue = "1-99", paramLabel = "LIST", description = "such as 1,5,q17 or 1-20; all 99 if not given")
    private String queries;

    @Option(names = "--repeats", defaultValue = "4", paramLabel = "N", description = "how often all clients together run each query; ${DEFAULT-VALUE} if not given")
    private int repeats;

    @Mixin
    private ServerProcessOptions serverProcessOptions;

    @Override
    protected ServerOptions serverOptions()
    {
        return serverProcessOptions.apply(super.serverOptions());
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tables.prepare(catalogs());
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        List<String> texts = TpcdsQueries.parseList(queries).stream()
                .map(TpcdsQueries::text)
                .collect(toImmutableList());
        return clients.stream()
                .map(count -> new ClientsTask(count, texts, repeats, schema(), server))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Clients that run the TPC-DS queries at %s at the same time".formatted(options.scale),
                "clients",
                ImmutableList.of(),
                ImmutableList.of(RATE, MEDIAN_LATENCY, TAIL_LATENCY, PROCESS_CPU),
                ImmutableList.of(ELAPSED, MEDIAN_LATENCY, TAIL_LATENCY, PROCESS_CPU))
                .withJudged(ELAPSED)
                .withCharts(RATES, ChartRule.lines(TAIL_LATENCY, "The time that 99 % of the queries do not exceed", "clients at the same time"));
    }
}
