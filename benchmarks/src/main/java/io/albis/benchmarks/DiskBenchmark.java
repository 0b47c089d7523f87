package io.albis.benchmarks;

import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.workload.ColdTask;
import io.albis.benchmarks.workload.DdTask;
import io.albis.benchmarks.workload.QueryTask;
import picocli.CommandLine.Command;

@Command(name = "disk", description = "Scans of a table on the local disk with nothing of it in memory, and what dd takes for the same files")
class DiskBenchmark
        extends StorageBenchmark
{
    @Override
    protected Task readTask()
    {
        return new ColdTask(new DdTask(options.catalogs, options.data, options.scale.schema(), table, threads));
    }

    @Override
    protected Task scanTask(QueryTask scan)
    {
        return new ColdTask(scan);
    }

    @Override
    protected String storage()
    {
        return "the local disk, not in memory";
    }
}
