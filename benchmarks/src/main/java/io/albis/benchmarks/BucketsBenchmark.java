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
import io.albis.benchmarks.tpch.TpchTables;
import io.albis.benchmarks.workload.BucketedTables;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.albis.benchmarks.measure.Figure.CPU;
import static io.albis.benchmarks.measure.Figure.ELAPSED;
import static io.albis.benchmarks.measure.Figure.EXCHANGED;
import static io.albis.benchmarks.measure.Figure.PEAK_MEMORY;
import static io.albis.benchmarks.measure.Figure.PROCESS_CPU;
import static io.albis.benchmarks.measure.Figure.SCAN_CPU;
import static io.trino.SystemSessionProperties.JOIN_DISTRIBUTION_TYPE;

@Command(name = "buckets", description = "Joins, aggregations, and windows over tables with buckets on several workers, with and without the use of the buckets")
class BucketsBenchmark
        extends QueryBenchmark
{
    private static final int WORKERS = 2;

    @Option(names = "--buckets", defaultValue = "16", paramLabel = "N", description = "number of buckets of a table; ${DEFAULT-VALUE} if not given")
    private int buckets;

    private static BenchmarkCatalog withoutBuckets(BenchmarkCatalog catalog)
    {
        return catalog.sharing("exchanges");
    }

    private List<BenchmarkCatalog> loaded()
    {
        return super.catalogs();
    }

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return loaded().stream()
                .flatMap(catalog -> Stream.of(catalog, withoutBuckets(catalog)))
                .collect(toImmutableList());
    }

    @Override
    protected String schema()
    {
        return BucketedTables.schema(TpchTables.schema(options.scale), buckets);
    }

    @Override
    protected ServerOptions serverOptions()
    {
        ImmutableList.Builder<SessionProperty> properties = ImmutableList.builder();
        // Buckets are of no use if the engine copies the smaller table to all workers, as it does at small scales
        properties.add(new SessionProperty(Optional.empty(), JOIN_DISTRIBUTION_TYPE, "PARTITIONED"));
        for (BenchmarkCatalog catalog : loaded()) {
            // All three connectors have this property
            properties.add(new SessionProperty(Optional.of(withoutBuckets(catalog).catalogName()), "bucket_execution_enabled", "false"));
        }
        properties.addAll(options.sessionProperties);
        return super.serverOptions()
                .withSessionProperties(properties.build())
                .withWorkers(workers(WORKERS));
    }

    @Override
    protected void prepare(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        new TpchTables(server, options.scale).prepareSource(progress);
        bucketedTables(server).prepare(loaded(), progress);
    }

    private BucketedTables bucketedTables(BenchmarkServer server)
    {
        return new BucketedTables(server, TpchTables.schema(options.scale), buckets);
    }

    @Override
    protected List<Task> queries(BenchmarkServer server, TpcdsTables tables)
    {
        return bucketedTables(server).queries();
    }

    @Override
    protected List<Section> others(Results results)
    {
        return ImmutableList.<Section>builder()
                .addAll(super.others(results))
                .add(BucketsSection.render(results, loaded().stream().collect(toImmutableMap(
                        BenchmarkCatalog::catalogName,
                        catalog -> withoutBuckets(catalog).catalogName()))))
                .build();
    }

    @Override
    protected ReportContent content()
    {
        return new ReportContent(
                title("Orders and lineitem of TPC-H at %s in %s buckets, on %s workers".formatted(options.scale, buckets, workers(WORKERS))),
                "query",
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, PROCESS_CPU, EXCHANGED, PEAK_MEMORY),
                ImmutableList.of(ELAPSED, CPU, SCAN_CPU, PROCESS_CPU, EXCHANGED),
                ImmutableList.of(ELAPSED, CPU))
                .withCharts(ChartRule.bars(ELAPSED, "Elapsed time of each query"));
    }
}
