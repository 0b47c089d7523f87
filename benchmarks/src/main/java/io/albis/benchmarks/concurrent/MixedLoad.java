package io.albis.benchmarks.concurrent;

import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.albis.benchmarks.concurrent.MixedClient.Step;
import io.albis.benchmarks.measure.Figures;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TpcdsTables;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.albis.benchmarks.concurrent.MixedTable.BATCH_ROWS;
import static io.albis.benchmarks.concurrent.MixedTable.SLICES;
import static io.albis.benchmarks.concurrent.Operation.EXPIRE_SNAPSHOTS;
import static io.albis.benchmarks.concurrent.Operation.INSERT;
import static io.albis.benchmarks.concurrent.Operation.MERGE;
import static io.albis.benchmarks.concurrent.Operation.OPTIMIZE;
import static io.albis.benchmarks.concurrent.Operation.QUERY;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Eight clients of one table: three that query, two that insert, two that merge, and one that maintains the table.
 */
public class MixedLoad
{
    private static final int QUERY_CLIENTS = 3;
    private static final int INSERT_CLIENTS = 2;
    private static final int MERGE_CLIENTS = 2;
    private static final Duration NO_PAUSE = new Duration(0, SECONDS);
    private static final Duration WRITE_PAUSE = new Duration(1, SECONDS);
    private static final Duration MAINTENANCE_PAUSE = new Duration(30, SECONDS);

    private final BenchmarkServer server;
    private final List<BenchmarkCatalog> catalogs;
    private final MixedTable table;
    private final Duration duration;
    private final Duration retention;
    private final Map<String, Run> runs = new HashMap<>();

    public MixedLoad(BenchmarkServer server, TpcdsTables tables, List<BenchmarkCatalog> catalogs, Path data, Duration duration, Duration retention)
    {
        this.server = requireNonNull(server, "server is null");
        this.catalogs = ImmutableList.copyOf(catalogs);
        this.table = new MixedTable(server, tables, data);
        this.duration = requireNonNull(duration, "duration is null");
        this.retention = requireNonNull(retention, "retention is null");
    }

    public void prepare()
    {
        table.createBatch();
    }

    /**
     * Returns the figures of one kind of statements. The first call for a catalog runs the clients, and so does each
     * call for a kind whose figures of the last run were returned already.
     */
    public Figures figures(Operation operation, String catalog)
    {
        Run run = runs.get(catalog);
        if (run == null || !run.results().containsKey(operation)) {
            run = run(catalog);
            runs.put(catalog, run);
        }
        return run.results().remove(operation).figures(run.elapsed());
    }

    private Run run(String name)
    {
        BenchmarkCatalog catalog = catalog(name);
        table.create(catalog);
        long rows = table.rows(name);
        Map<Operation, OperationResult> results = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            results.put(operation, new OperationResult());
        }
        long start = System.nanoTime();
        Clients.run(clients(name, results, start + duration.roundTo(NANOSECONDS)));
        long elapsed = System.nanoTime() - start;
        long inserts = results.get(INSERT).latencies().count();
        checkState(
                results.get(INSERT).hasFailed() || results.get(MERGE).hasFailed() || table.rows(name) == rows + inserts * BATCH_ROWS,
                "%s has %s rows after %s inserts of %s rows into %s",
                name,
                table.rows(name),
                inserts,
                BATCH_ROWS,
                rows);
        return new Run(results, elapsed);
    }

    private List<MixedClient> clients(String catalog, Map<Operation, OperationResult> results, long deadline)
    {
        RetriedStatement statement = new RetriedStatement(server, catalog, table.schema());
        ImmutableList.Builder<MixedClient> clients = ImmutableList.builder();
        for (int client = 0; client < QUERY_CLIENTS; client++) {
            int first = client;
            clients.add(new MixedClient(statement, ImmutableList.of(new Step(number -> table.query(first + number), results.get(QUERY))), true, NO_PAUSE, deadline));
        }
        AtomicLong batches = new AtomicLong();
        for (int client = 0; client < INSERT_CLIENTS; client++) {
            clients.add(new MixedClient(statement, ImmutableList.of(new Step(_ -> table.insert(batches.getAndIncrement()), results.get(INSERT))), true, WRITE_PAUSE, deadline));
        }
        for (int client = 0; client < MERGE_CLIENTS; client++) {
            // No two clients merge the same rows
            int offset = client;
            clients.add(new MixedClient(statement, ImmutableList.of(new Step(number -> table.merge(offset, (number * MERGE_CLIENTS + offset) % SLICES), results.get(MERGE))), true, WRITE_PAUSE, deadline));
        }
        clients.add(new MixedClient(statement, maintenance(results), false, MAINTENANCE_PAUSE, deadline));
        return clients.build();
    }

    private List<Step> maintenance(Map<Operation, OperationResult> results)
    {
        return ImmutableList.of(
                new Step(table::optimize, results.get(OPTIMIZE)),
                new Step(_ -> table.expire(retention.toString()), results.get(EXPIRE_SNAPSHOTS)));
    }

    private BenchmarkCatalog catalog(String name)
    {
        return catalogs.stream()
                .filter(catalog -> catalog.catalogName().equals(name))
                .collect(onlyElement());
    }

    private record Run(Map<Operation, OperationResult> results, long elapsed) {}
}
