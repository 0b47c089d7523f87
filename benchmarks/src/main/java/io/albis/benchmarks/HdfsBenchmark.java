package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.MarkdownTable;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.RemoteStorage;
import io.albis.benchmarks.workload.HdfsClientTask;
import io.albis.benchmarks.workload.RowGroupNodes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;

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
        MarkdownTable nodes = new MarkdownTable(ImmutableList.of("catalog", "row groups", "DataNodes", "bytes on the DataNode of the largest file of their row group"));
        for (BenchmarkCatalog catalog : catalogs()) {
            if (catalog.isAlbis()) {
                RowGroupNodes rowGroups = RowGroupNodes.of(catalog.remoteFolder() + "/" + options.scale.schema(), table);
                nodes.add(ImmutableList.of(
                        catalog.catalogName(),
                        String.valueOf(rowGroups.rowGroups()),
                        String.valueOf(rowGroups.nodes()),
                        String.format(ENGLISH, "%.0f %%", 100.0 * rowGroups.local() / rowGroups.bytes())));
            }
        }
        return ImmutableList.<Section>builder()
                .addAll(super.others(results))
                .add(new Section("Where row groups are", nodes.render()))
                .build();
    }

    @Override
    protected String storage()
    {
        return "HDFS";
    }
}
