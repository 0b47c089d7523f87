package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.Closer;
import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.airlift.units.DataSize;
import io.albis.benchmarks.measure.Figure;
import io.albis.benchmarks.measure.Figures;
import io.trino.Session;
import io.trino.Session.SessionBuilder;
import io.trino.execution.QueryInfo;
import io.trino.execution.TaskManagerConfig;
import io.trino.execution.warnings.WarningCollector;
import io.trino.plugin.hive.HivePlugin;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.plugin.tpcds.TpcdsPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.testing.TestingTrinoServer;
import io.trino.spi.ErrorCode;
import io.trino.spi.QueryId;
import io.trino.sql.PlannerContext;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.planner.Plan;
import io.trino.sql.planner.planprinter.PlanPrinter;
import io.trino.sql.tree.Statement;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;
import io.trino.testing.ResultWithQueryId;
import io.trino.testing.TestingTrinoClient;
import io.trino.testing.TransactionBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static io.albis.benchmarks.server.BenchmarkCatalog.SOURCE;
import static io.trino.SystemSessionProperties.TASK_CONCURRENCY;
import static io.trino.SystemSessionProperties.TASK_MIN_WRITER_COUNT;
import static io.trino.execution.querystats.PlanOptimizersStatsCollector.createPlanOptimizersStatsCollector;
import static io.trino.plugin.iceberg.IcebergErrorCode.ICEBERG_COMMIT_ERROR;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * A Trino server in this process: a coordinator that also runs tasks, with all catalogs in one data directory.
 */
