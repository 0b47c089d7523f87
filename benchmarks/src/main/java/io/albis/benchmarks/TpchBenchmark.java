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
import io.albis.benchmarks.tpch.TpchQueries;
import io.albis.benchmarks.tpch.TpchTables;
import io.albis.benchmarks.tpch.TpchWorkload;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.PLANNING;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.ROWS_READ;
import static io.albis.benchmarks.measure.Figure.SCANNING;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;

@Command(name = "tpch", description = "The TPC-H queries, and the first one for different fractions of its table")
class TpchBenchmark
        extends QueryBenchmark
{
    @Option(names = "--queries", defaultValue = "1-22", paramLabel = "LIST", description = "such as 1,5,q17 or 1-20; all 22 if not given")
    private String queries;

    @Option(names = "--fractions", split = ",", defaultValue = "0.1,1,10,25,40,58", paramLabel = "LIST", description = "how many percent of lineitem further variants of the first query read; ${DEFAULT-VALUE} if not given")
    private List<Fraction> fractions;

    @Option(names = "--indexed", split = ",", paramLabel = "LIST", description = "also compare each catalog of Albis with one in which these columns of lineitem have an index, as in shipdate,receiptdate")
    private List<String> indexed = ImmutableList.of();

    private TpchWorkload workload;

    @Override
    protected String schema()
    {
        return TpchTables.schema(options.scale);
    }

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return super.catalogs().stream()
                .flatMap(catalog -> hasVariant(catalog) ? Stream.of(catalog, variant(catalog)) : Stream.of(catalog))
                .collect(toImmutableList());
    }

    private boolean hasVariant(BenchmarkCatalog catalog)
    {
        return catalog.isAlbis() && !indexed.isEmpty();
    }

    private BenchmarkCatalog variant(BenchmarkCatalog catalog)
    {
        return catalog.variant("indexed_" + String.join("_", indexed));
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        TpchTables tpchTables = new TpchTables(server, options.scale);
        tpchTables.prepareSource(progress);
        for (BenchmarkCatalog catalog : super.catalogs()) {
            tpchTables.prepare(catalog, ImmutableList.of(), progress);
            if (hasVariant(catalog)) {
                tpchTables.prepare(variant(catalog), indexed, progress);
            }
        }
        workload = TpchWorkload.create(server, options.scale, TpchQueries.parseList(queries), fractions);
    }

    @Override
    protected List<List<BenchmarkCatalog>> comparable()
    {
        return ImmutableList.of(catalogs());
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return workload.tasks();
    }

    @Override
    protected List<Section> others(Results results)
    {
        return ImmutableList.<Section>builder()
                .addAll(super.others(results))
                .add(SelectivitySection.render(workload.selective(), catalogs(), results))
                .build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("TPC-H queries at " + options.scale),
                "query",
                ImmutableList.of(ELAPSED, PLANNING, SCANNING, CPU, SCAN_CPU, PROCESS_CPU, ROWS_READ, BYTES_READ, PEAK_MEMORY),
                ImmutableList.of(ELAPSED, PLANNING, CPU, SCAN_CPU, ROWS_READ, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ))
                .withJudged(ELAPSED, CPU)
                .withCharts(ChartRule.ratios(ELAPSED, "Elapsed time of the queries", "queries"));
    }
}
