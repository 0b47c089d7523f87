package io.albis.launcher.docker;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Container;
import com.google.common.collect.ImmutableList;
import io.albis.launcher.docker.TestingDockerCluster.HdfsRun;
import io.albis.launcher.tpcds.Progress;
import io.albis.launcher.tpcds.QueryText;
import io.albis.launcher.tpcds.Scale;
import io.albis.launcher.tpcds.TpcdsBenchmark;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.getPosixFilePermissions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests tables on HDFS with three DataNodes, two replicas of each block, and two workers, all in containers. The tests
 * compare the results of the TPC-DS queries and stop containers that are in use.
 */
@Tag("container")
@ExtendWith(DockerCondition.class)
@TestInstance(PER_CLASS)
// No test waits longer than Trino and HDFS do before they give up
@Timeout(600)
class TestDockerCluster
{
    private static final int NODES = 3;
    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(4);
    private static final int MOST_SCANS = 64;
    private static final String SOURCE = "tpcds.tiny.store_sales";
    private static final String TABLE = "albis.faults.sales";
    // The second message names the worker whose results could not be closed
    private static final String WORKER_GONE = "(?s).*(The node may have crashed|Error closing remote buffer).*";
    private static final String STORAGE_GONE = "(?s).*hdfs://namenode.*";

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private Path directory;
    private TestingDockerCluster cluster;
    private Queries queries;
    private List<String> sums;

    @BeforeAll
    void start(@TempDir Path directory)
            throws IOException, InterruptedException, SQLException
    {
        this.directory = directory;
        cluster = TestingDockerCluster.start(directory);
        queries = new Queries(cluster.uri());
        await("the servers have found each other", () -> activeNodes() == NODES);
        new TpcdsBenchmark(cluster.uri(), Scale.TINY, new Progress(System.out, false)).load(true);
        // Writes enough files that each DataNode stores some of their blocks
        queries.execute("CREATE SCHEMA albis.faults");
        queries.execute("CREATE TABLE %s WITH (row_group_rows = 2000) AS SELECT * FROM %s".formatted(TABLE, SOURCE));
        sums = queries.rows(scans(SOURCE, 1));
    }

    @AfterAll
    void stop()
    {
        executor.shutdownNow();
        if (cluster != null) {
            cluster.close();
        }
    }

    /**
     * Returns a sixth of the queries, different ones in each run, because each takes seconds on a machine that runs
     * seven containers.
     */
    static List<Integer> tpcdsQueries()
    {
        long seed = Long.getLong("tpcds.seed", System.nanoTime());
        List<Integer> queries = new ArrayList<>(IntStream.rangeClosed(1, 99).filter(query -> query != 12 && query != 90).boxed().toList());
        Collections.shuffle(queries, new Random(seed));
        List<Integer> some = queries.subList(0, queries.size() / 6);
        System.out.println("Queries of TPC-DS in containers, with -Dtpcds.seed=%s: %s".formatted(seed, some));
        return some;
    }

    @ParameterizedTest
    @MethodSource("tpcdsQueries")
    void testTpcds(int query)
            throws SQLException
    {
        List<String> actual = queries.rows(QueryText.load(query, "albis", Scale.TINY.target()));
        List<String> expected = queries.rows(QueryText.load(query, "tpcds", Scale.TINY.schema()));
        if (!actual.equals(expected)) {
            // Rows with equal ORDER BY columns may be returned in any order
            assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 90})
    void testTpcdsQueryThatDividesByZero(int query)
    {
        for (String schema : ImmutableList.of("albis." + Scale.TINY.target(), "tpcds." + Scale.TINY.schema())) {
            String sql = QueryText.load(query, schema.substring(0, schema.indexOf('.')), schema.substring(schema.indexOf('.') + 1));
            assertThatThrownBy(() -> queries.rows(sql)).as(schema).hasMessageContaining("Division by zero");
        }
    }

    @Test
    void testContainersAreConfined()
    {
        assertThat(cluster.hostConfigurations()).hasSize(7).allSatisfy(configuration -> {
            assertThat(configuration.getCapDrop()).containsExactly(Capability.ALL);
            assertThat(configuration.getSecurityOpts()).contains("no-new-privileges:true");
            assertThat(configuration.getMemory()).isPositive();
            assertThat(configuration.getLogConfig().getConfig()).containsEntry("max-size", "10m").containsEntry("max-file", "3");
        });
    }

