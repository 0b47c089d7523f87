package io.albis.benchmarks;

import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.ColdTask;
import io.albis.benchmarks.workload.TpcdsTables;
import picocli.CommandLine.Option;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Measures queries, with the files in memory or not.
 */
abstract class QueryBenchmark
        extends Benchmark
{
    @Option(names = "--cold", description = "drop the caches of files before each query; needs the rights to do so on Linux")
    private boolean cold;

    protected abstract List<Task> queries(BenchmarkServer server, TpcdsTables tables);

    @Override
    protected final List<Task> tasks(BenchmarkServer server, TpcdsTables tables)
    {
        List<Task> queries = queries(server, tables);
        return cold ? queries.stream().map(ColdTask::new).collect(toImmutableList()) : queries;
    }

    /**
     * Returns the title of a report, which says where the data was.
     */
    protected final String title(String title)
    {
        return cold ? title + ", from the disk" : title;
    }
}