public class BenchmarkServer
        implements AutoCloseable
{
    public static final String GENERATOR = "tpcds";
    /**
     * The generator of the tables of TPC-H. Its prices are decimals, as in the specification.
     */
    public static final String TPCH_GENERATOR = "tpch";

    private static final String ENVIRONMENT = "benchmarks";
    private static final Set<String> CONFLICTS = ImmutableSet.of(TRANSACTION_CONFLICT.name(), ICEBERG_COMMIT_ERROR.name());

    private final SqlParser parser = new SqlParser();
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final PeakHeap peakHeap = new PeakHeap();
    private final ServerOptions options;
    private final TestingTrinoServer server;
    private final List<TestingTrinoServer> workers = new ArrayList<>();
    private final TestingTrinoClient client;

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
        BenchmarkServer server = new BenchmarkServer(options);
        try {
            server.startWorkers();
            server.createCatalogs(catalogs, data);
            return server;
        }
        catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private BenchmarkServer(ServerOptions options)
    {
        this.options = requireNonNull(options, "options is null");
        QuietLogging.initialize();
        // Without the tracing that DistributedQueryRunner adds to each file access
        server = TestingTrinoServer.builder()
                .setEnvironment(ENVIRONMENT)
                .setProperties(ImmutableMap.<String, String>builder()
                        .putAll(memory())
                        .put("query.client.timeout", "10m")
                        .put("node-scheduler.include-coordinator", String.valueOf(options.workers() == 0))
                        .buildOrThrow())
                .build();
        client = new TestingTrinoClient(server, session(GENERATOR, "tiny").build());
        installPlugins(server);
    }

    /**
     * Returns limits with which a single query may use most of the heap, because queries run one at a time.
     */
    private Map<String, String> memory()
    {
        int nodes = Math.max(1, options.workers());
        return ImmutableMap.of(
                "query.max-memory-per-node", part(0.6 / nodes),
                // All servers have the same heap
                "memory.heap-headroom-per-node", part(1 - 0.8 / nodes));
    }

    private static String part(double part)
    {
        return DataSize.ofBytes((long) (Runtime.getRuntime().maxMemory() * part)).toBytesValueString();
    }

    private void startWorkers()
    {
        for (int i = 0; i < options.workers(); i++) {
            TestingTrinoServer worker = TestingTrinoServer.builder()
                    .setCoordinator(false)
                    .setEnvironment(ENVIRONMENT)
                    .setProperties(ImmutableMap.<String, String>builder()
                            .putAll(memory())
                            .put("discovery.uri", server.getBaseUrl().toString())
                            .buildOrThrow())
                    .build();
            workers.add(worker);
            installPlugins(worker);
        }
        long deadline = System.nanoTime() + MINUTES.toNanos(1);
        while (server.getWorkerCount() < options.workers()) {
            checkState(System.nanoTime() < deadline, "only %s of %s workers announced themselves", server.getWorkerCount(), options.workers());
            server.refreshNodes();
            Uninterruptibles.sleepUninterruptibly(10, MILLISECONDS);
        }
    }

    private void installPlugins(TestingTrinoServer server)
    {
        server.installPlugin(new TpcdsPlugin());
        server.installPlugin(new TpchPlugin());
        server.installPlugin(options.albis());
        server.installPlugin(new IcebergPlugin());
        server.installPlugin(new HivePlugin());
    }

    private void createCatalogs(List<BenchmarkCatalog> catalogs, Path data)
    {
        server.createCatalog(GENERATOR, "tpcds");
        server.createCatalog(TPCH_GENERATOR, "tpch", ImmutableMap.of("tpch.double-type-mapping", "DECIMAL"));
        createCatalog(SOURCE, data);
        catalogs.forEach(catalog -> createCatalog(catalog, data));
    }

    private void createCatalog(BenchmarkCatalog catalog, Path data)
    {
        try {
            Files.createDirectories(catalog.folder(data));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createCatalog(catalog.catalogName(), catalog.connector(), catalog.properties(data));
    }

    /**
     * Runs a statement that prepares or checks a benchmark.
     */
    public MaterializedResult execute(String catalog, String schema, String sql)
    {
        return client.execute(session(catalog, schema).build(), sql).getResult();
    }

    /**
     * Runs a statement of a client whose times are measured by the benchmark.
     *
     * @return the number of rows in the result, or that were written
     */
    public long run(String catalog, String schema, String sql)
    {
        return rows(client.execute(measuredSession(catalog, schema), sql).getResult());
    }

    /**
     * Returns the plan of a measured statement as JSON. It has the exchanges, and is not divided into fragments as the
     * plan that EXPLAIN returns as JSON, which lacks the types of exchanges.
     */
    public String explain(String catalog, String schema, String sql)
    {
        Statement statement = parser.createStatement(sql);
        PlannerContext context = server.getPlannerContext();
        return TransactionBuilder.transaction(server.getTransactionManager(), context.getMetadata(), server.getAccessControl())
                .singleStatement()
                .execute(measuredSession(catalog, schema), session -> {
                    Plan plan = server.getQueryExplainer().getLogicalPlan(session, statement, ImmutableList.of(), WarningCollector.NOOP, createPlanOptimizersStatsCollector());
                    return PlanPrinter.jsonLogicalPlan(plan.getRoot(), session, context.getMetadata(), context.getFunctionManager(), plan.getStatsAndCosts());
                });
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
        Session session = measuredSession(catalog, schema);
        peakHeap.reset();
        long allocated = threads.getTotalThreadAllocatedBytes();
        long processCpu = process.getProcessCpuTime();
        ResultWithQueryId<MaterializedResult> result = client.execute(session, sql);
        processCpu = process.getProcessCpuTime() - processCpu;
        allocated = threads.getTotalThreadAllocatedBytes() - allocated;
        Figures figures = QueryFigures.read(queryInfo(result.getQueryId()));
        figures = figures
                .with(Figure.RESULT_ROWS, rows(result.getResult()))
                .with(Figure.PROCESS_CPU, processCpu)
                .with(Figure.ALLOCATED, allocated)
                .with(Figure.ALLOCATED_PER_ROW, allocated / Math.max(1, figures.get(Figure.ROWS_READ)))
                .with(Figure.PEAK_HEAP, peakHeap.bytes());
        OptionalLong checksum = compared.checksum(result.getResult());
        return checksum.isPresent() ? figures.with(Figure.RESULT_CHECKSUM, checksum.getAsLong()) : figures;
    }

    /**
     * Returns the number of rows in the result, or the number of rows that were written.
     */
    private static long rows(MaterializedResult result)
    {
        return result.getUpdateCount().orElse(result.getRowCount());
    }

    /**
     * Returns the CPU time that the process has taken so far.
     */
    public long processCpuNanos()
    {
        return process.getProcessCpuTime();
    }

    /**
     * Returns whether a statement failed because others wrote to the same table at the same time.
     */
    public boolean isConflict(QueryFailedException failure)
    {
        ErrorCode errorCode = server.getFullQueryInfo(failure.getQueryId()).getErrorCode();
        return errorCode != null && CONFLICTS.contains(errorCode.getName());
    }

    private QueryInfo queryInfo(QueryId queryId)
    {
        // Tasks send their last report shortly after the client has received all rows
        CompletableFuture<QueryInfo> queryInfo = new CompletableFuture<>();
        server.addFinalQueryInfoListener(queryId, queryInfo::complete);
        return queryInfo.orTimeout(1, MINUTES).join();
    }

    private Session measuredSession(String catalog, String schema)
    {
        SessionBuilder session = session(catalog, schema);
        for (SessionProperty property : options.sessionProperties()) {
            property.catalog().ifPresentOrElse(
                    name -> session.setCatalogSessionProperty(name, property.name(), property.value()),
                    () -> session.setSystemProperty(property.name(), property.value()));
        }
        return session.build();
    }

    private SessionBuilder session(String catalog, String schema)
    {
        // Uses the same concurrency as a default server on this machine, because testing servers use settings that
        // expose concurrency bugs
        int concurrency = new TaskManagerConfig().getTaskConcurrency();
        return testSessionBuilder(server.getSessionPropertyManager())
                .setCatalog(catalog)
                .setSchema(schema)
                .setSystemProperty(TASK_CONCURRENCY, Integer.toString(concurrency))
                .setSystemProperty(TASK_MIN_WRITER_COUNT, "1");
    }

    @Override
    public void close()
    {
        try (Closer closer = Closer.create()) {
            // The last one is closed first
            closer.register(server);
            workers.forEach(closer::register);
            closer.register(client);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
