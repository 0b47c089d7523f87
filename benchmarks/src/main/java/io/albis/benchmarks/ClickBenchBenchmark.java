package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.clickbench.ClickBenchQuery;
import io.albis.benchmarks.clickbench.HitsTable;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.PLANNING;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.ROWS_READ;
import static io.albis.benchmarks.measure.Figure.SCANNING;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "clickbench", description = "43 queries like those of ClickBench, on a generated table with the columns of its table; the scale has no effect")
class ClickBenchBenchmark
        extends QueryBenchmark
{
    @Option(names = "--queries", defaultValue = "1-43", paramLabel = "LIST", description = "such as 1,5,q17 or 1-20; all 43 if not given")
    private String queries;

    @Option(names = "--rows", defaultValue = "10000000", paramLabel = "N", description = "number of rows; ${DEFAULT-VALUE} if not given")
    private long rows;

    @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "seed of the values; ${DEFAULT-VALUE} if not given")
    private long seed;

    private HitsTable table()
    {
        return new HitsTable(rows, seed);
    }

    @Override
    protected String schema()
    {
        return table().schema();
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        table().prepare(server, catalogs(), progress);
    }

    @Override
    protected List<List<BenchmarkCatalog>> comparable()
    {
        return ImmutableList.of(catalogs());
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        Set<Integer> numbers = ClickBenchQuery.parseList(queries);
        return ClickBenchQuery.all().stream()
                .filter(query -> numbers.contains(query.number()))
                .map(query -> new QueryTask(query.name(), query.sql(), schema(), query.compared(), server))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("ClickBench-like queries of %,d rows".formatted(rows)),
                "query",
                ImmutableList.of(ELAPSED, PLANNING, SCANNING, CPU, SCAN_CPU, PROCESS_CPU, ALLOCATED, ROWS_READ, BYTES_READ, PEAK_MEMORY),
                ImmutableList.of(ELAPSED, PLANNING, CPU, SCAN_CPU, ALLOCATED, ROWS_READ, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ))
                .withJudged(ELAPSED, CPU)
                .withCharts(ChartRule.ratios(ELAPSED, "Elapsed time of the queries", "queries"));
    }
}
