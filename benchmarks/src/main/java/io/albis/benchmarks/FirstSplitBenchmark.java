package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.planning.FirstSplit;
import io.albis.benchmarks.planning.FirstSplitPlugin;
import io.albis.benchmarks.planning.FirstSplitTask;
import io.albis.benchmarks.planning.ManyRowGroups;
import io.albis.benchmarks.planning.PlannedQuery;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.Builds;
import io.albis.benchmarks.server.DiskUsage;
import io.albis.benchmarks.server.ServerOptions;
import io.albis.benchmarks.workload.TableOrigins;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.ALLOCATED;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.FIRST_SPLIT;
import static io.albis.benchmarks.measure.Figure.PLANNING;
import static java.util.Locale.ENGLISH;

@Command(name = "first-split", description = "The time from a query to its first split, for tables of 1 to 100,000 row groups without data; only catalogs of Albis, and the scale has no effect")
class FirstSplitBenchmark
        extends Benchmark
{
    @Option(names = "--row-groups", split = ",", defaultValue = "1,100,10000,100000", paramLabel = "LIST", description = "how many row groups the tables have; ${DEFAULT-VALUE} if not given")
    private List<Integer> rowGroups;

    private final FirstSplit firstSplit = new FirstSplit();
    private List<FirstSplitTask> tasks = ImmutableList.of();

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return super.catalogs().stream()
                .filter(BenchmarkCatalog::isAlbis)
                .collect(toImmutableList());
    }

    @Override
    protected ServerOptions serverOptions()
    {
        return super.serverOptions().withAlbis(new FirstSplitPlugin(firstSplit));
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        for (BenchmarkCatalog catalog : catalogs()) {
            ManyRowGroups warehouse = new ManyRowGroups(catalog.folder(options.data), TableOrigins.of(catalog, Builds.benchmarks(), ""));
            rowGroups.forEach(warehouse::prepare);
            DiskUsage.removeDropped(catalog, options.data, ManyRowGroups.SCHEMA);
        }
        ImmutableList.Builder<FirstSplitTask> builder = ImmutableList.builder();
        for (PlannedQuery query : PlannedQuery.values()) {
            for (boolean firstQuery : new boolean[] {false, true}) {
                rowGroups.forEach(count -> builder.add(new FirstSplitTask(query, count, firstQuery, firstSplit, server)));
            }
        }
        tasks = builder.build();
    }

    @Override
    protected List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        return ImmutableList.copyOf(tasks);
    }

    @Override
    protected List<Section> others(Results results)
    {
        ImmutableList.Builder<String> header = ImmutableList.<String>builder().add("query", "catalog");
        rowGroups.forEach(count -> header.add("%,d row groups (ms)".formatted(count)));
        MarkdownTable table = new MarkdownTable(header.add("last / first").build());
        Set<String> series = new LinkedHashSet<>();
        tasks.forEach(task -> series.add(task.series()));
        for (String name : series) {
            List<String> ofSeries = tasks.stream()
                    .filter(task -> task.series().equals(name))
                    .map(FirstSplitTask::name)
                    .collect(toImmutableList());
            if (results.comparableTasks().containsAll(ofSeries)) {
                catalogs().forEach(catalog -> table.add(row(name, ofSeries, catalog.catalogName(), results)));
            }
        }
        return ImmutableList.of(new Section("First split by the number of row groups", "The time from the call of the client until the first split is opened.\nBefore a first query, the caches of the catalog are emptied.\n\n" + table.render()));
    }

    private static List<String> row(String series, List<String> tasks, String catalog, Results results)
    {
        ImmutableList.Builder<String> row = ImmutableList.<String>builder().add(series, catalog);
        tasks.forEach(task -> row.add(FIRST_SPLIT.unit().format(results.median(FIRST_SPLIT, task, catalog))));
        double ratio = results.median(FIRST_SPLIT, tasks.getLast(), catalog) / results.median(FIRST_SPLIT, tasks.getFirst(), catalog);
        return row.add(String.format(ENGLISH, "%.2f", ratio)).build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                "The time until the first split",
                "query, row groups",
                ImmutableList.of(),
                ImmutableList.of(FIRST_SPLIT, PLANNING, ELAPSED, ALLOCATED),
                ImmutableList.of())
                .withCharts(ChartRule.lines(FIRST_SPLIT, "The time until the first split", "row groups").withNames("(?<panel>.*), (?<x>[\\d,]+)"));
    }
}
