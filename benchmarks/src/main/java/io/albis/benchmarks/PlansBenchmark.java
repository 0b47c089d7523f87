package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.plan.PlanComparison;
import io.albis.benchmarks.plan.PlannedStatement;
import io.albis.benchmarks.plan.PlansReport;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ServerOptions;
import io.albis.benchmarks.tpch.TpchQueries;
import io.albis.benchmarks.tpch.TpchTables;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TableStatistics;
import io.albis.benchmarks.workload.TpcdsQueries;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.getNameWithoutExtension;
import static io.albis.benchmarks.measure.Figure.ALLOCATED;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PLANNING;

@Command(name = "plans", description = "The plans of the TPC-DS queries: in what those of Albis differ from those of its peers, and how long they take")
class PlansBenchmark
        extends Benchmark
{
    @Option(names = "--queries", defaultValue = "1-99", paramLabel = "LIST", description = "queries of TPC-DS, such as 1,5,q17 or 1-20; all 99 if not given")
    private String queries;

    @Option(names = "--tpch", paramLabel = "LIST", description = "queries of TPC-H, such as 1-22; none if not given")
    private String tpchQueries;

    @Option(names = "--factor", defaultValue = "2", paramLabel = "N", description = "how many times as high another estimate of rows must be to be reported; ${DEFAULT-VALUE} if not given")
    private double factor;

    @Option(names = "--workers", defaultValue = "0", paramLabel = "N", description = "number of workers, which the optimizer takes into account; the coordinator alone if not given")
    private int workers;

    private List<PlannedStatement> statements;
    private PlansReport report;
    private List<String> unknown;

    @Override
    protected ServerOptions serverOptions()
    {
        return super.serverOptions().withWorkers(workers);
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tables.prepare(catalogs());
        Set<String> names = ImmutableSet.copyOf(tables.names());
        ImmutableList.Builder<PlannedStatement> builder = ImmutableList.builder();
        for (int number : TpcdsQueries.parseList(queries)) {
            builder.add(new PlannedStatement(TpcdsQueries.name(number), schema(), TpcdsQueries.text(number), names));
        }
        if (tpchQueries != null) {
            prepareTpch(server, progress);
            for (int number : TpchQueries.parseList(tpchQueries)) {
                builder.add(new PlannedStatement("TPC-H " + TpchQueries.name(number), TpchTables.schema(options.scale), TpchQueries.text(number, options.scale), ImmutableSet.copyOf(TpchTables.names())));
            }
        }
        statements = builder.build();
        unknown = unknownStatistics(server, progress);
        PlanComparison comparison = new PlanComparison(server, catalogs(), factor, progress);
        report = new PlansReport(statements.stream()
                .map(comparison::compare)
                .collect(toImmutableList()));
        writeJson(progress);
    }

    private void prepareTpch(BenchmarkServer server, Progress progress)
    {
        TpchTables tables = new TpchTables(server, options.scale);
        tables.prepareSource(progress);
        catalogs().forEach(catalog -> tables.prepare(catalog, ImmutableList.of(), progress));
    }

    private List<String> unknownStatistics(BenchmarkServer server, Progress progress)
    {
        TableStatistics statistics = new TableStatistics(server, progress);
        ImmutableList.Builder<String> builder = ImmutableList.builder();
        for (BenchmarkCatalog catalog : catalogs()) {
            statements.stream()
                    .map(statement -> new Tables(statement.schema(), statement.tables()))
                    .distinct()
                    .forEach(tables -> builder.addAll(statistics.unknown(catalog, tables.schema(), tables.names())));
        }
        return builder.build();
    }

    private record Tables(String schema, Set<String> names) {}

    private void writeJson(Progress progress)
    {
        try {
            Files.writeString(options.output.resolveSibling(getNameWithoutExtension(options.output) + "-plans.json"), report.json());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        progress.print("Written: the plans, as JSON");
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return statements.stream()
                .map(statement -> new QueryTask(statement.name(), "EXPLAIN " + statement.sql(), statement.schema(), server))
                .collect(toImmutableList());
    }

    @Override
    protected List<Section> others(Results results)
    {
        return ImmutableList.<Section>builder()
                .addAll(report.sections())
                .add(new Section("Statistics", unknown.isEmpty() ? "All columns have a number of distinct values.\n" : "These columns have no number of distinct values: %s.\n".formatted(String.join(", ", unknown))))
                .build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "Plans of queries at %s".formatted(options.scale),
                "query",
                ImmutableList.of(ELAPSED, PLANNING, ALLOCATED),
                ImmutableList.of(ELAPSED, PLANNING, ALLOCATED),
                ImmutableList.of(ELAPSED))
                .withCharts(ChartRule.ratios(PLANNING, "Time to plan the queries", "queries"));
    }
}
