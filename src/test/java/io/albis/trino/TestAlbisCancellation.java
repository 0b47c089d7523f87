package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.CountingFileSystem;
import io.trino.execution.QueryState;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static io.trino.testing.assertions.Assert.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * A statement that is canceled in the middle stops reading and writing soon, and closes everything that it has opened.
 * The storage is slow, so that there is a middle.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
@Timeout(300)
final class TestAlbisCancellation
{
    private static final int READS_BEFORE = 30;
    // The threads of the scan may be in the middle of a run, and others may have requested a run ahead
    private static final int MOST_READS_AFTER = 60;
    private static final String COLUMNS = "sum(orderkey + partkey + suppkey + linenumber), max(comment)";

    private final SlowStorage storage = new SlowStorage();
    private Path folder;
    private DistributedQueryRunner queryRunner;

    /**
     * Each access to the files of row groups takes some time, unless it is interrupted.
     */
    private static final class SlowStorage
            extends CountingFileSystem.Counter
    {
        private final AtomicLong reads = new AtomicLong();
        private final AtomicLong writes = new AtomicLong();
        private volatile long millis;

        @Override
        protected void read(Location location)
                throws IOException
        {
            if (isRowGroup(location)) {
                reads.incrementAndGet();
                delay();
            }
        }

        @Override
        protected void write(Location location)
                throws IOException
        {
            if (isRowGroup(location)) {
                writes.incrementAndGet();
                delay();
            }
        }

        private void delay()
                throws IOException
        {
            try {
                Thread.sleep(millis);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }

        private static boolean isRowGroup(Location location)
        {
            return location.path().contains("/rg-");
        }
    }

    @BeforeAll
    void start()
            throws Exception
    {
        folder = Files.createTempDirectory("albis-cancellation");
        Map<String, String> properties = AlbisQueryRunner.catalogProperties(folder);
        TrinoFileSystemFactory counting = _ -> new CountingFileSystem(new LocalFileSystem(folder), storage);
        queryRunner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("albis").setSchema("s").build())
                .setWorkerCount(1)
                .build();
        queryRunner.installPlugin(new TpchPlugin());
        queryRunner.createCatalog("tpch", "tpch", Map.of());
        queryRunner.installPlugin(new StoragePlugin(counting));
        // Each scan reads the files again
        queryRunner.createCatalog("albis", "albis", ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("albis.metadata-cache.max-size", "0B")
                .buildOrThrow());
        queryRunner.execute("CREATE SCHEMA s");
        queryRunner.execute("CREATE TABLE lines WITH (row_group_rows = 500, column_groups = ARRAY[ARRAY['comment']]) AS SELECT * FROM tpch.tiny.lineitem");
    }

