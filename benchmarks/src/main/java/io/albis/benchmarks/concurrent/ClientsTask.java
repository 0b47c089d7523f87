package io.albis.benchmarks.concurrent;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkServer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;

/**
 * Clients that run the same queries at the same time. They take the queries from one list, so that all of them have
 * work until its end, and the number of queries does not depend on the number of clients.
 *
 * @param queries text of the queries
 * @param repeats how often each query runs
 */
public record ClientsTask(int clients, List<String> queries, int repeats, String schema, BenchmarkServer server)
        implements Task
{
    // The same order in all catalogs
    private static final long SEED = 18;

    public ClientsTask
    {
        checkArgument(clients > 0, "clients is not positive");
        queries = ImmutableList.copyOf(queries);
        checkArgument(!queries.isEmpty(), "queries is empty");
        checkArgument(repeats > 0, "repeats is not positive");
        requireNonNull(schema, "schema is null");
        requireNonNull(server, "server is null");
    }

    @Override
    public String name()
    {
        return Integer.toString(clients);
    }

    @Override
    public Figures run(String catalog)
    {
        Queue<String> remaining = new ConcurrentLinkedQueue<>(inRandomOrder());
        Latencies latencies = new Latencies();
        AtomicLong rows = new AtomicLong();
        long processCpu = server.processCpuNanos();
        long start = System.nanoTime();
        Clients.run(nCopies(clients, () -> runQueries(catalog, remaining, latencies, rows)));
        long elapsed = System.nanoTime() - start;
        return latencies.addTo(new Figures(ImmutableMap.of(
                Figure.RESULT_ROWS, rows.get(),
                Figure.ELAPSED, elapsed,
                Figure.PROCESS_CPU, server.processCpuNanos() - processCpu)), elapsed);
    }

    /**
     * Returns all queries, repeat after repeat, so that no query comes twice before another one comes at all.
     */
    private List<String> inRandomOrder()
    {
        Random random = new Random(SEED);
        ImmutableList.Builder<String> all = ImmutableList.builder();
        for (int repeat = 0; repeat < repeats; repeat++) {
            List<String> shuffled = new ArrayList<>(queries);
            Collections.shuffle(shuffled, random);
            all.addAll(shuffled);
        }
        return all.build();
    }

    private void runQueries(String catalog, Queue<String> remaining, Latencies latencies, AtomicLong rows)
    {
        for (String query = remaining.poll(); query != null; query = remaining.poll()) {
            long start = System.nanoTime();
            rows.addAndGet(server.run(catalog, schema, query));
            latencies.add(System.nanoTime() - start);
        }
    }
}
