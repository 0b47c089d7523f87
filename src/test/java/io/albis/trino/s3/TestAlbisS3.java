package io.albis.trino.s3;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.s3.S3Gate.Fault;
import io.albis.s3.S3Gate.Operation;
import io.albis.s3.S3Gate.Request;
import io.albis.s3.S3TestServer;
import io.albis.trino.AlbisConnectorFactory;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import static io.albis.s3.S3Gate.Operation.DELETE;
import static io.albis.s3.S3Gate.Operation.GET;
import static io.albis.s3.S3Gate.Operation.HEAD;
import static io.albis.s3.S3Gate.Operation.LIST;
import static io.albis.s3.S3Gate.Operation.PUT;
import static io.albis.s3.S3Gate.Operation.PUT_IF_ABSENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * The requests that queries send to an S3 server, and the results of queries when the server fails.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
@Timeout(300)
class TestAlbisS3
        extends AbstractTestQueryFramework
{
    private S3TestServer server;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        server = closeAfterClass(S3TestServer.start());
        return AlbisQueryRunner.builder()
                .addAlbisProperties(server.catalogProperties("warehouse"))
                .addAlbisProperty("s3.max-error-retries", "2")
                .setWorkerCount(0)
                .build();
    }

    @AfterEach
    void repair()
            throws Exception
    {
        noFaults();
        if (!server.isRunning()) {
            server.restart();
        }
    }

    private void noFaults()
    {
        server.gate().setFaults(_ -> Fault.NONE);
    }

    /**
     * Checks the numbers of requests in docs/s3.md.
     */
    @Test
    void testRequests()
    {
        // Three row groups with one segment each
        assertRequests("CREATE TABLE requests WITH (row_group_rows = 5000) AS SELECT * FROM tpch.tiny.orders", ImmutableMap.of(GET, 1, LIST, 7, PUT, 8, PUT_IF_ABSENT, 2));
        assertRequests("SELECT sum(totalprice) FROM requests", ImmutableMap.of(GET, 10, HEAD, 1, LIST, 2));
        // The manifest and the metadata of column groups are cached
        assertRequests("SELECT sum(totalprice) FROM requests", ImmutableMap.of(GET, 6, HEAD, 1, LIST, 2));
        assertRequests("SELECT count(*) FROM requests", ImmutableMap.of(GET, 3, HEAD, 1, LIST, 2));
        assertRequests("SELECT * FROM requests WHERE orderkey > 1000000", ImmutableMap.of(GET, 3, HEAD, 1, LIST, 2));
        assertRequests("INSERT INTO requests SELECT * FROM tpch.tiny.orders LIMIT 10", ImmutableMap.of(GET, 5, HEAD, 2, LIST, 2, PUT, 4, PUT_IF_ABSENT, 1));
        // The INSERT added a manifest, the metadata of a column group, and a segment
        assertRequests("SELECT sum(totalprice) FROM requests", ImmutableMap.of(GET, 9, HEAD, 1, LIST, 2));
        assertRequests("SHOW TABLES", ImmutableMap.of(LIST, 3));
        assertRequests("DROP TABLE requests", ImmutableMap.of(GET, 8, HEAD, 3, LIST, 4, PUT, 1, PUT_IF_ABSENT, 2));
    }

    /**
     * Checks the table of docs/connector.md about the caches in memory, and prints it.
     */
    @Test
    void testCaches()
            throws IOException
    {
        List<Set<String>> rows = new ArrayList<>();
        QueryRunner queryRunner = getQueryRunner();
        queryRunner.execute("CREATE TABLE caches WITH (row_group_rows = 5000) AS SELECT * FROM tpch.tiny.orders");
        queryRunner.createCatalog("cached", AlbisConnectorFactory.CONNECTOR_NAME, server.catalogProperties("warehouse"));
        queryRunner.createCatalog("uncached", AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                .putAll(server.catalogProperties("warehouse"))
                .put("albis.metadata-cache.max-size", "0B")
                .put("albis.manifest-cache.max-size", "0B")
                .buildOrThrow());
        for (String columns : new String[] {"sum(totalprice)", "*"}) {
            long withoutCaches = measure(rows, "uncached", columns, "first");
            // nothing is kept, so the second query reads the same
            assertThat(measure(rows, "uncached", columns, "repeated")).isEqualTo(withoutCaches);
            if (columns.equals("*")) {
                // the metadata of all columns is in memory since the first query of one of them
                queryRunner.execute("CALL cached.system.flush_metadata_cache()");
            }
            long first = measure(rows, "cached", columns, "first");
            assertThat(first).isEqualTo(withoutCaches);
            assertThat(measure(rows, "cached", columns, "repeated")).isLessThan(first);
        }
        queryRunner.execute("DROP TABLE caches");
        String document = Files.readString(Path.of("docs/connector.md"));
        for (Set<String> row : rows) {
            assertThat(document).containsAnyOf(row.toArray(String[]::new));
        }
    }

    /**
     * Returns the bytes that the server sends for a query.
     */
    private long measure(List<Set<String>> rows, String catalog, String columns, String time)
    {
        server.gate().takeRequests();
        server.gate().takeSentBytes();
        getQueryRunner().execute("SELECT %s FROM %s.tpch.caches".formatted(columns, catalog));
        long bytes = server.gate().takeSentBytes();
        String row = "| `SELECT %s` | %s | %s | ".formatted(columns, catalog.equals("cached") ? "default" : "`0B`", time);
        long kilobytes = Math.round(bytes / 1000.0);
        int requests = server.gate().takeRequests().size();
        System.out.println("Caches: %s%s kB | %s |".formatted(row, kilobytes, requests));
        // Responses with times and sizes are some bytes longer or shorter in another run, so the figure may be rounded
        // to the next one. Which adjacent columns one request reads depends on when the others arrive
        String end = " kB |" + (columns.equals("*") ? "" : " %s |".formatted(requests));
        rows.add(ImmutableSet.of(row + (kilobytes - 1) + end, row + kilobytes + end, row + (kilobytes + 1) + end));
        return bytes;
    }

    @Test
    void testRequestsOfIndexes()
    {
        // one row group with several segments
        assertUpdate("CREATE TABLE indexed_requests WITH (segment_size = '64kB', indexed_by = ARRAY['totalprice']) AS SELECT * FROM tpch.tiny.orders", 15_000);
        String query = "SELECT comment FROM indexed_requests WHERE totalprice = DOUBLE '%s'";
        Object first = computeScalar("SELECT totalprice FROM tpch.tiny.orders WHERE orderkey = 1");
        Object second = computeScalar("SELECT totalprice FROM tpch.tiny.orders WHERE orderkey = 2");
        // the manifest, the metadata of the column group, the directory, the values, the positions, and a run
        assertRequests(query.formatted(first), ImmutableMap.of(GET, 9, HEAD, 1, LIST, 2));
        // the directory is cached as well
        assertRequests(query.formatted(second), ImmutableMap.of(GET, 6, HEAD, 1, LIST, 2));
        assertThat(query(query.formatted(second))).matches("SELECT comment FROM tpch.tiny.orders WHERE orderkey = 2");
        assertThat(computeScalar("SELECT count(*) FROM \"indexed_requests$files\"")).isEqualTo(1L);
        assertUpdate("DROP TABLE indexed_requests");
    }

    private void assertRequests(String query, Map<Operation, Integer> expected)
    {
        server.gate().takeRequests();
        getQueryRunner().execute(query);
        Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
        List<Request> requests = server.gate().takeRequests();
        requests.forEach(request -> counts.merge(request.operation(), 1, Integer::sum));
        assertThat(counts).as("%s: %s", query, requests).isEqualTo(expected);
    }

    /**
     * A server that ignores If-None-Match would lose commits. A server that is down may recover.
     */
    @Test
    void testCatalogStart()
            throws Exception
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .putAll(server.catalogProperties("start"))
                .put("s3.max-error-retries", "1")
                .buildOrThrow();
        QueryRunner queryRunner = getQueryRunner();
        server.gate().setIgnoreConditions(true);
        try {
            assertThatThrownBy(() -> queryRunner.createCatalog("overwritten", AlbisConnectorFactory.CONNECTOR_NAME, properties))
                    .hasStackTraceContaining("Location s3://bucket/start cannot hold Albis tables: its storage overwrites an existing file");
            server.gate().setFaults(request -> request.operation() == PUT || request.operation() == PUT_IF_ABSENT ? Fault.REFUSED : Fault.NONE);
            queryRunner.createCatalog("refused", AlbisConnectorFactory.CONNECTOR_NAME, properties);
            assertQueryReturnsEmptyResult("SHOW SCHEMAS FROM refused LIKE 's'");
            assertQueryFails("CREATE SCHEMA refused.s", "Storage failed: .*");
            noFaults();
            assertQueryFails("CREATE SCHEMA refused.s", "Location s3://bucket/start/s/.schema cannot hold Albis tables: its storage overwrites .*");
            assertQueryReturnsEmptyResult("SHOW SCHEMAS FROM refused LIKE 's'");
        }
        finally {
            server.gate().setIgnoreConditions(false);
        }
        assertUpdate("CREATE SCHEMA refused.s");
        // Drop the requests of the earlier probes
        server.gate().takeRequests();
        queryRunner.createCatalog("asked", AlbisConnectorFactory.CONNECTOR_NAME, properties);
        assertThat(server.gate().takeRequests()).extracting(Request::operation).containsExactly(PUT_IF_ABSENT, PUT_IF_ABSENT, GET, DELETE);
    }

    @Test
    void testTwoWriters()
            throws Exception
    {
        int writers = 3;
        int inserts = 4;
        try (TestTable table = newTrinoTable("test_writers", "(writer integer, number integer)");
                ExecutorService executor = Executors.newFixedThreadPool(writers)) {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int number = writer;
                tasks.add(() -> {
                    for (int insert = 0; insert < inserts; insert++) {
                        getQueryRunner().execute("INSERT INTO %s VALUES (%s, %s)".formatted(table.getName(), number, insert));
                    }
                    return null;
                });
            }
            for (Future<Void> future : executor.invokeAll(tasks)) {
                future.get();
            }
            assertThat(query("SELECT count(*), count(DISTINCT writer * 100 + number) FROM " + table.getName())).matches("VALUES (BIGINT '12', BIGINT '12')");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "BUSY", "LOST_REQUEST"})
    void testStorageThatCannotBeRead(Fault fault)
    {
        try (TestTable table = newTrinoTable("test_read", "AS SELECT * FROM tpch.tiny.nation")) {
            fail(fault, request -> request.operation() == GET && request.path().endsWith("/data"));
            assertQueryFails("SELECT sum(nationkey) FROM " + table.getName(), "(?s)Storage failed: .*/data.*");
            fail(fault, request -> request.operation() == GET && request.path().contains("/versions/"));
            assertQueryFails("SELECT sum(nationkey) FROM " + table.getName(), "(?s)Storage failed: .*/versions/.*");
            noFaults();
            assertQuery("SELECT sum(nationkey) FROM " + table.getName(), "VALUES 300");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "BUSY", "LOST_REQUEST"})
    @Tag("slow")
    void testStorageThatCannotBeWritten(Fault fault)
    {
        try (TestTable table = newTrinoTable("test_write", "AS SELECT * FROM tpch.tiny.nation")) {
            String insert = "INSERT INTO %s TABLE tpch.tiny.nation".formatted(table.getName());
            String delete = "DELETE FROM %s WHERE regionkey = 2".formatted(table.getName());
            fail(fault, request -> request.operation() == PUT && request.path().contains("/deletes/"));
            assertQueryFails(delete, "(?s)Storage failed: .*/deletes/.*");
            fail(fault, request -> request.operation() == PUT && request.path().endsWith("/data"));
            assertQueryFails(insert, "(?s)Storage failed: .*/data.*");
            assertQueryFails("CREATE TABLE not_created AS TABLE tpch.tiny.nation", "(?s)Storage failed: .*/data.*");
            fail(fault, request -> request.operation() == PUT && request.path().contains("/manifests/"));
            assertQueryFails(insert, "(?s)Storage failed: .*/manifests/.*");
            assertQueryFails("CREATE TABLE not_created AS TABLE tpch.tiny.nation", "(?s)Storage failed: .*/manifests/.*");
            fail(fault, request -> request.operation() == PUT_IF_ABSENT);
            assertQueryFails(insert, "(?s)The storage failed while .* was written, and it is unknown whether the file exists. The storage said: Put failed for .*");
            noFaults();
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 25");
            assertQueryReturnsEmptyResult("SHOW TABLES LIKE 'not_created'");
            assertUpdate(insert, 25);
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 50");
            assertUpdate(delete, 10);
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 40");
        }
    }

    /**
     * Trino's client waits before it retries.
     */
    @Test
    @Tag("slow")
    void testServerIsBusyAtEveryFirstRequest()
    {
        assertRetried(Fault.BUSY);
    }

    /**
     * Trino's client retries, and Albis recognizes its own files after a lost response.
     */
    @ParameterizedTest
    @EnumSource(names = {"LOST_REQUEST", "LOST_RESPONSE"})
    void testEveryFirstRequestFails(Fault fault)
    {
        assertRetried(fault);
    }

    private void assertRetried(Fault fault)
    {
        Map<Request, AtomicInteger> counts = new ConcurrentHashMap<>();
        server.gate().setFaults(request -> counts.computeIfAbsent(request, _ -> new AtomicInteger()).getAndIncrement() == 0 ? fault : Fault.NONE);
        try (TestTable table = newTrinoTable("test_first", "AS SELECT * FROM tpch.tiny.nation")) {
            assertUpdate("INSERT INTO %s TABLE tpch.tiny.nation".formatted(table.getName()), 25);
            assertQuery("SELECT count(*), sum(nationkey) FROM " + table.getName(), "VALUES (50, 600)");
            assertUpdate("UPDATE %s SET nationkey = nationkey + 1 WHERE regionkey = 1".formatted(table.getName()), 10);
            assertUpdate("DELETE FROM %s WHERE regionkey = 2".formatted(table.getName()), 10);
            assertQuery("SELECT count(*), sum(nationkey) FROM " + table.getName(), "VALUES (40, 474)");
        }
    }

    @Test
    @Tag("slow")
    void testServerIsKilledDuringScan()
            throws Exception
    {
        try (TestTable table = newTrinoTable("test_killed", "WITH (row_group_rows = 1000) AS SELECT * FROM tpch.tiny.orders")) {
            String sql = "SELECT count(*), sum(orderkey) FROM " + table.getName();
            MaterializedResult expected = computeActual("SELECT count(*), sum(orderkey) FROM tpch.tiny.orders");
            strikeAtFirst(request -> request.operation() == GET && request.path().endsWith("/data"), server::restart);
            assertThat(computeActual(sql)).isEqualTo(expected);
            strikeAtFirst(request -> request.operation() == GET && request.path().endsWith("/data"), server::kill);
            assertQueryFails(sql, "(?s)Storage failed: .*/data.*");
            server.restart();
            assertThat(computeActual(sql)).isEqualTo(expected);
        }
    }

    @Test
    void testServerIsKilledDuringCommit()
            throws Exception
    {
        try (TestTable table = newTrinoTable("test_killed", "AS SELECT * FROM tpch.tiny.nation")) {
            String insert = "INSERT INTO %s TABLE tpch.tiny.nation".formatted(table.getName());
            strikeAtFirst(request -> request.operation() == PUT_IF_ABSENT, server::restart);
            assertUpdate(insert, 25);
            strikeAtFirst(request -> request.operation() == PUT_IF_ABSENT, server::kill);
            assertQueryFails(insert, "(?s)The storage failed while .* was written, and it is unknown whether the file exists.*");
            server.restart();
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 50");
            assertUpdate(insert, 25);
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 75");
        }
    }

    private interface Strike
    {
        void run()
                throws Exception;
    }

    /**
     * Strikes before the server receives the first of these requests, while the others wait.
     */
    private void strikeAtFirst(Predicate<Request> requests, Strike strike)
    {
        AtomicBoolean struck = new AtomicBoolean();
        ReentrantLock lock = new ReentrantLock();
        server.gate().setFaults(request -> {
            lock.lock();
            try {
                if (requests.test(request) && struck.compareAndSet(false, true)) {
                    strike.run();
                }
            }
            catch (Exception e) {
                throw new IllegalStateException(e);
            }
            finally {
                lock.unlock();
            }
            return Fault.NONE;
        });
    }

    private void fail(Fault fault, Predicate<Request> requests)
    {
        server.gate().setFaults(request -> requests.test(request) ? fault : Fault.NONE);
    }
}
