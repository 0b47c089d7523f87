package io.albis.benchmarks.server;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.Uninterruptibles;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;
import io.trino.testing.ResultWithQueryId;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Servers in separate processes, which only this machine can reach.
 */
final class ServerProcesses
        implements TrinoServers
{
    private static final String ADDRESS = "127.0.0.1";
    private static final String ACTIVE_NODES = "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'";
    private static final long START_LIMIT_MINUTES = 5;

    private final StatementRunner runner;
    // The first one is the coordinator
    private final List<ServerProcess> processes;

    private ServerProcesses(StatementRunner runner, List<ServerProcess> processes)
    {
        this.runner = requireNonNull(runner, "runner is null");
        this.processes = ImmutableList.copyOf(processes);
    }

    /**
     * Starts the servers and waits until they can run statements.
     *
     * @param data directory in which the servers have a folder for their files
     */
    public static ServerProcesses start(List<ServerCatalog> catalogs, Path data, ServerOptions options)
    {
        List<ServerProcess> processes = new ArrayList<>();
        try {
            URI coordinator = URI.create("http://%s:%s".formatted(ADDRESS, freePort()));
            for (int number = 0; number <= options.workers(); number++) {
                String role = number == 0 ? ServerProcess.COORDINATOR : ServerProcess.WORKER;
                String name = number == 0 ? role : role + "-" + number;
                Map<String, String> configuration = configuration(name, number == 0 ? coordinator.getPort() : freePort(), coordinator, options);
                ServerFolder folder = ServerFolder.write(data.resolve("servers").resolve(name), configuration, catalogs, ClassPath.absolute());
                processes.add(ServerProcess.launch(folder, role, options.separateHeapBytes()));
            }
            processes.forEach(ServerProcess::awaitReady);
            ServerProcesses servers = new ServerProcesses(new StatementRunner(coordinator), processes);
            servers.awaitNodes(processes.size());
            return servers;
        }
        catch (IOException e) {
            processes.forEach(ServerProcess::close);
            throw new UncheckedIOException(e);
        }
        catch (RuntimeException e) {
            processes.forEach(ServerProcess::close);
            throw e;
        }
    }

    private static Map<String, String> configuration(String name, int port, URI coordinator, ServerOptions options)
    {
        boolean coordinates = name.equals(ServerProcess.COORDINATOR);
        ImmutableMap.Builder<String, String> properties = ImmutableMap.<String, String>builder()
                .put("coordinator", String.valueOf(coordinates))
                .put("node.environment", "benchmarks")
                .put("node.id", name)
                .put("node.internal-address", ADDRESS)
                .put("node.bind-ip", ADDRESS)
                .put("http-server.http.port", Integer.toString(port))
                .put("discovery.uri", coordinator.toString())
                .putAll(ServerMemory.properties(options.separateHeapBytes(), 1));
        if (coordinates) {
            properties.put("node-scheduler.include-coordinator", String.valueOf(options.workers() == 0));
            properties.put("query.client.timeout", "10m");
        }
        return properties.buildOrThrow();
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ADDRESS))) {
            return socket.getLocalPort();
        }
    }

    /**
     * Waits until the coordinator knows all servers.
     */
    private void awaitNodes(int expected)
    {
        StatementSession session = new StatementSession("system", "runtime", ImmutableList.of());
        long deadline = System.nanoTime() + MINUTES.toNanos(START_LIMIT_MINUTES);
        while (true) {
            String state;
            try {
                long nodes = (long) runner.execute(session, ACTIVE_NODES).getResult().getOnlyValue();
                if (nodes == expected) {
                    return;
                }
                state = "%s of %s servers are active".formatted(nodes, expected);
            }
            catch (QueryFailedException e) {
                // The coordinator refuses queries until it has announced itself
                state = String.valueOf(e.getMessage());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("The servers did not start: " + state);
            }
            Uninterruptibles.sleepUninterruptibly(50, MILLISECONDS);
        }
    }

    @Override
    public ResultWithQueryId<MaterializedResult> execute(StatementSession session, String sql)
    {
        return runner.execute(session, sql);
    }

    @Override
    public Figures figures(QueryId queryId)
    {
        ImmutableMap.Builder<Figure, Long> figures = ImmutableMap.builder();
        Splitter.on(' ').withKeyValueSeparator('=').split(coordinator().ask("%s %s".formatted(ServerMain.FIGURES, queryId)))
                .forEach((name, value) -> figures.put(Figure.valueOf(name), Long.valueOf(value)));
        return new Figures(figures.buildOrThrow());
    }

    @Override
    public Optional<String> errorName(QueryId queryId)
    {
        return Optional.of(coordinator().ask("%s %s".formatted(ServerMain.ERROR, queryId))).filter(name -> !name.isEmpty());
    }

    @Override
    public String explain(StatementSession session, String sql)
    {
        throw new UnsupportedOperationException("Only a server in this process has plans as JSON");
    }

    @Override
    public ProcessUsage usage()
    {
        return processes.stream()
                .map(process -> ProcessUsage.parse(process.ask(ServerMain.USAGE)))
                .reduce(new ProcessUsage(0, 0, 0), ProcessUsage::plus);
    }

    @Override
    public void resetPeakHeap()
    {
        processes.forEach(process -> process.ask(ServerMain.RESET));
    }

    private ServerProcess coordinator()
    {
        return processes.getFirst();
    }

    @Override
    public void close()
    {
        runner.close();
        processes.forEach(ServerProcess::close);
    }
}
