package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.RemoteStorage;
import io.albis.benchmarks.workload.HdfsClientTask;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

@Command(name = "hdfs", description = "Scans of a table on HDFS, and what the client of HDFS takes for the same files")
class HdfsBenchmark
        extends StorageBenchmark
{
    @Option(names = "--hdfs", required = true, paramLabel = "URI", description = "address of the NameNode, and optionally a folder for the tables, such as hdfs://127.0.0.1:8020/albis")
    private String hdfs;

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        RemoteStorage storage = RemoteStorage.parse(hdfs, Optional.empty());
        return super.catalogs().stream()
                .map(catalog -> catalog.on(storage))
                .collect(toImmutableList());
    }

    @Override
    protected Task readTask()
    {
        return new HdfsClientTask("client of HDFS", catalogs(), options.scale.schema(), table, threads);
    }

    @Override
    protected List<Section> others(Results results)
    {
        return ImmutableList.<Section>builder()
                .addAll(super.others(results))
                .add(RowGroupsSection.render(catalogs(), schema(), table))
                .build();
    }

    @Override
    protected String storage()
    {
        return "HDFS";
    }
}
