package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.ChartRule;
import io.albis.benchmarks.report.ReportContent;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.IndexCost;
import io.albis.benchmarks.workload.IndexCosts;
import io.albis.benchmarks.workload.LookupTable;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "lookup", description = "Queries for few rows by columns by which the table is not sorted; in Albis, these columns have an index")
class LookupBenchmark
        extends QueryBenchmark
{
    @Option(names = "--loads", defaultValue = "3", paramLabel = "N", description = "how often tables with and without indexes are loaded, to measure what indexes cost; ${DEFAULT-VALUE} if not given, and never with --storage")
    private int loads;

    private List<IndexCost> costs = ImmutableList.of();

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        new LookupTable(server, tables).prepare(catalogs(), progress);
        if (loads == 0) {
            return;
        }
        IndexCosts indexCosts = new IndexCosts(server, options.scale, options.data, loads);
        costs = catalogs().stream()
                // Sizes of files are those of the local disk
                .filter(BenchmarkCatalog::hasLocalTables)
                .filter(BenchmarkCatalog::isAlbis)
                .flatMap(catalog -> indexCosts.measure(catalog, progress).stream())
                .collect(toImmutableList());
    }

    @Override
    protected List<Section> others(Results results)
    {
        ImmutableList.Builder<Section> sections = ImmutableList.<Section>builder().addAll(super.others(results));
        if (!costs.isEmpty()) {
            sections.add(IndexSection.render(costs, loads));
        }
        return sections.build();
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return new LookupTable(server, tables).queries();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("Few rows of store_sales at " + options.scale),
                "predicate",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, SCAN_CPU, BYTES_READ))
                .withJudged(SCAN_CPU)
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of queries for few rows"));
    }
}
