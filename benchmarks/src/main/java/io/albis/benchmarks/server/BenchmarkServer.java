package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;
import io.trino.testing.ResultWithQueryId;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.trino.plugin.iceberg.IcebergErrorCode.ICEBERG_COMMIT_ERROR;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * Trino with all catalogs in one data directory: by default a coordinator in this process that also runs tasks, and
 * otherwise with workers, or in separate processes.
 */
public class BenchmarkServer
        implements AutoCloseable
{
    public static final String GENERATOR = "tpcds";
    /**
     * The generator of the tables of TPC-H. Its prices are decimals, as in the specification.
     */
    public static final String TPCH_GENERATOR = "tpch";

    private static final Set<String> CONFLICTS = ImmutableSet.of(TRANSACTION_CONFLICT.name(), ICEBERG_COMMIT_ERROR.name());

    private final Path data;
    private final ServerOptions options;
    private final TrinoServers servers;

    /**
     * Starts a server.
     *
     * @param catalogs catalogs to compare; the catalog with their source data is added
     * @param data directory that is kept and reused by the next server
     */
    public static BenchmarkServer start(List<BenchmarkCatalog> catalogs, Path data)
    {
        return start(catalogs, data, ServerOptions.DEFAULT);
    }

    /**
     * Starts a server.
     *
     * @param catalogs catalogs to compare; the catalog with their source data is added
     * @param data directory that is kept and reused by the next server
     */
    public static BenchmarkServer start(List<BenchmarkCatalog> catalogs, Path data, ServerOptions options)
    {
        List<ServerCatalog> all = catalogs(catalogs, data);
        return new BenchmarkServer(data, options, options.separate() ? ServerProcesses.start(all, data, options) : EmbeddedServers.start(all, options));
    }

    private BenchmarkServer(Path data, ServerOptions options, TrinoServers servers)
    {
        this.data = requireNonNull(data, "data is null");
        this.options = requireNonNull(options, "options is null");
        this.servers = requireNonNull(servers, "servers is null");
    }

    private static List<ServerCatalog> catalogs(List<BenchmarkCatalog> compared, Path data)
    {
        ImmutableList.Builder<ServerCatalog> catalogs = ImmutableList.<ServerCatalog>builder()
                .add(new ServerCatalog(GENERATOR, "tpcds", ImmutableMap.of()))
                .add(new ServerCatalog(TPCH_GENERATOR, "tpch", ImmutableMap.of("tpch.double-type-mapping", "DECIMAL")))
                .add(catalog(SOURCE, data));
        compared.forEach(catalog -> catalogs.add(catalog(catalog, data)));
        return catalogs.build();
    }

    private static ServerCatalog catalog(BenchmarkCatalog catalog, Path data)
    {
        try {
            Files.createDirectories(catalog.folder(data));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ServerCatalog(catalog.catalogName(), catalog.connector(), catalog.properties(data));
    }

    /**
     * Returns the directory with the local tables of all catalogs.
     */
    public Path data()
    {
        return data;
    }

    /**
     * Runs a statement that prepares or checks a benchmark.
     */
    public MaterializedResult execute(String catalog, String schema, String sql)
    {
        return servers.execute(new StatementSession(catalog, schema, ImmutableList.of()), sql).getResult();
    }

    /**
     * Runs a measured statement for its rows.
     */
    public MaterializedResult rows(String catalog, String schema, String sql)
    {
        return servers.execute(measuredSession(catalog, schema), sql).getResult();
    }

    /**
     * Runs a statement of a client whose times are measured by the benchmark.
     *
     * @return the number of rows in the result, or that were written
     */
    public long run(String catalog, String schema, String sql)
    {
        return count(rows(catalog, schema, sql));
    }

    /**
     * Returns the plan of a measured statement as JSON. It has the exchanges, and is not divided into fragments as the
     * plan that EXPLAIN returns as JSON, which lacks the types of exchanges.
     */
    public String explain(String catalog, String schema, String sql)
    {
        return servers.explain(measuredSession(catalog, schema), sql);
    }

    public Figures measure(String catalog, String schema, String sql)
    {
        return measure(catalog, schema, sql, ComparedColumns.NONE);
    }

    /**
     * Measures a statement, and adds a checksum of some columns of its result.
     */
    public Figures measure(String catalog, String schema, String sql, ComparedColumns compared)
    {
        StatementSession session = measuredSession(catalog, schema);
        servers.resetPeakHeap();
        ProcessUsage before = servers.usage();
        ResultWithQueryId<MaterializedResult> result = servers.execute(session, sql);
        ProcessUsage after = servers.usage();
        Figures figures = servers.figures(result.getQueryId());
        long allocated = after.allocatedBytes() - before.allocatedBytes();
        figures = figures
                .with(Figure.RESULT_ROWS, count(result.getResult()))
                .with(Figure.PROCESS_CPU, after.cpuNanos() - before.cpuNanos())
                .with(Figure.ALLOCATED, allocated)
                .with(Figure.ALLOCATED_PER_ROW, allocated / Math.max(1, figures.get(Figure.ROWS_READ)))
                // Notifications of garbage collections may be late
                .with(Figure.PEAK_HEAP, servers.usage().peakHeapBytes());
        OptionalLong checksum = compared.checksum(result.getResult());
        return checksum.isPresent() ? figures.with(Figure.RESULT_CHECKSUM, checksum.getAsLong()) : figures;
    }

    /**
     * Returns the number of rows in the result, or the number of rows that were written.
     */
    private static long count(MaterializedResult result)
    {
        return result.getUpdateCount().orElse(result.getRowCount());
    }

    /**
     * Returns the CPU time that the processes of the servers have taken so far.
     */
    public long processCpuNanos()
    {
        return servers.usage().cpuNanos();
    }

    /**
     * Returns whether a statement failed because others wrote to the same table at the same time.
     */
    public boolean isConflict(QueryFailedException failure)
    {
        return servers.errorName(failure.getQueryId()).filter(CONFLICTS::contains).isPresent();
    }

    private StatementSession measuredSession(String catalog, String schema)
    {
        return new StatementSession(catalog, schema, options.sessionProperties());
    }

    @Override
    public void close()
    {
        servers.close();
    }
}