    /**
     * Tests a folder of the NameNode that is not mounted, while the DataNodes have data.
     */
    @Test
    void testNameNodeDoesNotFormatEmptyFolder()
            throws IOException, InterruptedException
    {
        assertThat(directory.resolve("datanode1")).isNotEmptyDirectory();
        Path empty = createDirectories(directory.resolve("not-mounted"));
        HdfsRun run = TestingDockerCluster.runHdfs(empty, "namenode");
        assertThat(run.output()).contains("The folder of the NameNode has no file system.");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(empty).isEmptyDirectory();
    }

    /**
     * Tests what formatting leaves if the disk is full before the image is complete: a NameNode does not start with it,
     * and another formatting does not delete it, because a running one may be writing it.
     */
    @Test
    void testFormattingThatDidNotEnd()
            throws IOException, InterruptedException
    {
        Path folder = createDirectories(directory.resolve("not-complete"));
        TestingDockerCluster.format(folder);
        Path image = folder.resolve("current/fsimage_0000000000000000000");
        Files.move(image, folder.resolve("current/fsimage.ckpt_0000000000000000000"));
        assertThat(TestingDockerCluster.runHdfs(folder, "namenode").output()).contains("The folder of the NameNode has no file system.");

        HdfsRun run = TestingDockerCluster.runHdfs(folder, "format");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("Formatting the folder of the NameNode did not end");
        assertThat(image).doesNotExist();
    }

