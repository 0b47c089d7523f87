package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.time.temporal.ChronoUnit.MILLIS;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * DELETE, UPDATE, MERGE, TRUNCATE TABLE, and the hidden columns.
 */
final class TestAlbisRowChanges
        extends AbstractTestQueryFramework
{
    private static final int ROW_GROUP_ROWS = 1000;
    private static final int ROW_GROUPS = 15;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(List.of(TpchTable.ORDERS))
                .build();
    }

    /**
     * Creates a table of row groups with ascending, disjoint ranges of the order key.
     */
    private TestTable newSortedOrders()
    {
        Session session = SortedLoad.session(getSession());
        return new TestTable(sql -> getQueryRunner().execute(session, sql), "sorted_orders", "WITH (row_group_rows = %s) AS SELECT * FROM orders ORDER BY orderkey".formatted(ROW_GROUP_ROWS));
    }

    @Test
    void testHiddenColumns()
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            assertQuery("SELECT count(*), count(DISTINCT \"$path\"), count(DISTINCT \"$row_group\") FROM " + name, "VALUES (15000, 15, 15)");
            assertQuery(
                    "SELECT DISTINCT count(*), min(\"$row_position\"), max(\"$row_position\"), count(DISTINCT \"$row_position\") FROM %s GROUP BY \"$row_group\"".formatted(name),
                    "VALUES (1000, 0, 999, 1000)");
            // rows of a row group are in the order in which they were written
            assertQuery("SELECT orderkey FROM %s WHERE \"$row_position\" = 7".formatted(name), "SELECT orderkey FROM (SELECT orderkey, row_number() OVER (ORDER BY orderkey) n FROM orders) WHERE n %% %s = 8".formatted(ROW_GROUP_ROWS));
            assertQuery("SELECT count(*) FROM %s WHERE \"$row_position\" < 10 AND orderkey < 4000".formatted(name), "VALUES 10");
            assertQuery("SELECT count(*) FROM %1$s WHERE \"$row_group\" = (SELECT min(\"$row_group\") FROM %1$s)".formatted(name), "VALUES 1000");
            assertQuery("SELECT count(*) FROM %s WHERE \"$path\" LIKE '%%/rg-' || CAST(\"$row_group\" AS varchar)".formatted(name), "VALUES 15000");
            // a position belongs to its row whether the reader or the engine filters
            assertQuery("SELECT count(*), sum(a.\"$row_position\") FROM %1$s a JOIN %1$s b ON a.orderkey = b.orderkey AND a.\"$row_position\" = b.\"$row_position\" WHERE a.custkey %% 7 = 0 AND b.orderpriority = '1-URGENT'".formatted(name),
                    "SELECT count(*), sum(mod(n - 1, 1000)) FROM (SELECT custkey, orderpriority, row_number() OVER (ORDER BY orderkey) n FROM orders) WHERE mod(custkey, 7) = 0 AND orderpriority = '1-URGENT'");
            assertThat(computeActual("SELECT * FROM " + name).getColumnNames()).noneMatch(column -> column.startsWith("$"));
            assertThat(computeActual("DESCRIBE " + name).getMaterializedRows()).noneMatch(row -> ((String) row.getField(0)).startsWith("$"));
        }
    }

    @Test
    void testFileModifiedTime()
            throws IOException
    {
        try (TestTable table = newSortedOrders()) {
            List<MaterializedRow> rows = computeActual("SELECT DISTINCT \"$path\", \"$file_modified_time\" FROM " + table.getName()).getMaterializedRows();
            assertThat(rows).hasSize(ROW_GROUPS);
            for (MaterializedRow row : rows) {
                try (Stream<Path> files = Files.walk(storage().resolve(((String) row.getField(0)).substring("local:///".length())))) {
                    Path metadata = files.filter(file -> file.endsWith("metadata")).findFirst().orElseThrow();
                    assertThat(((ZonedDateTime) row.getField(1)).toInstant()).isEqualTo(Files.getLastModifiedTime(metadata).toInstant().truncatedTo(MILLIS));
                }
            }
        }
    }

    /**
     * The engine compares the names of the columns of a query with their case.
     */
    @Test
    void testColumnsOfTheSameName()
    {
        assertQueryFails("CREATE TABLE twice AS SELECT 1 AS a, 2 AS A", "Column name 'a' specified more than once");
        assertQueryFails("CREATE MATERIALIZED VIEW twice AS SELECT 1 AS a, 2 AS \"A\"", "Column name 'a' specified more than once");
    }

    @Test
    void testNamesOfHiddenColumns()
    {
        assertQueryFails("CREATE TABLE hidden (a bigint, \"$path\" varchar)", "Column '\\$path' has the name of a hidden column, which every table has. A column must not have one of the names \\$path, \\$row_group, \\$row_position, \\$file_modified_time");
        assertQueryFails("COMMENT ON COLUMN orders.\"$path\" IS 'x'", "Column \\$path:varchar is hidden, and a hidden column cannot have a comment");
    }

    @Test
    void testPositionsAfterDelete()
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            assertUpdate("CREATE TABLE positions AS SELECT orderkey k, \"$row_group\" g, \"$row_position\" p FROM " + name, 15000);
            assertUpdate("DELETE FROM %s WHERE orderkey %% 3 = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 3) = 0");
            assertUpdate("DELETE FROM %s WHERE custkey %% 5 = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 3) <> 0 AND mod(custkey, 5) = 0");
            String rest = "FROM orders WHERE mod(orderkey, 3) <> 0 AND mod(custkey, 5) <> 0";
            assertQuery("TABLE " + name, "SELECT * " + rest);
            assertQuery("SELECT count(*) FROM " + name, "SELECT count(*) " + rest);
            assertQuery("SELECT count(*) FROM %s t JOIN positions ON orderkey = k AND t.\"$row_group\" = g AND t.\"$row_position\" = p".formatted(name), "SELECT count(*) " + rest);
            assertQuery("SELECT count(DISTINCT \"$row_position\") FROM %s WHERE orderkey <= 4000".formatted(name), "SELECT count(*) " + rest + " AND orderkey <= 4000");
            assertUpdate("DROP TABLE positions");
        }
    }

    /**
     * A DELETE that the bounds decide writes no file except for metadata.
     */
    @Test
    void testDeleteOfWholeRowGroups()
            throws IOException
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            // 4000 is the key of the thousandth order
            assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE orderkey <= 4000".formatted(name))).contains("TableDelete").doesNotContain("MergeWriter");
            assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE orderkey < 3000".formatted(name))).contains("MergeWriter").doesNotContain("TableDelete");
            assertThat((String) computeScalar("EXPLAIN DELETE FROM %s WHERE orderkey <= 4000 AND custkey < 700".formatted(name))).contains("MergeWriter").doesNotContain("TableDelete");
            List<Path> files = dataFiles();
            assertUpdate("DELETE FROM %s WHERE orderkey <= 4000".formatted(name), 1000);
            assertUpdate("DELETE FROM %s WHERE orderkey <= 4000".formatted(name), 0);
            assertThat(dataFiles()).isEqualTo(files);
            assertQuery("TABLE " + name, "SELECT * FROM orders WHERE orderkey > 4000");
            assertUpdate("DELETE FROM " + name, 14000);
            assertThat(dataFiles()).isEqualTo(files);
            assertQuery("SELECT count(*) FROM " + name, "VALUES 0");
            assertUpdate("INSERT INTO %s SELECT * FROM orders WHERE orderkey = 1".formatted(name), 1);
            assertQuery("TABLE " + name, "SELECT * FROM orders WHERE orderkey = 1");
        }
    }

    @Test
    void testDeleteOfWholeRowGroupsWithNulls()
    {
        try (TestTable table = newTrinoTable("test_nulls", "(a bigint, b double)", ImmutableList.of("1, 1", "2, 2"))) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES (NULL, 3)".formatted(name), 1);
            assertUpdate("INSERT INTO %s VALUES (1, nan())".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE a IS NULL".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE b >= 1".formatted(name), 2);
            assertQuery("SELECT a, CAST(b AS varchar) FROM " + name, "VALUES (1, 'NaN')");
            assertUpdate("DELETE FROM %s WHERE b IS NOT NULL".formatted(name), 1);
        }
    }

    /**
     * A row group whose last rows are deleted is no part of the table any more.
     */
    @Test
    void testRowGroupWithoutRows()
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE orderkey <= 4000 AND custkey %% 2 = 0".formatted(name), "SELECT count(*) FROM orders WHERE orderkey <= 4000 AND mod(custkey, 2) = 0");
            assertUpdate("DELETE FROM %s WHERE orderkey <= 4000 AND custkey %% 2 = 1".formatted(name), "SELECT count(*) FROM orders WHERE orderkey <= 4000 AND mod(custkey, 2) = 1");
            assertQuery("SELECT count(*), count(DISTINCT \"$row_group\") FROM " + name, "VALUES (14000, 14)");
            assertUpdate("DELETE FROM %s WHERE custkey > 0 AND comment LIKE '%%'".formatted(name), 14000);
            assertQueryReturnsEmptyResult("SELECT orderkey FROM " + name);
            assertQuery("SELECT count(*) FROM " + name, "VALUES 0");
        }
    }

    @Test
    void testTruncate()
            throws IOException
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE custkey = 1".formatted(name), "SELECT count(*) FROM orders WHERE custkey = 1");
            List<Path> files = dataFiles();
            assertUpdate("TRUNCATE TABLE " + name);
            assertUpdate("TRUNCATE TABLE " + name);
            assertThat(dataFiles()).isEqualTo(files);
            assertQuery("SELECT count(*) FROM " + name, "VALUES 0");
            assertUpdate("INSERT INTO %s SELECT * FROM orders".formatted(name), 15000);
            assertQuery("TABLE " + name, "TABLE orders");
        }
    }

    @Test
    void testUpdate()
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            assertUpdate("UPDATE %s SET clerk = NULL, totalprice = totalprice + 1 WHERE custkey %% 10 = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 10) = 0");
            String updated = "SELECT orderkey, custkey, orderstatus, CASE WHEN mod(custkey, 10) = 0 THEN totalprice + 1 ELSE totalprice END, orderdate, orderpriority, CASE WHEN mod(custkey, 10) = 0 THEN NULL ELSE clerk END, shippriority, comment FROM orders";
            assertQuery("TABLE " + name, updated);
            assertUpdate("UPDATE %s SET orderkey = orderkey WHERE clerk IS NULL".formatted(name), "SELECT count(*) FROM orders WHERE mod(custkey, 10) = 0");
            assertQuery("TABLE " + name, updated);
            assertUpdate("UPDATE %s SET comment = 'x' WHERE orderkey = -1".formatted(name), 0);
            assertUpdate("UPDATE %s SET comment = 'x'".formatted(name), 15000);
            assertQuery("SELECT count(*) FROM %s WHERE comment = 'x'".formatted(name), "VALUES 15000");
        }
    }

    @Test
    void testUpdateOfFewRowsAddsOneRowGroup()
    {
        try (TestTable table = newSortedOrders()) {
            assertUpdate("UPDATE %s SET clerk = 'x' WHERE orderkey %% 1000 = 1".formatted(table.getName()), "SELECT count(*) FROM orders WHERE mod(orderkey, 1000) = 1");
            // the engine has three nodes, and each gets some of the rows
            assertThat((long) computeScalar("SELECT count(DISTINCT \"$row_group\") FROM %s WHERE clerk = 'x'".formatted(table.getName()))).isEqualTo(1);
        }
    }

    @Test
    void testMerge()
    {
        try (TestTable table = newSortedOrders()) {
            String name = table.getName();
            assertUpdate(
                    """
                    MERGE INTO %s t
                    USING (SELECT orderkey + 6 k, orderkey %% 3 r FROM orders WHERE orderkey %% 8 IN (1, 2)) s
                    ON t.orderkey = s.k
                    WHEN MATCHED AND s.r = 0 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET shippriority = t.shippriority + 7
                    WHEN NOT MATCHED THEN INSERT (orderkey, comment) VALUES (s.k, 'new')
                    """.formatted(name),
                    "SELECT count(*) FROM orders WHERE mod(orderkey, 8) IN (1, 2)");
            assertQuery("SELECT orderkey, shippriority FROM %s WHERE comment <> 'new'".formatted(name),
                    """
                    SELECT o.orderkey, CASE WHEN s.orderkey IS NULL THEN o.shippriority ELSE 7 END
                    FROM orders o LEFT JOIN orders s ON s.orderkey = o.orderkey - 6 AND mod(s.orderkey, 8) IN (1, 2)
                    WHERE s.orderkey IS NULL OR mod(s.orderkey, 3) <> 0
                    """);
            assertQuery("SELECT orderkey FROM %s WHERE comment = 'new'".formatted(name),
                    "SELECT orderkey + 6 FROM orders WHERE mod(orderkey, 8) IN (1, 2) AND orderkey + 6 NOT IN (SELECT orderkey FROM orders)");
        }
    }

    /**
     * The sink can tell a MERGE that only deletes rows from a DELETE, because a DELETE has fewer conflicts.
     */
    @Test
    void testOperations()
    {
        try (TestTable table = newTrinoTable("test_operations", "AS SELECT n id FROM UNNEST(sequence(1, 9)) t (n)")) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE id = 1".formatted(name), 1);
            assertUpdate("DELETE FROM %1$s WHERE id = (SELECT max(id) FROM %1$s)".formatted(name), 1);
            assertUpdate("MERGE INTO %s USING (VALUES 2, 3) s (k) ON id = k WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (k)".formatted(name), 2);
            assertUpdate("MERGE INTO %s USING (VALUES 4) s (k) ON id = k WHEN MATCHED THEN DELETE".formatted(name), 1);
            assertUpdate("UPDATE %s SET id = 50 WHERE id = 5".formatted(name), 1);
            assertQuery("SELECT snapshot_id, operation FROM \"%s$snapshots\"".formatted(name),
                    "VALUES (1, 'create'), (2, 'delete'), (3, 'delete'), (4, 'overwrite'), (5, 'overwrite'), (6, 'overwrite')");
        }
    }

    @Test
    void testNotNull()
    {
        try (TestTable table = newTrinoTable("test_not_null", "(a bigint NOT NULL, b varchar)", ImmutableList.of("1, 'x'", "2, 'y'"))) {
            assertQueryFails("UPDATE %s SET a = nullif(a, 2)".formatted(table.getName()), "NULL value not allowed for NOT NULL column: a");
            assertQueryFails("MERGE INTO %s t USING (VALUES 3) s (k) ON t.a = s.k WHEN NOT MATCHED THEN INSERT (b) VALUES ('z')".formatted(table.getName()), "NULL value not allowed for NOT NULL column: a|Assigning NULL to non-null MERGE target table column a");
            assertQuery("TABLE " + table.getName(), "VALUES (1, 'x'), (2, 'y')");
        }
    }

    @Test
    void testIsolationLevel()
    {
        try (TestTable table = newTrinoTable("test_isolation", "(a bigint) WITH (isolation_level = 'snapshot')")) {
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("isolation_level = 'SNAPSHOT'");
        }
        assertQueryFails("CREATE TABLE bad (a bigint) WITH (isolation_level = 'chaos')", ".*Invalid value \\[chaos]. Valid values: \\[SERIALIZABLE, SNAPSHOT].*");
    }

    /**
     * Each statement either adds one or reports a conflict. Statements on another row never conflict.
     */
    @Test
    @Timeout(300)
    void testConcurrentUpdates()
            throws Exception
    {
        try (TestTable table = newTrinoTable("test_concurrent", "(id bigint, n bigint)")) {
            String name = table.getName();
            for (int id = 0; id < 3; id++) {
                assertUpdate("INSERT INTO %s VALUES (%s, 0)".formatted(name, id), 1);
            }
            // two threads update the row 0, and one the row 1
            List<Callable<Integer>> tasks = Stream.of(0, 0, 1)
                    .map(id -> (Callable<Integer>) () -> update("UPDATE %s SET n = n + 1 WHERE id = %s".formatted(name, id), 5))
                    .collect(toImmutableList());
            List<Integer> done = new ArrayList<>();
            try (ExecutorService executor = newCachedThreadPool(daemonThreadsNamed("update-%s"))) {
                for (Future<Integer> task : executor.invokeAll(tasks)) {
                    done.add(task.get());
                }
            }
            assertThat(done.get(0) + done.get(1)).isPositive();
            assertThat(done.get(2)).isEqualTo(5);
            assertQuery("TABLE " + name, "VALUES (0, %s), (1, 5), (2, 0)".formatted(done.get(0) + done.get(1)));
        }
    }

    /**
     * @return the number of executions that did not report a conflict
     */
    private int update(String sql, int times)
    {
        int done = 0;
        for (int i = 0; i < times; i++) {
            try {
                getQueryRunner().execute(sql);
                done++;
            }
            catch (RuntimeException e) {
                assertThat(e).hasMessageContaining("Retry the statement");
            }
        }
        return done;
    }

    /**
     * Returns the files of row groups and deleted rows.
     */
    private List<Path> dataFiles()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(storage())) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.endsWith("data") || file.toString().contains("/deletes/"))
                    .sorted()
                    .collect(toImmutableList());
        }
    }

    private Path storage()
    {
        return ((DistributedQueryRunner) getQueryRunner()).getCoordinator().getBaseDataDir().resolve("albis");
    }
}