    @AfterAll
    void stop()
            throws IOException
    {
        queryRunner.close();
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    @Test
    void testQuery()
            throws Exception
    {
        checkCanceled("SELECT %s FROM lines".formatted(COLUMNS));
    }

    /**
     * The reader of a row group goes on while no row matches.
     */
    @Test
    void testQueryWithoutMatches()
            throws Exception
    {
        checkCanceled("SELECT count(*) FROM lines WHERE comment = 'a comment that no row has' AND orderkey > 0");
    }

    @Test
    void testInsert()
            throws Exception
    {
        queryRunner.execute("CREATE TABLE copies WITH (row_group_rows = 500) AS SELECT * FROM lines WITH NO DATA");
        checkCanceled("INSERT INTO copies SELECT * FROM lines");
        assertThat(queryRunner.execute("SELECT count(*) FROM copies").getOnlyValue()).isEqualTo(0L);
        assertThat(queryRunner.execute("SELECT count(*) FROM \"copies$snapshots\"").getOnlyValue()).isEqualTo(1L);
    }

    /**
     * Writers that sort rows, and that write a row group for each partition, have more in memory.
     */
    @Test
    @Tag("slow")
    void testInsertIntoSortedPartitions()
            throws Exception
    {
        queryRunner.execute("CREATE TABLE sorted WITH (row_group_rows = 500, sorted_by = ARRAY['comment'], partitioned_by = ARRAY['linenumber']) AS SELECT * FROM lines WITH NO DATA");
        checkCanceled("INSERT INTO sorted SELECT * FROM lines");
        assertThat(queryRunner.execute("SELECT count(*) FROM sorted").getOnlyValue()).isEqualTo(0L);
        assertThat(queryRunner.execute("SELECT count(*) FROM \"sorted$snapshots\"").getOnlyValue()).isEqualTo(1L);
    }

    @Test
    @Tag("slow")
    void testRefreshMaterializedView()
            throws Exception
    {
        queryRunner.execute("CREATE MATERIALIZED VIEW refreshed AS SELECT * FROM lines");
        checkCanceled("REFRESH MATERIALIZED VIEW refreshed");
        assertThat(queryRunner.execute("SELECT count(*) FROM \"refreshed$storage\"").getOnlyValue()).isEqualTo(0L);
    }

    @Test
    @Tag("slow")
    void testTableChanges()
            throws Exception
    {
        queryRunner.execute("CREATE TABLE changed WITH (row_group_rows = 500, column_groups = ARRAY[ARRAY['comment']]) AS SELECT * FROM lines WITH NO DATA");
        queryRunner.execute("INSERT INTO changed SELECT * FROM lines");
        checkCanceled("SELECT %s FROM TABLE(albis.system.table_changes('s', 'changed', 1, 2))".formatted(COLUMNS));
    }

    @Test
    void testDelete()
            throws Exception
    {
        Object before = queryRunner.execute("SELECT count(*) FROM lines").getOnlyValue();
        checkCanceled("DELETE FROM lines WHERE comment LIKE '%a%'");
        assertThat(queryRunner.execute("SELECT count(*) FROM lines").getOnlyValue()).isEqualTo(before);
    }

    @Test
    @Tag("slow")
    void testUpdate()
            throws Exception
    {
        checkUnchanged("UPDATE lines SET comment = comment || 'x', partkey = 0 WHERE linenumber > 0");
        checkUnchanged("UPDATE lines SET comment = 'updated' WHERE orderkey % 40 = 1");
    }

    @Test
    @Tag("slow")
    void testMerge()
            throws Exception
    {
        checkUnchanged("MERGE INTO lines t USING lines s ON t.orderkey = s.orderkey AND t.linenumber = s.linenumber WHEN MATCHED AND s.linenumber = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET comment = 'merged'");
    }

    @Test
    @Tag("slow")
    void testCreateTableAs()
            throws Exception
    {
        checkCanceled("CREATE TABLE created WITH (row_group_rows = 500) AS SELECT * FROM lines");
        assertThat(queryRunner.execute("SHOW TABLES LIKE 'created'").getRowCount()).isZero();
        checkUnchanged("CREATE OR REPLACE TABLE lines WITH (row_group_rows = 500) AS SELECT * FROM lines");
    }

    private void checkUnchanged(String sql)
            throws Exception
    {
        Object before = queryRunner.execute("SELECT " + COLUMNS + ", count(*), to_hex(checksum(comment)) FROM lines").getMaterializedRows();
        Object versions = queryRunner.execute("SELECT count(*) FROM \"lines$snapshots\"").getOnlyValue();
        checkCanceled(sql);
        assertThat(queryRunner.execute("SELECT " + COLUMNS + ", count(*), to_hex(checksum(comment)) FROM lines").getMaterializedRows()).as(sql).isEqualTo(before);
        assertThat(queryRunner.execute("SELECT count(*) FROM \"lines$snapshots\"").getOnlyValue()).as(sql).isEqualTo(versions);
    }

    @Test
    void testOptimize()
            throws Exception
    {
        Object before = queryRunner.execute("SELECT " + COLUMNS + ", count(*) FROM lines").getMaterializedRows();
        Object rowGroups = queryRunner.execute("SELECT count(*) FROM \"lines$files\"").getOnlyValue();
        checkCanceled("ALTER TABLE lines EXECUTE optimize(row_group_size => '1GB', sorted_by => ARRAY['comment'])");
        assertThat(queryRunner.execute("SELECT " + COLUMNS + ", count(*) FROM lines").getMaterializedRows()).isEqualTo(before);
        assertThat(queryRunner.execute("SELECT count(*) FROM \"lines$files\"").getOnlyValue()).isEqualTo(rowGroups);
    }

    @Test
    @Tag("slow")
    void testRegroup()
            throws Exception
    {
        Object before = queryRunner.execute("SELECT " + COLUMNS + ", count(*) FROM lines").getMaterializedRows();
        Object versions = queryRunner.execute("SELECT count(*) FROM \"lines$snapshots\"").getOnlyValue();
        checkCanceled("ALTER TABLE lines EXECUTE regroup(column_groups => ARRAY[ARRAY['comment', 'orderkey']], column_group_layouts => ARRAY['row'])");
        assertThat(queryRunner.execute("SELECT " + COLUMNS + ", count(*) FROM lines").getMaterializedRows()).isEqualTo(before);
        assertThat(queryRunner.execute("SELECT count(*) FROM \"lines$snapshots\"").getOnlyValue()).isEqualTo(versions);
    }

    @Test
    @Tag("slow")
    void testAddIndex()
            throws Exception
    {
        checkUnchanged("ALTER TABLE lines EXECUTE add_index(columns => ARRAY['orderkey', 'comment'])");
    }

    /**
     * Statements that nobody cancels close everything, too: streams of row groups, versions, manifests, names, and
     * those that maintenance reads.
     */
    @Test
    void testStatementsCloseEverything()
    {
        for (String sql : ImmutableList.of(
                "CREATE TABLE closed WITH (row_group_rows = 2000) AS SELECT * FROM tpch.tiny.orders",
                "INSERT INTO closed SELECT * FROM closed WHERE custkey % 7 = 0",
                "UPDATE closed SET comment = 'changed' WHERE orderkey % 5 = 0",
                "DELETE FROM closed WHERE orderkey % 3 = 0",
                "MERGE INTO closed USING (VALUES 1, 2) s (k) ON orderkey = k WHEN MATCHED THEN DELETE",
                "SELECT * FROM closed LIMIT 10",
                "SELECT * FROM closed ORDER BY orderkey LIMIT 10",
                "SELECT count(*) FROM closed WHERE orderkey = 7 AND comment LIKE '%x%'",
                "SELECT count(*) FROM closed a JOIN closed b ON a.orderkey = b.custkey WHERE b.orderpriority = '1-URGENT'",
                "SHOW STATS FOR closed",
                "SELECT * FROM TABLE(albis.system.table_changes('s', 'closed', 1, 3))",
                "SELECT * FROM \"closed$files\"",
                "SELECT * FROM \"closed$snapshots\"",
                "SELECT * FROM \"closed$manifests\"",
                "SELECT * FROM \"closed$partitions\"",
                "SELECT * FROM \"closed$history\"",
                "SELECT count(*) FROM closed FOR VERSION AS OF 1",
                "CREATE VIEW closed_view AS SELECT * FROM closed",
                "SELECT count(*) FROM closed_view",
                "CREATE MATERIALIZED VIEW closed_rows AS SELECT * FROM closed",
                "REFRESH MATERIALIZED VIEW closed_rows",
                "DROP MATERIALIZED VIEW closed_rows",
                "CREATE TABLE closed_sorted WITH (row_group_rows = 500, sorted_by = ARRAY['custkey'], partitioned_by = ARRAY['orderstatus']) AS SELECT * FROM closed",
                "CREATE OR REPLACE TABLE closed_sorted AS SELECT * FROM closed",
                "TRUNCATE TABLE closed_sorted",
                "ALTER TABLE closed EXECUTE add_index(columns => ARRAY['orderkey'])",
                "SELECT * FROM closed WHERE orderkey = 7",
                "ALTER TABLE closed EXECUTE drop_index(columns => ARRAY['orderkey'])",
                "ALTER TABLE closed EXECUTE create_tag(name => 'tag')",
                "ALTER TABLE closed ADD COLUMN added bigint",
                "ALTER TABLE closed EXECUTE optimize",
                "ALTER TABLE closed EXECUTE regroup(column_groups => ARRAY[ARRAY['custkey', 'orderkey']])",
                "ALTER TABLE closed EXECUTE expire_snapshots(retention_threshold => '7d')",
                "ALTER TABLE closed EXECUTE remove_orphan_files(retention_threshold => '7d')",
                "ALTER TABLE closed EXECUTE rollback_to_snapshot(snapshot_id => 1)",
                "ALTER TABLE closed RENAME TO renamed",
                "SELECT * FROM TABLE(albis.system.find_lost_tables())",
                "DROP TABLE renamed",
                "SELECT * FROM TABLE(albis.system.vacuum_candidates(retention_threshold => '7d'))",
                "CALL albis.system.vacuum(retention_threshold => '7d')")) {
            queryRunner.execute(sql);
            assertEventually(() -> assertThat(storage.open()).as(sql).isEmpty());
        }
    }

    private void checkCanceled(String sql)
            throws Exception
    {
        long whole = readsOf("SELECT %s FROM lines".formatted(COLUMNS));
        assertThat(whole).as("reads of a whole scan").isGreaterThan(4 * (READS_BEFORE + MOST_READS_AFTER));
        storage.millis = 50;
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            long start = storage.reads.get();
            Future<?> statement = executor.submit(() -> queryRunner.execute(sql));
            while (storage.reads.get() < start + READS_BEFORE) {
                assertThat(statement).isNotDone();
                Thread.sleep(5);
            }
            Optional<BasicQueryInfo> query = Optional.empty();
            while (query.isEmpty()) {
                // the coordinator learns later that tasks run
                assertThat(statement).isNotDone();
                Thread.sleep(5);
                query = queryRunner.getCoordinator().getDispatchManager().getQueries().stream()
                        .filter(info -> info.getQuery().equals(sql) && info.getState() == QueryState.RUNNING)
                        .findFirst();
            }
            // a busy machine takes long to cancel the tasks
            storage.millis = 500;
            queryRunner.getCoordinator().getDispatchManager().cancelQuery(query.get().getQueryId());
            long canceled = storage.reads.get();
            assertThatThrownBy(statement::get).isInstanceOf(ExecutionException.class).hasMessageContaining("cancel");
            assertEventually(() -> assertThat(storage.open()).isEmpty());
            // Nothing is open, so nothing reads or writes any more
            long reads = storage.reads.get();
            long writes = storage.writes.get();
            assertThat(reads - canceled).as("reads after the cancellation").isLessThanOrEqualTo(MOST_READS_AFTER);
            Thread.sleep(500);
            assertThat(storage.reads.get()).isEqualTo(reads);
            assertThat(storage.writes.get()).isEqualTo(writes);
        }
        finally {
            storage.millis = 0;
        }
    }

    private long readsOf(String sql)
    {
        long start = storage.reads.get();
        queryRunner.execute(sql);
        return storage.reads.get() - start;
    }
}
