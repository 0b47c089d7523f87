package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Closer;
import com.google.common.util.concurrent.Uninterruptibles;
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
import io.trino.testing.ResultWithQueryId;
import io.trino.testing.TestingTrinoClient;
import io.trino.testing.TransactionBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkState;
import static io.trino.SystemSessionProperties.TASK_CONCURRENCY;
import static io.trino.SystemSessionProperties.TASK_MIN_WRITER_COUNT;
import static io.trino.execution.querystats.PlanOptimizersStatsCollector.createPlanOptimizersStatsCollector;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Servers in this process. A coordinator without workers also runs tasks.
 */
final class EmbeddedServers
        implements TrinoServers
{
    private static final String ENVIRONMENT = "benchmarks";

    private final SqlParser parser = new SqlParser();
    private final ThisProcess process = new ThisProcess();
    private final ServerOptions options;
    private final TestingTrinoServer server;
    private final List<TestingTrinoServer> workers = new ArrayList<>();
    private final TestingTrinoClient client;

    /**
     * Starts the servers.
     */
    public static EmbeddedServers start(List<ServerCatalog> catalogs, ServerOptions options)
    {
        EmbeddedServers servers = new EmbeddedServers(options);
        try {
            servers.startWorkers();
            catalogs.forEach(catalog -> servers.server.createCatalog(catalog.name(), catalog.connector(), catalog.properties()));
            return servers;
        }
        catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private EmbeddedServers(ServerOptions options)
    {
        this.options = requireNonNull(options, "options is null");
        QuietLogging.initialize();
        // Without the tracing that DistributedQueryRunner adds to each file access
        server = TestingTrinoServer.builder()
                .setEnvironment(ENVIRONMENT)
                .setProperties(ImmutableMap.<String, String>builder()
                        .putAll(ServerMemory.properties(Runtime.getRuntime().maxMemory(), options.taskServers()))
                        .put("query.client.timeout", "10m")
                        .put("node-scheduler.include-coordinator", String.valueOf(options.workers() == 0))
                        .buildOrThrow())
                .build();
        client = new TestingTrinoClient(server, session().build());
        installPlugins(server);
    }

    private void startWorkers()
    {
        for (int i = 0; i < options.workers(); i++) {
            TestingTrinoServer worker = TestingTrinoServer.builder()
                    .setCoordinator(false)
                    .setEnvironment(ENVIRONMENT)
                    .setProperties(ImmutableMap.<String, String>builder()
                            .putAll(ServerMemory.properties(Runtime.getRuntime().maxMemory(), options.taskServers()))
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

    @Override
    public ResultWithQueryId<MaterializedResult> execute(StatementSession session, String sql)
    {
        return client.execute(session(session), sql);
    }

    @Override
    public Figures figures(QueryId queryId)
    {
        // Tasks send their last report shortly after the client has received all rows
        CompletableFuture<QueryInfo> queryInfo = new CompletableFuture<>();
        server.addFinalQueryInfoListener(queryId, queryInfo::complete);
        return QueryFigures.read(queryInfo.orTimeout(1, MINUTES).join());
    }

    @Override
    public Optional<String> errorName(QueryId queryId)
    {
        return Optional.ofNullable(server.getFullQueryInfo(queryId).getErrorCode()).map(ErrorCode::getName);
    }

    @Override
    public String explain(StatementSession statementSession, String sql)
    {
        Statement statement = parser.createStatement(sql);
        PlannerContext context = server.getPlannerContext();
        return TransactionBuilder.transaction(server.getTransactionManager(), context.getMetadata(), server.getAccessControl())
                .singleStatement()
                .execute(session(statementSession), session -> {
                    Plan plan = server.getQueryExplainer().getLogicalPlan(session, statement, ImmutableList.of(), WarningCollector.NOOP, createPlanOptimizersStatsCollector());
                    return PlanPrinter.jsonLogicalPlan(plan.getRoot(), session, context.getMetadata(), context.getFunctionManager(), plan.getStatsAndCosts());
                });
    }

    @Override
    public ProcessUsage usage()
    {
        return process.usage();
    }

    @Override
    public void resetPeakHeap()
    {
        process.resetPeakHeap();
    }

    private Session session(StatementSession session)
    {
        SessionBuilder builder = session()
                .setCatalog(session.catalog())
                .setSchema(session.schema());
        for (SessionProperty property : session.properties()) {
            property.catalog().ifPresentOrElse(
                    name -> builder.setCatalogSessionProperty(name, property.name(), property.value()),
                    () -> builder.setSystemProperty(property.name(), property.value()));
        }
        return builder.build();
    }

    private SessionBuilder session()
    {
        // Uses the same concurrency as a default server on this machine, because testing servers use settings that
        // expose concurrency bugs
        int concurrency = new TaskManagerConfig().getTaskConcurrency();
        return testSessionBuilder(server.getSessionPropertyManager())
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
