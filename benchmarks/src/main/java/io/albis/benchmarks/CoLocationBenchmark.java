package io.albis.benchmarks;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.hdfs.HdfsCluster;
import io.albis.benchmarks.hdfs.HdfsSoftware;
import io.albis.benchmarks.measure.Results;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.report.Section;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.RemoteStorage;
import io.albis.benchmarks.workload.HdfsClientTask;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

@Command(name = "co-location", description = "Scans of a table on HDFS with and without the block placement policy of Albis, on two clusters that take turns")
class CoLocationBenchmark
        extends StorageBenchmark
{
    @Option(names = "--data-nodes", defaultValue = "3", paramLabel = "N", description = "number of DataNodes of each cluster; ${DEFAULT-VALUE} if not given")
    private int dataNodes;

    @Option(names = "--hdfs-fixture", defaultValue = "hdfs-fixture/target", paramLabel = "DIR", description = "folder that the module hdfs-fixture is built in; ${DEFAULT-VALUE} if not given")
    private Path fixture;

    @Option(names = "--policy", defaultValue = "placement/target/albis-placement.jar", paramLabel = "JAR", description = "jar with the block placement policy; ${DEFAULT-VALUE} if not given")
    private Path policy;

    private Optional<Clusters> clusters = Optional.empty();

    private record Clusters(RemoteStorage together, RemoteStorage apart) {}

    @Override
    public Integer call()
    {
        HdfsSoftware software = new HdfsSoftware(fixture, policy);
        Path folder = options.data.resolve("hdfs");
        try (HdfsCluster together = HdfsCluster.start(software, folder.resolve("together"), true, dataNodes);
                HdfsCluster apart = HdfsCluster.start(software, folder.resolve("apart"), false, dataNodes)) {
            clusters = Optional.of(new Clusters(storage(together), storage(apart)));
            return super.call();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RemoteStorage storage(HdfsCluster cluster)
    {
        return RemoteStorage.parse(cluster.address() + "/albis", Optional.empty());
    }

    private BenchmarkCatalog together(BenchmarkCatalog catalog)
    {
        return catalog.variant("together").on(clusters().together());
    }

    private BenchmarkCatalog apart(BenchmarkCatalog catalog)
    {
        return catalog.variant("apart").on(clusters().apart());
    }

    private Clusters clusters()
    {
        checkState(clusters.isPresent(), "HDFS has not been started");
        return clusters.get();
    }

    @Override
    protected List<BenchmarkCatalog> catalogs()
    {
        return super.catalogs().stream()
                .flatMap(catalog -> Stream.of(together(catalog), apart(catalog)))
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
        ImmutableMap<String, String> pairs = super.catalogs().stream()
                .collect(toImmutableMap(catalog -> together(catalog).catalogName(), catalog -> apart(catalog).catalogName()));
        return ImmutableList.<Section>builder()
                .add(CoLocationSection.render(results, pairs))
                .addAll(super.others(results))
                .add(RowGroupsSection.render(catalogs(), schema(), table))
                .build();
    }

    @Override
    protected String storage()
    {
        return "two clusters of HDFS with %s DataNodes, one of which keeps row groups together".formatted(dataNodes);
    }
}
