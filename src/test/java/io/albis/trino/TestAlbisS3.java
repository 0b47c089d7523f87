package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.s3.S3Gate.Fault;
import io.albis.s3.S3Gate.Operation;
import io.albis.s3.S3Gate.Request;
import io.albis.s3.S3TestServer;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import static io.albis.s3.S3Gate.Operation.GET;
import static io.albis.s3.S3Gate.Operation.HEAD;
import static io.albis.s3.S3Gate.Operation.PUT;
import static io.albis.s3.S3Gate.Operation.PUT_IF_ABSENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * What queries ask of an S3 server, and what becomes of them when it fails.
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
    void noFaults()
    {
        server.gate().setFaults(_ -> Fault.NONE);
    }

    @Test
    void testRequests()
    {
        assertRequests("CREATE TABLE requests AS SELECT * FROM tpch.tiny.nation", ImmutableMap.of(GET, 2, HEAD, 1, PUT, 4, PUT_IF_ABSENT, 2));
        assertUpdate("DROP TABLE requests");
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

    @Test
    void testStorageThatCannotBeRead()
    {
        try (TestTable table = newTrinoTable("test_read", "AS SELECT * FROM tpch.tiny.nation")) {
            for (Fault fault : ImmutableList.of(Fault.REFUSED, Fault.BUSY, Fault.LOST_REQUEST)) {
                fail(fault, request -> request.operation() == GET && request.path().endsWith("/data"));
                assertQueryFails("SELECT sum(nationkey) FROM " + table.getName(), "(?s)Storage failed: .*/data.*");
                fail(fault, request -> request.operation() == GET && request.path().contains("/versions/"));
                assertQueryFails("SELECT sum(nationkey) FROM " + table.getName(), "(?s)Storage failed: .*/versions/.*");
                noFaults();
                assertQuery("SELECT sum(nationkey) FROM " + table.getName(), "VALUES 300");
            }
        }
    }

    @Test
    void testStorageThatCannotBeWritten()
    {
        for (Fault fault : ImmutableList.of(Fault.REFUSED, Fault.BUSY, Fault.LOST_REQUEST)) {
            try (TestTable table = newTrinoTable("test_write", "AS SELECT * FROM tpch.tiny.nation")) {
                String insert = "INSERT INTO %s TABLE tpch.tiny.nation".formatted(table.getName());
                fail(fault, request -> request.operation() == PUT && request.path().endsWith("/data"));
                assertQueryFails(insert, "(?s)Storage failed: .*/data.*");
                assertQueryFails("CREATE TABLE not_created AS TABLE tpch.tiny.nation", "(?s)Storage failed: .*/data.*");
                fail(fault, request -> request.operation() == PUT && request.path().contains("/manifests/"));
                assertQueryFails(insert, "(?s)Storage failed: .*/manifests/.*");
                assertQueryFails("CREATE TABLE not_created AS TABLE tpch.tiny.nation", "(?s)Storage failed: .*/manifests/.*");
                fail(fault, request -> request.operation() == PUT_IF_ABSENT);
                assertQueryFails(insert, "(?s)The storage failed while .* was written, and it is not known whether it is there: Put failed for .*");
                noFaults();
                assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 25");
                assertQueryReturnsEmptyResult("SHOW TABLES LIKE 'not_created'");
                assertUpdate(insert, 25);
                assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 50");
            }
        }
    }

    /**
     * Trino's client tries again, and what it loses it finds.
     */
    @Test
    void testEveryFirstRequestFails()
    {
        for (Fault fault : ImmutableList.of(Fault.BUSY, Fault.LOST_REQUEST, Fault.LOST_RESPONSE)) {
            Map<Request, AtomicInteger> counts = new ConcurrentHashMap<>();
            server.gate().setFaults(request -> counts.computeIfAbsent(request, _ -> new AtomicInteger()).getAndIncrement() == 0 ? fault : Fault.NONE);
            try (TestTable table = newTrinoTable("test_first", "AS SELECT * FROM tpch.tiny.nation")) {
                assertUpdate("INSERT INTO %s TABLE tpch.tiny.nation".formatted(table.getName()), 25);
                assertQuery("SELECT count(*), sum(nationkey) FROM " + table.getName(), "VALUES (50, 600)");
            }
        }
    }

    private void fail(Fault fault, Predicate<Request> requests)
    {
        server.gate().setFaults(request -> requests.test(request) ? fault : Fault.NONE);
    }
}
