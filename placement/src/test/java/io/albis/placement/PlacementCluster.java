package io.albis.placement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.DNSToSwitchMapping;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType.LIVE;
import static org.apache.hadoop.util.Time.monotonicNow;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A NameNode that uses the policy, and DataNodes, all in this process.
 */
class PlacementCluster
        implements AutoCloseable
{
    private static final Path TABLE = new Path("/warehouse/shop/sales-1");
    private static final long PATIENCE = MINUTES.toNanos(10);

    private final java.nio.file.Path folder;
    private final java.nio.file.Path excludes;
    private final List<String> racks;
    private final Set<Integer> full;
    private final Configuration configuration;
    private final List<DataNode> dataNodes = new ArrayList<>();
    private NameNode nameNode;
    private DistributedFileSystem fileSystem;

    /**
     * Starts a cluster.
     *
     * @param racks racks of the DataNodes
     * @param full indexes of DataNodes without free space
     */
    PlacementCluster(java.nio.file.Path folder, int replication, List<String> racks, Set<Integer> full)
            throws Exception
    {
        this.folder = folder;
        this.racks = List.copyOf(racks);
        this.full = Set.copyOf(full);
        excludes = Files.createFile(folder.resolve("excludes"));
        DefaultMetricsSystem.setMiniClusterMode(true);

        configuration = new Configuration();
        configuration.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        configuration.set("dfs.block.replicator.classname", AlbisBlockPlacementPolicy.class.getName());
        configuration.setClass("net.topology.node.switch.mapping.impl", RackOfHost.class, DNSToSwitchMapping.class);
        configuration.set("dfs.hosts.exclude", excludes.toString());
        configuration.setInt("dfs.replication", replication);
        configuration.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
        configuration.set("dfs.namenode.http-address", "127.0.0.1:0");
        configuration.set("dfs.datanode.address", "127.0.0.1:0");
        configuration.set("dfs.datanode.http.address", "127.0.0.1:0");
        configuration.set("dfs.datanode.ipc.address", "127.0.0.1:0");
        configuration.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
        configuration.setInt("dfs.namenode.safemode.extension", 0);
        // The NameNode declares a DataNode dead after ten of these intervals, which must not happen on a slow machine
        configuration.setInt("dfs.heartbeat.interval", 60);
        // Shortens intervals of several seconds or minutes
        configuration.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
        configuration.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        configuration.setInt("dfs.namenode.decommission.interval", 1);
        // Processes many blocks at a time
        configuration.setInt("dfs.namenode.replication.max-streams", 100);
        configuration.setInt("dfs.namenode.replication.max-streams-hard-limit", 200);
        configuration.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 100);

        try {
            NameNode.format(configuration);
            startNameNode();
            configuration.set("fs.defaultFS", "hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
            fileSystem = (DistributedFileSystem) FileSystem.newInstance(configuration);
            for (int node = 0; node < racks.size(); node++) {
                dataNodes.add(startDataNode(node));
            }
            awaitDataNodes(racks.size());
        }
        catch (Throwable e) {
            close();
            throw e;
        }
    }

    private void startNameNode()
            throws IOException
    {
        nameNode = NameNode.createNameNode(new String[0], configuration);
    }

    void restartNameNode()
            throws Exception
    {
        nameNode.stop();
        nameNode.join();
        // With a threshold above 1, the NameNode stays in safe mode until it is told to leave. If it left before the
        // last DataNode has reported its blocks, it would copy these blocks to other nodes.
        configuration.setFloat("dfs.namenode.safemode.threshold-pct", 1.5f);
        startNameNode();
        awaitDataNodes(racks.size());
        await("a connection", this::isConnected);
        fileSystem.setSafeMode(SafeModeAction.LEAVE);
        assertThat(nameNode.isInSafeMode()).isFalse();
    }

    /**
     * Returns whether the client is connected. A client detects a broken connection only when it uses the connection,
     * and reconnects for the next call.
     */
    private boolean isConnected()
    {
        try {
            return fileSystem.exists(TABLE);
        }
        catch (IOException e) {
            return false;
        }
    }

    private DataNode startDataNode(int node)
            throws IOException
    {
        Configuration ofNode = new Configuration(configuration);
        ofNode.setInt("dfs.heartbeat.interval", 1);
        // A report that is lost while the NameNode restarts is otherwise repeated after six hours
        ofNode.setLong("dfs.blockreport.intervalMsec", 10_000);
        ofNode.set("dfs.datanode.hostname", RackOfHost.host(node, racks.get(node)));
        ofNode.set("dfs.datanode.data.dir", folder.resolve("data" + node).toUri().toString());
        if (full.contains(node)) {
            ofNode.setLong("dfs.datanode.du.reserved", Long.MAX_VALUE / 2);
        }
        return DataNode.createDataNode(new String[0], ofNode);
    }

    /**
     * Stops a node and makes the NameNode declare it dead without waiting for the usual ten minutes.
     */
    void kill(int node)
            throws Exception
    {
        dataNodes.get(node).shutdown();
        DatanodeDescriptor descriptor = namesystem().getBlockManager().getDatanodeManager().getDatanode(dataNodes.get(node).getDatanodeId());
        descriptor.setLastUpdateMonotonic(monotonicNow() - HOURS.toMillis(1));
        await("dead DataNode", () -> !descriptor.isAlive());
        awaitDataNodes(racks.size() - 1);
    }

    void revive(int node)
            throws Exception
    {
        dataNodes.set(node, startDataNode(node));
        awaitDataNodes(racks.size());
    }

    void decommission(int node)
            throws IOException
    {
        Files.writeString(excludes, name(node) + "\n");
        // Same as dfsadmin -refreshNodes, which takes the name of the file from hdfs-site.xml
        namesystem().getBlockManager().getDatanodeManager().refreshNodes(configuration);
    }

    private void awaitDataNodes(int count)
            throws Exception
    {
        await(count + " DataNodes", () -> {
            List<DatanodeDescriptor> nodes = namesystem().getBlockManager().getDatanodeManager().getDatanodeListForReport(LIVE);
            return nodes.size() == count && nodes.stream().allMatch(PlacementCluster::takesBlocks);
        });
    }

    /**
     * Returns whether the NameNode can place blocks on the node. A node that has just registered has no known disks, so
     * the NameNode would place blocks elsewhere.
     */
    private static boolean takesBlocks(DatanodeDescriptor node)
    {
        return node.isHeartbeatedSinceRegistration() && node.checkBlockReportReceived();
    }

    static void await(String what, Callable<Boolean> condition)
            throws Exception
    {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - start).as(what).isLessThan(PATIENCE);
            Thread.sleep(50);
        }
    }

    FSNamesystem namesystem()
    {
        return nameNode.getNamesystem();
    }

    DistributedFileSystem fileSystem()
    {
        return fileSystem;
    }

    /**
     * Returns the name that the NameNode uses for the node.
     */
    String name(int node)
    {
        return dataNodes.get(node).getDatanodeId().getXferAddr();
    }

    List<String> names()
    {
        List<String> names = new ArrayList<>();
        for (int node = 0; node < racks.size(); node++) {
            names.add(name(node));
        }
        return names;
    }

    /**
     * Writes a column group of a row group.
     *
     * @return the files of the column group
     */
    List<Path> write(String rowGroupFolder)
            throws IOException
    {
        Path columnGroup = new Path(new Path(TABLE, rowGroupFolder), "cg-" + UUID.randomUUID());
        List<Path> files = List.of(new Path(columnGroup, "data"), new Path(columnGroup, "metadata"));
        for (Path file : files) {
            try (FSDataOutputStream output = fileSystem.create(file)) {
                output.write(file.toString().getBytes(UTF_8));
            }
        }
        return files;
    }

    /**
     * Returns the names of the nodes that store a file.
     *
     * @param except nodes to ignore
     */
    Set<String> nodes(Path file, Set<String> except)
            throws IOException
    {
        BlockLocation[] blocks = fileSystem.getFileBlockLocations(file, 0, Long.MAX_VALUE);
        assertThat(blocks).as(file.toString()).hasSize(1);
        Set<String> nodes = new HashSet<>(List.of(blocks[0].getNames()));
        nodes.removeAll(except);
        return nodes;
    }

    /**
     * Waits until each file is stored on the expected number of nodes.
     */
    void awaitReplicas(Collection<Path> files, int expected, Set<String> except)
            throws Exception
    {
        for (Path file : files) {
            await("%s on %s nodes but %s".formatted(file, expected, except), () -> nodes(file, except).size() == expected);
        }
    }

    @Override
    public void close()
            throws IOException
    {
        if (fileSystem != null) {
            fileSystem.close();
        }
        dataNodes.forEach(DataNode::shutdown);
        if (nameNode != null) {
            nameNode.stop();
        }
    }
}
