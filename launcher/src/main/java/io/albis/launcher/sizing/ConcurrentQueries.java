package io.albis.launcher.sizing;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.QueryResult;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsClient;

import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Runs the TPC-DS queries with several clients at the same time and measures what the cluster needs for them.
 */
public final class ConcurrentQueries
{
    private static final Duration SAMPLING = Duration.ofMillis(250);

    private final URI server;
    private final Scale scale;
    private final List<Integer> queries;

    public ConcurrentQueries(URI server, Scale scale, QueryList queries)
    {
        this.server = requireNonNull(server, "server is null");
        this.scale = requireNonNull(scale, "scale is null");
        this.queries = queries.numbers().asList();
    }

    /**
     * Measures each number of clients, after one that does not count.
     */
    public SizingReport measure(List<Integer> clients)
            throws InterruptedException
    {
        try (ClusterMetrics metrics = new ClusterMetrics(nodes())) {
            measure(1, metrics);
            ImmutableList.Builder<Measurement> measurements = ImmutableList.builder();
            for (int number : clients) {
                measurements.add(measure(number, metrics));
            }
            return new SizingReport(scale, measurements.build());
        }
    }

    private List<URI> nodes()
    {
        try (TpcdsClient client = TpcdsClient.connect(server, scale)) {
            return client.nodes();
        }
        catch (SQLException e) {
            throw new LauncherException("The nodes of the cluster cannot be listed: " + e.getMessage(), e);
        }
    }

    private Measurement measure(int clients, ClusterMetrics metrics)
            throws InterruptedException
    {
        Metrics before = metrics.read();
        Stopwatch stopwatch = Stopwatch.createStarted();
        List<ClientResult> results = new ArrayList<>();
        long heap = before.heapBytes();
        try (ExecutorService executor = Executors.newFixedThreadPool(clients)) {
            List<Future<ClientResult>> futures = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                futures.add(executor.submit(client(client * queries.size() / clients)));
            }
            try {
                while (!futures.stream().allMatch(Future::isDone)) {
                    heap = Math.max(heap, metrics.read().heapBytes());
                    Thread.sleep(SAMPLING);
                }
            }
            catch (InterruptedException | RuntimeException e) {
                // Otherwise, closing the executor waits until the clients have run all their queries
                executor.shutdownNow();
                throw e;
            }
            for (Future<ClientResult> future : futures) {
                results.add(future.get());
            }
        }
        catch (ExecutionException e) {
            throw new LauncherException("A client failed: " + e.getCause().getMessage(), e);
        }
        Duration elapsed = stopwatch.elapsed();
        Metrics used = metrics.read().since(before);
        return new Measurement(
                clients,
                results.stream().flatMap(client -> client.results().stream()).filter(QueryResult::isAnswered).map(QueryResult::elapsed).collect(toImmutableList()),
                (int) results.stream().flatMap(client -> client.results().stream()).filter(QueryResult::isUnexpected).count(),
                elapsed,
                new Metrics(used.processNanos(), Math.max(heap, used.heapBytes()), used.bytesRead(), used.reads(), used.requests()),
                results.stream().mapToLong(ClientResult::largestMemory).max().orElse(0));
    }

    /**
     * Returns a client that begins with one of the queries, because clients of the same query would share its data.
     */
    private Callable<ClientResult> client(int first)
    {
        return () -> {
            ImmutableList.Builder<QueryResult> results = ImmutableList.builder();
            try (TpcdsClient client = TpcdsClient.connect(server, scale)) {
                for (int i = 0; i < queries.size(); i++) {
                    results.add(client.run(queries.get((first + i) % queries.size())));
                }
                return new ClientResult(results.build(), client.largestMemory());
            }
        };
    }

    private record ClientResult(List<QueryResult> results, long largestMemory) {}
}
