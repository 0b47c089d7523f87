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
import io.albis.benchmarks.server.ServerOptions;
import io.albis.benchmarks.server.SessionProperty;
import io.albis.benchmarks.threshold.CrossingTable;
import io.albis.benchmarks.threshold.ReadMode;
import io.albis.benchmarks.threshold.ThresholdQueries;
import io.albis.benchmarks.threshold.ThresholdQuery;
import io.albis.benchmarks.workload.Fraction;
import io.albis.benchmarks.workload.LookupTable;
import io.albis.benchmarks.workload.QueryTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.measure.Figure.BYTES_READ;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static io.albis.benchmarks.server.ComparedColumns.ALL;

@Command(name = "thresholds", description = "Queries for 0.1 to 20 percent of the rows, by an index and by a scan, and the share of rows from which on a scan takes less")
class ThresholdsBenchmark
        extends QueryBenchmark
{
    @Option(names = "--percent", split = ",", defaultValue = "0.1,0.5,1,2,3,5,10,20", paramLabel = "LIST", description = "how many percent of the rows a query selects; ${DEFAULT-VALUE} if not given")
    private List<Fraction> fractions;

    @Option(names = "--predicates", split = ",", defaultValue = "k,ss_item_sk", paramLabel = "LIST", description = "columns with an index by which the queries select rows, each by one, of k, ss_customer_sk, ss_item_sk, and ss_addr_sk; ${DEFAULT-VALUE} if not given")
    private List<String> predicates;

    @Option(names = "--columns", split = ",", defaultValue = "1,20", paramLabel = "LIST", description = "how many other columns are read; ${DEFAULT-VALUE} if not given")
    private List<Integer> widths;

    private List<ThresholdQuery> queries;

    private List<BenchmarkCatalog> loaded()
    {
        return super.catalogs();
    }

    private List<BenchmarkCatalog> albis()
    {
        return loaded().stream()
                .filter(BenchmarkCatalog::isAlbis)
                .collect(toImmutableList());
    }

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return loaded().stream()
                .flatMap(catalog -> catalog.isAlbis() ? Stream.concat(Stream.of(catalog), Arrays.stream(ReadMode.values()).map(mode -> mode.of(catalog))) : Stream.of(catalog))
                .collect(toImmutableList());
    }

    @Override
    protected ServerOptions serverOptions()
    {
        ImmutableList.Builder<SessionProperty> properties = ImmutableList.<SessionProperty>builder().addAll(options.sessionProperties);
        for (BenchmarkCatalog catalog : albis()) {
            for (ReadMode mode : ReadMode.values()) {
                properties.addAll(mode.sessionProperties(catalog));
            }
        }
        return super.serverOptions().withSessionProperties(properties.build());
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        new LookupTable(server, tables).prepare(loaded(), progress);
        queries = new ThresholdQueries(predicates, widths, fractions).create(server, tables, loaded().getFirst());
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return queries.stream()
                .map(query -> new QueryTask(query.name(), query.sql(), schema(), ALL, server))
                .collect(toImmutableList());
    }

    @Override
    protected List<Section> others(Results results)
    {
        return ImmutableList.<Section>builder()
                .addAll(super.others(results))
                .add(new CrossingTable(queries, results).render(albis()))
                .build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("Parts of store_sales by an index and by a scan at " + options.scale),
                "predicate, columns, part",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, BYTES_READ),
                ImmutableList.of(ELAPSED, CPU, BYTES_READ))
                .withCharts(ChartRule.lines(ELAPSED, "Elapsed time by the part of the rows", "part of the rows").withNames("(?<panel>.*), (?<x>.*)"));
    }
}
