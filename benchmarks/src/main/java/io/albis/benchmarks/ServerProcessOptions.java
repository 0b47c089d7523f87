package io.albis.benchmarks;

import io.albis.benchmarks.server.ServerOptions;
import picocli.CommandLine.Option;

/**
 * The options for which servers run the queries.
 */
class ServerProcessOptions
{
    @Option(names = "--server-processes", description = "run Trino in processes of its own, one for each server, instead of in this process")
    private boolean separate;

    @Option(names = "--workers", paramLabel = "N", description = "number of workers, which run all tasks; the coordinator runs them if there are none. buckets has 2 if not given, and the others none")
    private Integer workers;

    /**
     * Returns the number of workers.
     *
     * @param otherwise number of workers if none is given
     */
    public int workers(int otherwise)
    {
        return workers == null ? otherwise : workers;
    }

    public ServerOptions apply(ServerOptions options)
    {
        return options
                .withWorkers(workers(options.workers()))
                .withSeparateProcesses(separate);
    }
}
