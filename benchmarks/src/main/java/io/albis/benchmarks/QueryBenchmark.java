package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.result.SameRows;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.RemoteStorage;
import io.albis.benchmarks.server.ServerOptions;
import io.albis.benchmarks.workload.ColdTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Map;

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

    @Mixin
    private ServerProcessOptions serverProcessOptions;

    protected abstract List<Task> queries(BenchmarkServer server, TpcdsTables tables);

    /**
     * Returns groups of catalogs that must give the same rows. A benchmark without such groups does not compare the
     * rows by value before it measures.
     */
    protected List<List<BenchmarkCatalog>> comparable()
    {
        return ImmutableList.of();
    }

    @Override
    protected final void check(BenchmarkServer server, TpcdsTables tables, Progress progress)
    {
        SameRows sameRows = new SameRows(server, progress);
        for (List<BenchmarkCatalog> catalogs : comparable()) {
            sameRows.check(queries(server, tables), catalogs);
        }
    }

    @Override
    protected Map<String, String> conditions()
    {
        boolean compared = comparable().stream().anyMatch(catalogs -> catalogs.size() > 1);
        return compared ? ImmutableMap.of("rows", "compared by value between the catalogs before the rounds") : ImmutableMap.of();
    }

    /**
     * Returns the number of workers.
     *
     * @param otherwise number of workers if none is given
     */
    protected final int workers(int otherwise)
    {
        return serverProcessOptions.workers(otherwise);
    }

    @Override
    protected ServerOptions serverOptions()
    {
        return serverProcessOptions.apply(super.serverOptions());
    }

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
