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
import io.albis.benchmarks.workload.DeletedRows;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsQueries;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.benchmarks.measure.Figure.ALLOCATED;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.FILTER_CPU;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.PLANNING;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.ROWS_READ;
import static io.albis.benchmarks.measure.Figure.ROWS_SKIPPED;
import static io.albis.benchmarks.measure.Figure.SCANNING;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static io.albis.benchmarks.measure.Figure.SEGMENTS;
import static io.albis.benchmarks.measure.Figure.SEGMENTS_SKIPPED;
import static io.albis.benchmarks.measure.Figure.SEGMENT_ROWS;
import static io.albis.benchmarks.measure.Figure.WAITING;

@Command(name = "tpcds", description = "The TPC-DS queries")
class TpcdsBenchmark
        extends QueryBenchmark
{
    static final ChartRule RATIOS = ChartRule.ratios(ELAPSED, "TPC-DS queries: elapsed time relative to Albis", "queries");
    static final ChartRule DISTRIBUTION = ChartRule.distribution(CPU, "TPC-DS queries: distribution of the ratios of CPU time", "queries");

    @Option(names = "--queries", defaultValue = "1-99", paramLabel = "LIST", description = "such as 1,5,q17 or 1-20; all 99 if not given")
    private String queries;

    @Option(names = "--deleted", paramLabel = "PERCENT", description = "also compare each catalog with one in which such a part of the rows of each table was deleted, as in 5%%; catalogs whose rows cannot be deleted are left out")
    private Fraction deleted;

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        if (deleted == null) {
            return super.catalogs();
        }
        return beforeDeletes()
                .flatMap(catalog -> Stream.of(catalog, afterDeletes(catalog)))
                .collect(toImmutableList());
    }

    @Override
    protected List<BenchmarkCatalog> contenders()
    {
        if (deleted == null) {
            return super.catalogs();
        }
        return beforeDeletes()
                .map(this::afterDeletes)
                .collect(toImmutableList());
    }

    private Stream<BenchmarkCatalog> beforeDeletes()
    {
        return super.catalogs().stream().filter(BenchmarkCatalog::canChangeRows);
    }

    private BenchmarkCatalog afterDeletes(BenchmarkCatalog catalog)
    {
        return catalog.variant("deleted_" + deleted.suffix());
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        tables.prepare(catalogs());
        if (deleted != null) {
            DeletedRows rows = new DeletedRows(deleted, server, tables, progress);
            contenders().forEach(catalog -> rows.delete(catalog.catalogName()));
        }
    }

    @Override
    protected List<Section> others(Results results)
    {
        List<Section> sections = ImmutableList.<Section>builder()
                .addAll(super.others(results))
                .add(DistributionSection.render(results, contenders(), ImmutableList.of(ELAPSED, CPU, SCAN_CPU)))
                .build();
        if (deleted == null) {
            return sections;
        }
        return ImmutableList.<Section>builder()
                .addAll(sections)
                .add(DeletedSection.render(results, beforeDeletes().collect(toImmutableMap(
                        BenchmarkCatalog::catalogName,
                        catalog -> afterDeletes(catalog).catalogName()))))
                .build();
    }

    @Override
    protected List<List<BenchmarkCatalog>> comparable()
    {
        if (deleted == null) {
            return ImmutableList.of(catalogs());
        }
        return ImmutableList.of(beforeDeletes().collect(toImmutableList()), contenders());
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return TpcdsQueries.parseList(queries).stream()
                .map(number -> new QueryTask(TpcdsQueries.name(number), TpcdsQueries.text(number), schema(), server))
                .collect(toImmutableList());
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title(deleted == null ? "TPC-DS queries at " + options.scale : "TPC-DS queries at %s after %s of all rows were deleted".formatted(options.scale, deleted)),
                "query",
                ImmutableList.of(ELAPSED, PLANNING, WAITING, SCANNING, CPU, SCAN_CPU, FILTER_CPU, PROCESS_CPU, ALLOCATED, ROWS_READ, BYTES_READ, SEGMENTS, SEGMENTS_SKIPPED, SEGMENT_ROWS, ROWS_SKIPPED, PEAK_MEMORY),
                ImmutableList.of(ELAPSED, PLANNING, WAITING, SCANNING, CPU, SCAN_CPU, ALLOCATED),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU))
                .withAlbisColumns(SEGMENTS, SEGMENTS_SKIPPED, SEGMENT_ROWS, ROWS_SKIPPED)
                .withJudged(ELAPSED, CPU)
                .withCharts(RATIOS, DISTRIBUTION);
    }
}
