package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.jdbc.QueryStats;
import io.trino.jdbc.TrinoResultSet;
import io.trino.jdbc.TrinoStatement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests several server processes on HDFS, which behave like servers on several machines, under faults.
 */
@Tag("server")
@Tag("slow")
final class TestClusterFaults
{
    // Makes the query run long enough to kill a worker in the middle of it
    private static final int REPEAT = 500;
    private static final Pattern FAILED_TASKS = Pattern.compile("\"failedTasks\"\\s*:\\s*(\\d+)");

    @TempDir
    Path home;

    @Test
    void testWorkerKilledInQuery()
            throws Exception
    {
        Installation installation = TestingCluster.install(home);
        Path exchange = home.resolve("exchange-manager.properties");
        writeString(exchange, new PropertiesText("").with(ImmutableMap.of(
                "exchange-manager.name", "filesystem",
                "exchange.base-directories", createDirectories(home.resolve("exchange")).toString())).text());
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("retry-policy", "TASK")
                .put("exchange-manager.config-file", exchange.toString())
                // The nodes have little memory
                .put("fault-tolerant-execution-task-memory", "100MB")
                .put("fault-tolerant-execution-coordinator-task-memory", "50MB")
                // Splits this small table into many tasks
                .put("fault-tolerant-execution-arbitrary-distribution-compute-task-target-size-min", "1MB")
                .put("fault-tolerant-execution-arbitrary-distribution-compute-task-target-size-max", "1MB")
                // The time after which the tasks of an unresponsive node are moved to other nodes
                .put("query.remote-task.max-error-duration", "10s")
                .buildOrThrow();
        try (TestingHdfs hdfs = TestingHdfs.start(home.resolve("hdfs"));
                TestingCluster cluster = TestingCluster.launch(installation, "cluster", 2, properties, hdfs.catalog()).awaitReady()) {
            TestingClient loading = cluster.client().with("retry_policy", "NONE");
            loading.execute("CREATE SCHEMA albis.test");
            loading.execute("CREATE TABLE albis.test.items WITH (row_group_rows = 2000) AS SELECT orderkey, returnflag FROM tpch.tiny.lineitem");

            AtomicBoolean killed = new AtomicBoolean();
            List<String> rows = new ArrayList<>();
            String queryId;
            try (Connection connection = cluster.client().connect();
                    TrinoStatement statement = connection.createStatement().unwrap(TrinoStatement.class)) {
                statement.setProgressMonitor(stats -> {
                    if (!killed.get() && isInTheMiddle(stats) && hasTask(cluster, cluster.worker(1), stats.getQueryId())) {
                        killed.set(true);
                        kill(cluster.worker(1));
                    }
                });
                try (ResultSet results = statement.executeQuery(
                        """
                        SELECT concat_ws(' ', returnflag, CAST(count(*) AS varchar), CAST(sum(orderkey * n) AS varchar))
                        FROM albis.test.items CROSS JOIN UNNEST(sequence(1, %s)) AS t(n)
                        GROUP BY returnflag
                        """.formatted(REPEAT))) {
                    while (results.next()) {
                        rows.add(results.getString(1));
                    }
                    queryId = results.unwrap(TrinoResultSet.class).getQueryId();
                }
            }
            assertThat(killed.get()).as("a worker was killed").isTrue();
            assertThat(failedTasks(cluster.client().uri(), queryId)).as("tasks of the killed worker").isPositive();

            List<String> expected = cluster.client().with("retry_policy", "NONE").query(
                    """
                    SELECT concat_ws(' ', returnflag, CAST(count(*) * %1$s AS varchar), CAST(sum(orderkey) * %1$s * (%1$s + 1) / 2 AS varchar))
                    FROM tpch.tiny.lineitem
                    GROUP BY returnflag
                    """.formatted(REPEAT));
            assertThat(expected).hasSize(3);
            assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void testTwoCoordinatorsLoadOneTable()
            throws Exception
    {
        int rounds = 10;
        Installation installation = TestingCluster.install(home);
        try (TestingHdfs hdfs = TestingHdfs.start(home.resolve("hdfs"));
                TestingCluster first = TestingCluster.launch(installation, "first", 1, ImmutableMap.of(), hdfs.catalog());
                TestingCluster second = TestingCluster.launch(installation, "second", 0, ImmutableMap.of(), hdfs.catalog());
                ExecutorService executor = Executors.newFixedThreadPool(4)) {
            List<TestingClient> clients = ImmutableList.of(first.awaitReady().client(), second.awaitReady().client());
            clients.getFirst().execute("CREATE SCHEMA albis.test");

            // Exactly one of the two clients creates the table
            List<Future<?>> creations = submit(executor, clients, 1, (client, _) -> client.execute("CREATE TABLE albis.test.orders (loader integer, round integer, orderkey bigint)"));
            List<Throwable> failures = new ArrayList<>();
            for (Future<?> creation : creations) {
                try {
                    creation.get();
                }
                catch (ExecutionException e) {
                    failures.add(e.getCause());
                }
            }
            assertThat(failures).hasSize(1);
            assertThat(failures.getFirst()).hasMessageContaining("already exists");

            // The rows that both clients insert are kept
            List<Future<?>> loads = submit(executor, clients, 2, (client, loader) -> {
                for (int round = 0; round < rounds; round++) {
                    client.execute("INSERT INTO albis.test.orders SELECT %s, %s, orderkey FROM tpch.tiny.orders WHERE orderkey %% 50 = %s".formatted(loader, round, loader));
                }
            });
            for (Future<?> load : loads) {
                load.get();
            }
            List<String> expected = clients.getFirst().query(
                    """
                    SELECT concat_ws(' ', CAST(loader AS varchar), CAST(round AS varchar), CAST(count(*) AS varchar), CAST(sum(orderkey) AS varchar))
                    FROM tpch.tiny.orders
                    CROSS JOIN UNNEST(sequence(0, 3)) AS l(loader)
                    CROSS JOIN UNNEST(sequence(0, %s)) AS r(round)
                    WHERE orderkey %% 50 = loader
                    GROUP BY loader, round
                    """.formatted(rounds - 1));
            assertThat(expected).hasSize(4 * rounds);
            for (TestingClient client : clients) {
                assertThat(client.query(
                        """
                        SELECT concat_ws(' ', CAST(loader AS varchar), CAST(round AS varchar), CAST(count(*) AS varchar), CAST(sum(orderkey) AS varchar))
                        FROM albis.test.orders
                        GROUP BY loader, round
                        """)).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    private interface Work
    {
        void run(TestingClient client, int number)
                throws Exception;
    }

    /**
     * Runs the work on each client the given number of times in parallel, with a unique number for each run.
     */
    private static List<Future<?>> submit(ExecutorService executor, List<TestingClient> clients, int times, Work work)
    {
        ImmutableList.Builder<Future<?>> futures = ImmutableList.builder();
        int next = 0;
        for (TestingClient client : clients) {
            for (int time = 0; time < times; time++) {
                int number = next;
                Callable<Void> task = () -> {
                    work.run(client, number);
                    return null;
                };
                futures.add(executor.submit(task));
                next++;
            }
        }
        return futures.build();
    }

    private static boolean isInTheMiddle(QueryStats stats)
    {
        return stats.getCompletedSplits() > 0 && stats.getProcessedRows() > 0 && stats.getRunningSplits() + stats.getQueuedSplits() > 2;
    }

    private static boolean hasTask(TestingCluster cluster, TestingNode worker, String queryId)
    {
        try {
            return !cluster.client().with("retry_policy", "NONE").query(
                    """
                    SELECT task_id
                    FROM system.runtime.tasks t JOIN system.runtime.nodes n ON t.node_id = n.node_id
                    WHERE t.query_id = '%s' AND t.state = 'RUNNING' AND n.http_uri = '%s'
                    """.formatted(queryId, worker.client().uri())).isEmpty();
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void kill(TestingNode worker)
    {
        try {
            worker.kill();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static int failedTasks(URI uri, String queryId)
            throws IOException, InterruptedException
    {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(uri.resolve("/v1/query/" + queryId))
                    .header("X-Trino-User", "test")
                    .build();
            String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Matcher matcher = FAILED_TASKS.matcher(body);
            int failed = 0;
            // The response contains this number for the query and for each of its stages
            while (matcher.find()) {
                failed = Math.max(failed, Integer.parseInt(matcher.group(1)));
            }
            return failed;
        }
    }
}
