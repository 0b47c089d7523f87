package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.Grouping;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.Projection;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED;
import static io.albis.benchmarks.measure.Figure.ALLOCATED_PER_ROW;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCANNING;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "projection", description = "Aggregations of few and of many columns of a table")
class ProjectionBenchmark
        extends QueryBenchmark
{
    private static final String BY_COLUMNS = "By the number of columns";

    @Option(names = "--table", defaultValue = "store_sales", paramLabel = "TABLE", description = "${DEFAULT-VALUE} if not given")
    private String table;

    @Option(names = "--functions", split = ",", defaultValue = "sum,count,max", paramLabel = "LIST", description = "${DEFAULT-VALUE} if not given")
    private List<String> functions;

    @Option(names = "--columns", split = ",", defaultValue = "1,3,5,10,22", paramLabel = "LIST", description = "how many; ${DEFAULT-VALUE} if not given")
    private List<Integer> widths;

    @Option(names = "--except", split = ",", defaultValue = "ss_quantity", paramLabel = "LIST", description = "columns that are not read, because the engine casts them before it adds them; ${DEFAULT-VALUE} if not given")
    private List<String> except;

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return BenchmarkCatalog.withoutAnswers(options.catalogs);
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tables.prepare(catalogs());
    }

    @Override
    protected List<List<BenchmarkCatalog>> comparable()
    {
        return ImmutableList.of(catalogs());
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        List<String> columns = tables.columns(table).stream()
                .filter(column -> !except.contains(column))
                .collect(toImmutableList());
        ImmutableList.Builder<Task> tasks = ImmutableList.builder();
        for (String function : functions) {
            for (int width : widths) {
                Projection projection = Projection.of(function, table, columns, width);
                tasks.add(new QueryTask(projection.name(), projection.sql(), schema(), server));
            }
        }
        return tasks.build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("Projections of %s at %s".formatted(table, options.scale)),
                "aggregation, columns",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, SCANNING, BYTES_READ, ALLOCATED),
                ImmutableList.of(ELAPSED, SCAN_CPU, ALLOCATED_PER_ROW),
                ImmutableList.of(ELAPSED, SCAN_CPU))
                .withGrouping(new Grouping(BY_COLUMNS, SCAN_CPU, Projection::widthOf))
                .withJudged(SCAN_CPU)
                .withCharts(ChartRule.lines(SCAN_CPU, "CPU time of scans by the number of columns", "columns").withSection(BY_COLUMNS));
    }
}
