package io.albis.benchmarks.concurrent;

import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.TableLoader;

import java.util.concurrent.atomic.AtomicLong;

import static java.util.Collections.nCopies;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.HOURS;

/**
 * The tables that get a row with each commit.
 */
record CommitTable(BenchmarkServer server, String table)
{
    public static final String SCHEMA = "commits";

    private static final String COLUMNS = "(id bigint, name varchar)";
    private static final int BATCH = 1000;
    // A commit that conflicts for longer than this means that the benchmark does not get ahead
    private static final long PATIENCE = HOURS.toNanos(1);

    public CommitTable
    {
        requireNonNull(server, "server is null");
        requireNonNull(table, "table is null");
    }

    /**
     * Creates a table without rows instead of the one that may exist.
     */
    public void replace(String catalog)
    {
        server.execute(catalog, SCHEMA, "CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
        server.execute(catalog, SCHEMA, "DROP TABLE IF EXISTS " + table);
        server.execute(catalog, SCHEMA, "CREATE TABLE %s %s".formatted(table, COLUMNS));
    }

    /**
     * Adds commits until there are a number of versions. The table is kept for the next benchmark of the same build.
     * One writer does this: several would conflict, and each conflict of Iceberg leaves a file with all versions.
     */
    public void prepare(BenchmarkCatalog benchmarkCatalog, int versions, Progress progress)
    {
        new TableLoader(server, SCHEMA, progress).create(benchmarkCatalog, table, COLUMNS);
        String catalog = benchmarkCatalog.catalogName();
        for (long existing = versions(catalog); existing < versions; existing = versions(catalog)) {
            progress.print("%s has %s versions in %s".formatted(table, existing, catalog));
            commit(catalog, 1, (int) Math.min(BATCH, versions - existing), new Latencies());
        }
    }

    public long versions(String catalog)
    {
        return (long) server.execute(catalog, SCHEMA, "SELECT count(*) FROM \"%s$snapshots\"".formatted(table)).getOnlyValue();
    }

    public long rows(String catalog)
    {
        return (long) server.execute(catalog, SCHEMA, "SELECT count(*) FROM " + table).getOnlyValue();
    }

    /**
     * Inserts rows, each with a statement of its own, from several writers at the same time.
     */
    public void commit(String catalog, int writers, int commits, Latencies latencies)
    {
        RetriedStatement statement = new RetriedStatement(server, catalog, SCHEMA);
        AtomicLong next = new AtomicLong();
        long deadline = System.nanoTime() + PATIENCE;
        Runnable writer = () -> {
            for (long id = next.getAndIncrement(); id < commits; id = next.getAndIncrement()) {
                statement.run("INSERT INTO %s VALUES (%s, 'row %s')".formatted(table, id, id), latencies, deadline);
            }
        };
        Clients.run(nCopies(writers, writer));
    }
}
