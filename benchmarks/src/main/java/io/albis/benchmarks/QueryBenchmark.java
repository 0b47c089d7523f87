package io.albis.benchmarks;

import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.RemoteStorage;
import io.albis.benchmarks.workload.ColdTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Measures queries, with the files in memory or not, on the local disk or on another storage.
 */
abstract class QueryBenchmark
        extends Benchmark
{
    @Option(names = "--cold", description = "drop the caches of files before each query; needs the rights to do so on Linux")
    private boolean cold;

    @Mixin
    private StorageOptions storageOptions;

    protected abstract List<Task> queries(BenchmarkServer server, TpcdsTables tables);

    @Override
    protected final List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        List<Task> queries = queries(server, tables);
        return cold ? queries.stream().map(ColdTask::new).collect(toImmutableList()) : queries;
    }

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return storageOptions.place(super.catalogs());
    }

    /**
     * Returns the title of a report, which says where the data was.
     */
    protected final String title(String title)
    {
        String storage = storageOptions.storage()
                .map(RemoteStorage::name)
                .map(" on %s"::formatted)
                .orElse("");
        return title + storage + (cold ? ", from the disk" : "");
    }
}
