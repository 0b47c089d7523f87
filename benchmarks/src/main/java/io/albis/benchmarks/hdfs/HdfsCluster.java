package io.albis.benchmarks.hdfs;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.Uninterruptibles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * A NameNode and DataNodes, each in a separate process. They keep one copy of each block, only this machine can reach
 * them, and their files are of no use to the next cluster.
 */
public final class HdfsCluster
        implements AutoCloseable
{
    private static final String ADDRESS = "127.0.0.1";
    private static final String ANY_PORT = ADDRESS + ":0";
    private static final String FILE_SYSTEM = "fs.defaultFS";
    private static final String POLICY = "io.albis.placement.AlbisBlockPlacementPolicy";
    private static final long START_LIMIT_MINUTES = 5;

    private final String address;
    // The first one is the NameNode
    private final List<HdfsProcess> processes;

    private HdfsCluster(String address, List<HdfsProcess> processes)
    {
        this.address = requireNonNull(address, "address is null");
        this.processes = ImmutableList.copyOf(processes);
    }

    /**
     * Starts a cluster and waits until it can store files.
     *
     * @param folder folder for its files, which is emptied
     * @param colocated whether the files of a row group are kept together
     */
    public static HdfsCluster start(HdfsSoftware software, Path folder, boolean colocated, int dataNodes)
            throws IOException
    {
        checkArgument(dataNodes > 0, "dataNodes is not positive");
        if (Files.exists(folder)) {
            deleteRecursively(folder, ALLOW_INSECURE);
        }
        String classPath = software.classPath();
        List<HdfsProcess> processes = new ArrayList<>();
        try {
            HdfsProcess nameNode = HdfsProcess.launch("namenode", folder.resolve("namenode"), classPath, ImmutableMap.<String, String>builder()
                    .putAll(configuration("hdfs://" + ANY_PORT, folder.resolve("namenode")))
                    .putAll(colocated ? ImmutableMap.of("dfs.block.replicator.classname", POLICY) : ImmutableMap.of())
                    .buildOrThrow());
            processes.add(nameNode);
            String address = nameNode.awaitReady().get(FILE_SYSTEM);
            for (int number = 1; number <= dataNodes; number++) {
                Path dataNode = folder.resolve("datanode-" + number);
                processes.add(HdfsProcess.launch("datanode", dataNode, classPath, configuration(address, dataNode)));
            }
            processes.subList(1, processes.size()).forEach(HdfsProcess::awaitReady);
            awaitDataNodes(nameNode, dataNodes);
            return new HdfsCluster(address, processes);
        }
        catch (IOException | RuntimeException e) {
            processes.forEach(HdfsProcess::close);
            throw e;
        }
    }

    private static Map<String, String> configuration(String address, Path folder)
    {
        Path absolute = folder.toAbsolutePath();
        return ImmutableMap.<String, String>builder()
                .put(FILE_SYSTEM, address)
                .put("dfs.namenode.rpc-bind-host", ADDRESS)
                .put("dfs.namenode.http-address", ANY_PORT)
                .put("dfs.datanode.address", ANY_PORT)
                .put("dfs.datanode.http.address", ANY_PORT)
                .put("dfs.datanode.ipc.address", ANY_PORT)
                .put("dfs.datanode.hostname", ADDRESS)
                .put("dfs.namenode.datanode.registration.ip-hostname-check", "false")
                .put("dfs.namenode.safemode.extension", "0")
                // The NameNode places blocks on a DataNode only after its first heartbeat
                .put("dfs.heartbeat.interval", "1")
                .put("dfs.replication", "1")
                .put("hadoop.tmp.dir", absolute.resolve("temporary").toString())
                .put("dfs.namenode.name.dir", absolute.resolve("names").toString())
                .put("dfs.datanode.data.dir", absolute.resolve("blocks").toString())
                .buildOrThrow();
    }

    private static void awaitDataNodes(HdfsProcess nameNode, int dataNodes)
    {
        long deadline = System.nanoTime() + MINUTES.toNanos(START_LIMIT_MINUTES);
        Map<String, String> state = nameNode.state();
        while (!state.get("live").equals(Integer.toString(dataNodes)) || !state.get("safemode").equals("false")) {
            checkState(System.nanoTime() < deadline, "HDFS is not ready: %s", state);
            Uninterruptibles.sleepUninterruptibly(50, MILLISECONDS);
            state = nameNode.state();
        }
    }

    /**
     * Returns the URI of the file system.
     */
    public String address()
    {
        return address;
    }

    @Override
    public void close()
    {
        processes.forEach(HdfsProcess::close);
    }
}
