package io.albis.trino;

import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

final class TestAlbisInsert
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(TpchTable.getTables())
                .build();
    }

    @Test
    void testMissingColumns()
    {
        try (TestTable table = newTrinoTable("test_missing", "(a bigint, b varchar, c double)")) {
            assertUpdate("INSERT INTO " + table.getName() + " (c, a) VALUES (1.5, 2)", 1);
            assertQuery("SELECT a, b, c FROM " + table.getName(), "VALUES (2, NULL, 1.5)");
        }
    }

    @Test
    void testNotNull()
    {
        try (TestTable table = newTrinoTable("test_not_null", "(a bigint NOT NULL, b varchar)")) {
            assertUpdate("INSERT INTO " + table.getName() + " VALUES (1, NULL)", 1);
            assertQueryFails("INSERT INTO " + table.getName() + " VALUES (NULL, 'x')", "NULL value not allowed for NOT NULL column: a");
            assertQueryFails("INSERT INTO " + table.getName() + " (b) VALUES ('x')", "NULL value not allowed for NOT NULL column: a");
            assertQueryFails("INSERT INTO " + table.getName() + " SELECT nullif(orderkey, 7), clerk FROM orders", "NULL value not allowed for NOT NULL column: a");
            assertQuery("TABLE " + table.getName(), "VALUES (1, NULL)");
        }
    }

    @Test
    void testInsertFromItself()
    {
        try (TestTable table = newTrinoTable("test_self", "AS SELECT orderkey FROM orders")) {
            assertUpdate("INSERT INTO " + table.getName() + " TABLE " + table.getName(), 15000);
            assertUpdate("INSERT INTO " + table.getName() + " TABLE " + table.getName(), 30000);
            assertQuery("SELECT count(*), count(DISTINCT orderkey) FROM " + table.getName(), "VALUES (60000, 15000)");
        }
    }

    @Test
    @Timeout(300)
    void testInsertConcurrently()
            throws Exception
    {
        int threads = 4;
        int inserts = 5;
        try (TestTable table = newTrinoTable("test_concurrent", "(thread integer, number integer)")) {
            runConcurrently(threads, thread -> {
                for (int number = 0; number < inserts; number++) {
                    assertUpdate("INSERT INTO %s VALUES (%s, %s)".formatted(table.getName(), thread, number), 1);
                }
                return null;
            });
            assertQuery("SELECT count(*), count(DISTINCT thread * 100 + number) FROM " + table.getName(), "VALUES (%s, %s)".formatted(threads * inserts, threads * inserts));
        }
    }

    @Test
    @Timeout(300)
    void testQuerySeesOneVersion()
            throws Exception
    {
        try (TestTable table = newTrinoTable("test_one_version", "AS SELECT 1 a")) {
            AtomicBoolean inserted = new AtomicBoolean();
            runConcurrently(2, thread -> {
                if (thread == 0) {
                    for (int i = 0; i < 10; i++) {
                        assertUpdate("INSERT INTO " + table.getName() + " VALUES " + i, 1);
                    }
                    inserted.set(true);
                    return null;
                }
                while (!inserted.get()) {
                    assertQuery("SELECT (SELECT count(*) FROM %1$s) - (SELECT count(a) FROM %1$s)".formatted(table.getName()), "VALUES 0");
                }
                return null;
            });
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 11");
        }
    }

    /**
     * Each of these statements either doubles the table or reports that it could not.
     */
    @Test
    @Timeout(300)
    void testInsertFromItselfConcurrently()
            throws Exception
    {
        int threads = 3;
        try (TestTable table = newTrinoTable("test_self_concurrent", "AS SELECT 1 a")) {
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Boolean> done = runConcurrently(threads, _ -> {
                barrier.await(10, SECONDS);
                try {
                    getQueryRunner().execute("INSERT INTO " + table.getName() + " TABLE " + table.getName());
                    return true;
                }
                catch (RuntimeException e) {
                    assertThat(e).hasMessageContaining("Another transaction added rows to the part of the table that this statement has read");
                    return false;
                }
            });
            long successes = done.stream().filter(success -> success).count();
            assertThat(successes).isPositive();
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES " + (1 << successes));
        }
    }

    @Test
    @Timeout(300)
    void testCreateTableConcurrently()
            throws Exception
    {
        int threads = 3;
        CyclicBarrier barrier = new CyclicBarrier(threads);
        List<Boolean> done = runConcurrently(threads, thread -> {
            barrier.await(10, SECONDS);
            try {
                getQueryRunner().execute("CREATE TABLE test_create_concurrently AS SELECT %s thread, orderkey FROM orders".formatted(thread));
                return true;
            }
            catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("already exists");
                return false;
            }
        });
        assertThat(done).containsOnlyOnce(true);
        assertQuery("SELECT count(*), count(DISTINCT thread) FROM test_create_concurrently", "VALUES (15000, 1)");
        assertUpdate("DROP TABLE test_create_concurrently");
    }

    /**
     * The output of a task is committed once, however often the task ran.
     */
    @Test
    void testQueryRetries()
    {
        Session session = Session.builder(getSession())
                .setSystemProperty("retry_policy", "QUERY")
                .build();
        assertUpdate(session, "CREATE TABLE test_retries AS TABLE tpch.tiny.nation", 25);
        assertUpdate(session, "INSERT INTO test_retries TABLE tpch.tiny.nation", 25);
        assertQuery("SELECT count(*), count(DISTINCT nationkey) FROM test_retries", "VALUES (50, 25)");
        assertUpdate("DROP TABLE test_retries");
    }

    @Test
    void testFailedWritesLeaveNoFiles()
            throws IOException
    {
        try (TestTable table = newTrinoTable("test_failed", "AS SELECT orderkey FROM orders")) {
            List<Path> before = dataFiles();
            assertQueryFails("INSERT INTO " + table.getName() + " SELECT 1 / (orderkey - orderkey) FROM orders", "Division by zero");
            assertQueryFails("CREATE TABLE test_failed_create AS SELECT 1 / (orderkey - 60000) x, orderkey FROM orders", "Division by zero");
            assertThat(query("SHOW TABLES LIKE 'test_failed_create'")).returnsEmptyResult();
            // the engine reports the failures before it has stopped all tasks
            assertEventually(() -> assertThat(dataFiles()).containsExactlyInAnyOrderElementsOf(before));
        }
    }

    private List<Path> dataFiles()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(getDistributedQueryRunner().getCoordinator().getBaseDataDir().resolve("albis"))) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().equals("data"))
                    .collect(toImmutableList());
        }
    }

    @FunctionalInterface
    private interface Task<T>
    {
        T run(int thread)
                throws Exception;
    }

    private static <T> List<T> runConcurrently(int threads, Task<T> task)
            throws Exception
    {
        ExecutorService executor = newCachedThreadPool(daemonThreadsNamed("insert-%s"));
        try {
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                tasks.add(() -> task.run(thread));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
        finally {
            executor.shutdownNow();
        }
    }
}
