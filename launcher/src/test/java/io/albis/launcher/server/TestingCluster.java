package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static java.nio.file.Files.newDirectoryStream;
import static java.util.Objects.requireNonNull;

/**
 * A coordinator and workers on one warehouse. Each node is a separate process with the plugin's zip.
 */
final class TestingCluster
        implements AutoCloseable
{
    private final TestingNode coordinator;
    private final List<TestingNode> workers;

    private TestingCluster(TestingNode coordinator, List<TestingNode> workers)
    {
        this.coordinator = requireNonNull(coordinator, "coordinator is null");
        this.workers = requireNonNull(workers, "workers is null");
    }

    /**
     * Unpacks the zip and adds Trino's exchange plugin, for the nodes of all clusters in this directory.
     */
    static Installation install(Path home)
            throws IOException
    {
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        try (DirectoryStream<Path> plugins = newDirectoryStream(Path.of(System.getProperty("albis.exchange")).resolve("plugin"))) {
            for (Path plugin : plugins) {
                Files.createSymbolicLink(installation.runtime().resolve("plugin").resolve(plugin.getFileName()), plugin);
            }
        }
        return installation;
    }

    /**
     * Starts the processes. Call {@link #awaitReady} to wait for them.
     *
     * @param workers number of workers; if it is zero, the coordinator runs the tasks
     */
    static TestingCluster launch(Installation installation, String name, int workers, Map<String, String> properties, Map<String, String> albis)
            throws IOException
    {
        URI uri = TestingNode.freeAddress();
        Map<String, Map<String, String>> catalogs = ImmutableMap.of(
                "albis", albis,
                "tpch", ImmutableMap.of("connector.name", "tpch", "tpch.splits-per-node", "2"));
        List<TestingNode> nodes = new ArrayList<>();
        TestingNode coordinator = TestingNode.launch(
                installation,
                name,
                uri,
                ImmutableMap.<String, String>builder()
                        .put("coordinator", "true")
                        .put("node-scheduler.include-coordinator", Boolean.toString(workers == 0))
                        .putAll(properties)
                        .buildOrThrow(),
                catalogs);
        for (int worker = 0; worker < workers; worker++) {
            nodes.add(TestingNode.launch(
                    installation,
                    name + "-worker" + worker,
                    TestingNode.freeAddress(),
                    ImmutableMap.<String, String>builder()
                            .put("coordinator", "false")
                            .put("discovery.uri", uri.toString())
                            .putAll(properties)
                            .buildOrThrow(),
                    catalogs));
        }
        return new TestingCluster(coordinator, nodes);
    }

    TestingCluster awaitReady()
            throws InterruptedException
    {
        coordinator.awaitReady();
        for (TestingNode worker : workers) {
            worker.awaitReady();
        }
        String expected = Integer.toString(workers.size() + 1);
        coordinator.await(() -> {
            try {
                // System tables are read on the coordinator, so this query runs even if there are no workers
                return client().query("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'").equals(List.of(expected));
            }
            catch (SQLException _) {
                return false;
            }
        }, "aware of all workers");
        return this;
    }

    TestingClient client()
    {
        return coordinator.client();
    }

    TestingNode worker(int index)
    {
        return workers.get(index);
    }

    TestingNode coordinator()
    {
        return coordinator;
    }

    @Override
    public void close()
            throws InterruptedException
    {
        for (TestingNode worker : workers) {
            worker.close();
        }
        coordinator.close();
    }
}