    @Test
    void testFoldersOfDataNodesArePrivate()
            throws IOException
    {
        assertThat(getPosixFilePermissions(directory.resolve("datanode1"))).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void testWorkerKilled()
            throws Exception
    {
        String worker = cluster.containers("worker").getFirst().getId();
        Fault fault = new Fault(
                () -> cluster.kill(worker),
                () -> {
                    cluster.start(worker);
                    await("the worker is back", () -> activeNodes() == NODES && acceptsTasks());
                });
        try (fault) {
            assertRightOrClear(duringScan(fault), WORKER_GONE);
            await("the coordinator knows that the worker is gone", () -> activeNodes() == NODES - 1);
            assertReads();
            assertWrites();
        }
        assertReads();
    }

    @Test
    void testDataNodePaused()
            throws Exception
    {
        Container node = dataNode("datanode1");
        assertOutage(node, () -> cluster.pause(node.getId()), () -> cluster.unpause(node.getId()));
    }

    @Test
    void testDataNodeCutOff()
            throws Exception
    {
        Container node = dataNode("datanode2");
        assertOutage(node, () -> cluster.cutOff(node), () -> cluster.reconnect(node));
    }

    @Test
    void testDataNodeKilled()
            throws Exception
    {
        Container node = dataNode("datanode3");
        assertOutage(node, () -> cluster.kill(node.getId()), () -> cluster.start(node.getId()));
    }

    private Container dataNode(String service)
    {
        return cluster.containers(service).stream().collect(onlyElement());
    }

    /**
     * Tests that another DataNode with a replica serves the blocks of the one that is unavailable.
     */
    private void assertOutage(Container node, Fault.Action begin, Fault.Action end)
            throws Exception
    {
        Fault fault = new Fault(
                begin,
                () -> {
                    end.run();
                    await("the DataNode is back", () -> cluster.isReachable(node));
                });
        try (fault) {
            assertRightOrClear(duringScan(fault), STORAGE_GONE);
            assertReads();
            assertWrites();
        }
        assertReads();
        assertWrites();
    }

    /**
     * Returns whether all workers accept tasks. A worker announces itself before it does.
     */
    private boolean acceptsTasks()
            throws SQLException
    {
        try {
            queries.rows(scans(TABLE, 1));
            return true;
        }
        catch (SQLException e) {
            if (!e.getMessage().contains("Trino server is still initializing")) {
                throw e;
            }
            return false;
        }
    }

    private void assertReads()
            throws SQLException
    {
        assertThat(queries.rows(scans(TABLE, 1))).isEqualTo(sums);
    }

    /**
     * Tests that writes during a fault either succeed completely, or fail without a trace and succeed when they are
     * retried.
     */
    private void assertWrites()
            throws SQLException
    {
        queries.execute("DROP TABLE IF EXISTS albis.faults.copy");
        String create = "CREATE TABLE albis.faults.copy AS SELECT * FROM " + SOURCE;
        if (!writes(create) && queries.rows("SHOW TABLES FROM albis.faults LIKE 'copy'").isEmpty()) {
            queries.execute(create);
        }
        assertThat(queries.rows(scans("albis.faults.copy", 1))).isEqualTo(sums);

        String insert = "INSERT INTO albis.faults.copy SELECT * FROM " + SOURCE;
        if (!writes(insert) && queries.rows(scans("albis.faults.copy", 1)).equals(sums)) {
            queries.execute(insert);
        }
        assertThat(queries.rows(scans("albis.faults.copy", 1))).isEqualTo(queries.rows(scans(SOURCE, 2)));
    }

    private boolean writes(String sql)
    {
        try {
            queries.execute(sql);
            return true;
        }
        catch (SQLException e) {
            System.out.println("Failed: %s: %s".formatted(sql, e.getMessage()));
            assertThat(e.getMessage()).matches(STORAGE_GONE);
            return false;
        }
    }

    private static void assertRightOrClear(Outcome outcome, String clear)
    {
        if (outcome.failure().isEmpty()) {
            assertThat(outcome.rows()).isEqualTo(outcome.expected());
        }
        else {
            System.out.println("A scan that was running at that time failed: " + outcome.failure().orElseThrow().getMessage());
            assertThat(outcome.failure().orElseThrow().getMessage()).matches(clear);
        }
    }

    /**
     * Injects a fault in the middle of a scan and returns the outcome of the scan.
     */
    private Outcome duringScan(Fault fault)
            throws Exception
    {
        for (int count = 4; count <= MOST_SCANS; count *= 2) {
            String sql = scans(TABLE, count);
            List<String> expected = queries.rows(scans(SOURCE, count));
            Future<List<String>> scan = executor.submit(() -> queries.rows(sql));
            await("the scan has read something", () -> scan.isDone() || readSplits() > 0);
            fault.begin();
            if (!scan.isDone()) {
                try {
                    return new Outcome(scan.get(), expected, Optional.empty());
                }
                catch (ExecutionException e) {
                    return new Outcome(ImmutableList.of(), expected, Optional.of((SQLException) e.getCause()));
                }
            }
            // The scan finished before the fault
            fault.close();
            assertThat(scan.get()).isEqualTo(expected);
        }
        throw new AssertionError("A scan of %s times the table is too fast for a fault".formatted(MOST_SCANS));
    }

    private static String scans(String table, int count)
    {
        String scan = "SELECT ss_item_sk, ss_ticket_number, ss_customer_sk, ss_sold_date_sk, ss_list_price, ss_net_profit FROM " + table;
        return "SELECT count(*), checksum(ss_item_sk), checksum(ss_ticket_number), checksum(ss_customer_sk), checksum(ss_sold_date_sk), sum(ss_list_price), sum(ss_net_profit) FROM (%s)".formatted(
                String.join(" UNION ALL ", Collections.nCopies(count, scan)));
    }

    /**
     * Returns the number of splits that the running scans have completed.
     */
    private long readSplits()
            throws SQLException
    {
        return number("SELECT sum(t.completed_splits) FROM system.runtime.tasks t JOIN system.runtime.queries q ON t.query_id = q.query_id " +
                "WHERE q.state = 'RUNNING' AND q.query LIKE 'SELECT count(*), checksum(ss_item_sk)%'");
    }

    private long activeNodes()
            throws SQLException
    {
        return number("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'");
    }

    private long number(String sql)
            throws SQLException
    {
        String value = queries.rows(sql).stream().collect(onlyElement());
        return value.equals("NULL") ? 0 : Long.parseLong(value);
    }

    private static void await(String what, Callable<Boolean> condition)
            throws InterruptedException
    {
        long start = System.nanoTime();
        Exception failure = null;
        while (System.nanoTime() - start < RECOVERY_LIMIT.toNanos()) {
            try {
                if (condition.call()) {
                    return;
                }
            }
            catch (Exception e) {
                // Expected while a server is unavailable
                failure = e;
            }
            Thread.sleep(200);
        }
        throw new AssertionError("Not within %s: %s".formatted(RECOVERY_LIMIT, what), failure);
    }

    private record Outcome(List<String> rows, List<String> expected, Optional<SQLException> failure) {}
}
