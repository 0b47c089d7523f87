package io.albis.hdfs;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.hdfs.HdfsFileSystemFactory;
import io.trino.hdfs.DynamicHdfsConfiguration;
import io.trino.hdfs.HdfsConfig;
import io.trino.hdfs.HdfsConfigurationInitializer;
import io.trino.hdfs.HdfsEnvironment;
import io.trino.hdfs.TrinoHdfsFileSystemStats;
import io.trino.hdfs.authentication.NoHdfsAuthentication;
import io.trino.spi.security.ConnectorIdentity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * A NameNode and DataNodes on this machine, each in a process of its own, in a temporary folder. They run Hadoop's own
 * release from the folder {@code hdfs-fixture}, because its jars conflict with those of Trino's client.
 */
public final class HdfsCluster
        implements AutoCloseable
{
    private static final long LIMIT_MILLIS = 600_000;
    private static final String ADDRESS = "fs.defaultFS";

    private final Path folder;
    private final Path clientResources;
    private final HdfsProcess nameNode;
    private final List<HdfsProcess> dataNodes;

    private HdfsCluster(Path folder, Path clientResources, HdfsProcess nameNode, List<HdfsProcess> dataNodes)
    {
        this.folder = requireNonNull(folder, "folder is null");
        this.clientResources = requireNonNull(clientResources, "clientResources is null");
        this.nameNode = requireNonNull(nameNode, "nameNode is null");
        this.dataNodes = ImmutableList.copyOf(dataNodes);
    }

    public static Builder builder()
    {
        return new Builder();
    }

    /**
     * Returns the URI of the cluster, such as {@code hdfs://127.0.0.1:41234}.
     */
    public String uri()
    {
        return nameNode.property(ADDRESS);
    }

    public HdfsProcess nameNode()
    {
        return nameNode;
    }

    public HdfsProcess dataNode(int index)
    {
        return dataNodes.get(index);
    }

    public List<HdfsProcess> dataNodes()
    {
        return dataNodes;
    }

    /**
     * Returns a file for {@code hive.config.resources}.
     */
    public Path clientResources()
    {
        return clientResources;
    }

    /**
     * Writes another such file.
     */
    public Path writeClientResources(Map<String, String> properties)
    {
        return writeResources(folder, properties);
    }

    private static Path writeResources(Path folder, Map<String, String> properties)
    {
        StringBuilder xml = new StringBuilder("<configuration>\n");
        properties.forEach((name, value) -> xml.append("    <property><name>%s</name><value>%s</value></property>\n".formatted(name, value)));
        xml.append("</configuration>\n");
        try {
            return Files.writeString(Files.createTempFile(folder, "client", ".xml"), xml);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the properties of a catalog whose warehouse is on this cluster.
     */
    public Map<String, String> catalogProperties()
    {
        return ImmutableMap.of(
                "albis.warehouse", uri() + "/warehouse",
                "fs.hadoop.enabled", "true",
                "hive.config.resources", clientResources.toString());
    }

    /**
     * Returns the file system that Trino creates for a catalog with these properties. Within this process, there is
     * only one for each address, with the client properties of its first user.
     */
    public TrinoFileSystem fileSystem()
    {
        HdfsConfig config = new HdfsConfig().setResourceConfigFiles(ImmutableList.of(clientResources.toString()));
        HdfsEnvironment environment = new HdfsEnvironment(
                new DynamicHdfsConfiguration(new HdfsConfigurationInitializer(config), ImmutableSet.of()),
                config,
                new NoHdfsAuthentication());
        return new HdfsFileSystemFactory(environment, new TrinoHdfsFileSystemStats()).create(ConnectorIdentity.ofUser("albis"));
    }

    /**
     * Waits until the NameNode allows writes, and knows all running DataNodes and all blocks.
     */
    public void awaitReady()
    {
        long running = dataNodes.stream().filter(HdfsProcess::isRunning).count();
        Map<String, String> expected = ImmutableMap.of("live", String.valueOf(running), "safemode", "false", "missing", "0");
        long start = System.nanoTime();
        Map<String, String> state = nameNode.state();
        while (!state.equals(expected)) {
            checkState(System.nanoTime() - start < LIMIT_MILLIS * 1_000_000, "The NameNode is at %s, and should be at %s", state, expected);
            try {
                Thread.sleep(20);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            state = nameNode.state();
        }
        reconnect();
    }

    /**
     * Replaces a stale connection of this process to a previous NameNode: the first call detects that it is broken.
     */
    private void reconnect()
    {
        try {
            fileSystem().newInputFile(Location.of(uri() + "/connection")).exists();
        }
        catch (IOException e) {
            // The connection was stale, and the next call creates a new one
        }
    }

    @Override
    public void close()
    {
        dataNodes.forEach(HdfsProcess::close);
        nameNode.close();
        try {
            MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static final class Builder
    {
        private final Map<String, String> serverProperties = new TreeMap<>();
        private final Map<String, String> clientProperties = new TreeMap<>();
        private int dataNodes = 1;
        private int replication = 1;

        private Builder()
        {
            serverProperties.put(ADDRESS, "hdfs://127.0.0.1:0");
            serverProperties.put("dfs.namenode.rpc-bind-host", "127.0.0.1");
            serverProperties.put("dfs.namenode.http-address", "127.0.0.1:0");
            serverProperties.put("dfs.datanode.address", "127.0.0.1:0");
            serverProperties.put("dfs.datanode.http.address", "127.0.0.1:0");
            serverProperties.put("dfs.datanode.ipc.address", "127.0.0.1:0");
            serverProperties.put("dfs.datanode.hostname", "127.0.0.1");
            serverProperties.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
            // No delays that only make sense for clusters of many machines
            serverProperties.put("dfs.namenode.safemode.extension", "0");
            serverProperties.put("dfs.heartbeat.interval", "1");
            serverProperties.put("dfs.namenode.redundancy.interval.seconds", "1");
            serverProperties.put("dfs.namenode.fs-limits.min-block-size", "4096");
            // Killing a process loses no data without a flush; only a failure of the machine does
            serverProperties.put("dfs.namenode.edits.noeditlogchannelflush", "true");
            // The first wait after all DataNodes fail to respond would be up to three seconds otherwise, and later ones
            // longer
            clientProperties.put("dfs.client.retry.window.base", "100");
        }

        public Builder setDataNodes(int dataNodes)
        {
            this.dataNodes = dataNodes;
            return this;
        }

        public Builder setReplication(int replication)
        {
            this.replication = replication;
            return this;
        }

        public Builder addServerProperty(String name, String value)
        {
            serverProperties.put(name, value);
            return this;
        }

        public Builder addClientProperty(String name, String value)
        {
            clientProperties.put(name, value);
            return this;
        }

        public HdfsCluster start()
        {
            List<Path> libraries = fixture();
            serverProperties.put("dfs.replication", String.valueOf(replication));
            clientProperties.put("dfs.replication", String.valueOf(replication));
            Path folder;
            try {
                folder = Files.createTempDirectory("albis-hdfs").toRealPath();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            HdfsProcess nameNode = new HdfsProcess("namenode", folder.resolve("namenode"), libraries, ImmutableMap.<String, String>builder()
                    .putAll(serverProperties)
                    .put("hadoop.tmp.dir", folder.resolve("namenode").resolve("temporary").toString())
                    .put("dfs.namenode.name.dir", folder.resolve("namenode").resolve("names").toString())
                    .buildKeepingLast());
            List<HdfsProcess> dataNodeProcesses = new ArrayList<>();
            for (int index = 0; index < dataNodes; index++) {
                Path dataFolder = folder.resolve("datanode-" + index);
                dataNodeProcesses.add(new HdfsProcess("datanode", dataFolder, libraries, ImmutableMap.<String, String>builder()
                        .putAll(serverProperties)
                        .put("hadoop.tmp.dir", dataFolder.resolve("temporary").toString())
                        .put("dfs.datanode.data.dir", dataFolder.resolve("blocks").toString())
                        .buildKeepingLast()));
            }
            HdfsCluster cluster = new HdfsCluster(folder, writeResources(folder, clientProperties), nameNode, dataNodeProcesses);
            try {
                nameNode.start();
                dataNodeProcesses.forEach(dataNode -> dataNode.setProperty(ADDRESS, cluster.uri()));
                dataNodeProcesses.parallelStream().forEach(HdfsProcess::start);
                cluster.awaitReady();
                return cluster;
            }
            catch (Throwable e) {
                cluster.close();
                throw e;
            }
        }

        private static List<Path> fixture()
        {
            Path target = Path.of(System.getProperty("albis.hdfs-fixture", "hdfs-fixture/target")).toAbsolutePath();
            checkState(
                    Files.isDirectory(target.resolve("classes")) && Files.isDirectory(target.resolve("lib")),
                    "There is no HDFS fixture in %s. It is built by: mvn -f hdfs-fixture/pom.xml package",
                    target);
            return ImmutableList.of(target.resolve("classes"), target.resolve("lib").resolve("*"));
        }
    }
}
