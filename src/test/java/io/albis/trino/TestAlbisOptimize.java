package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * ALTER TABLE EXECUTE optimize, alone and while other statements commit.
 */
@Execution(SAME_THREAD)
final class TestAlbisOptimize
        extends AbstractTestQueryFramework
{
    private static final String OPTIMIZE = "ALTER TABLE %s EXECUTE optimize";

    // runs after a statement has read which version of the table is the newest one
    private final InterposedStatement concurrent = new InterposedStatement();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .setSystemAccessControl(concurrent)
                .build();
    }

    @Test
    void testSmallRowGroups()
    {
        try (TestTable table = newTrinoTable("small", "WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']]) AS SELECT 0 a, 'text 0' b")) {
            for (int i = 1; i < 10; i++) {
                assertUpdate("INSERT INTO %s VALUES (%s, 'text %s')".formatted(table.getName(), i, i), 1);
            }
            assertUpdate("DELETE FROM %s WHERE a IN (2, 7)".formatted(table.getName()), 2);
            long before = version(table);
            assertThat(optimize(table, OPTIMIZE)).isEqualTo(Map.of("rewritten_row_groups_count", 8L, "added_row_groups_count", 1L, "removed_deleted_rows_count", 0L));

            assertQuery("TABLE " + table.getName(), "SELECT n, 'text ' || n FROM (VALUES 0, 1, 3, 4, 5, 6, 8, 9) t (n)");
            assertThat(rowGroups(table)).isEqualTo(1);
            assertQuery("SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(table.getName()), "VALUES 'optimize'");
            assertThat(version(table)).isEqualTo(before + 1);
            // the version before has the same rows, in the old row groups
            assertQuery("SELECT count(*), count(DISTINCT \"$row_group\"), sum(a) FROM %s FOR VERSION AS OF %s".formatted(table.getName(), before), "VALUES (8, 8, 36)");
            assertQuery("SELECT count(DISTINCT \"$row_group\") FROM " + table.getName(), "VALUES 1");
            assertQuery("SHOW STATS FOR (SELECT a FROM %s)".formatted(table.getName()), "VALUES ('a', null, 8, 0, null, '0', '9'), (null, null, null, null, 8, null, null)");

            // there is nothing left to do
            assertThat(optimize(table, OPTIMIZE)).containsEntry("rewritten_row_groups_count", 0L).containsEntry("added_row_groups_count", 0L);
            assertThat(version(table)).isEqualTo(before + 1);
            assertUpdate("UPDATE %s SET b = 'x' WHERE a = 3".formatted(table.getName()), 1);
            assertQuery("SELECT b FROM %s WHERE a < 4".formatted(table.getName()), "VALUES 'text 0', 'text 1', 'x'");
        }
    }

    /**
     * A writer closes a row group when its values in memory have the size. Here, they are eight times as large in
     * storage, so the row groups are small, and the next optimization must not do the same again.
     */
    @Test
    void testNothingIsLeft()
    {
        try (TestTable table = newTrinoTable("narrow", "WITH (row_group_size = '256kB') AS SELECT mod(x + y, 100) a FROM UNNEST(sequence(1, 1000)) t (x) CROSS JOIN UNNEST(sequence(1, 1000)) u (y)")) {
            long before = rowGroups(table);
            assertThat(before).isGreaterThan(10);
            optimize(table, OPTIMIZE);
            assertThat(rowGroups(table)).isLessThan(before / 2);
            assertThat(optimize(table, OPTIMIZE)).containsEntry("rewritten_row_groups_count", 0L);
            assertQuery("SELECT count(*), sum(a) FROM " + table.getName(), "VALUES (1000000, 49500000)");
        }
    }

    @Test
    void testDeletedRows()
    {
        try (TestTable table = newTrinoTable("deleted", "WITH (row_group_rows = 1000) AS SELECT n a FROM UNNEST(sequence(1, 2000)) t (n)")) {
            assertUpdate("DELETE FROM %s WHERE mod(a, 10) = 0 AND a <= 1000".formatted(table.getName()), 100);
            assertThat(optimize(table, OPTIMIZE)).containsEntry("removed_deleted_rows_count", 100L);
            assertQuery("SELECT sum(deleted_record_count), sum(record_count) FROM \"%s$files\"".formatted(table.getName()), "VALUES (0, 1900)");
            assertQuery("SELECT count(*), sum(a), count_if(mod(a, 10) = 0) FROM " + table.getName(), "SELECT 1900, 2001000 - 50500, 100");
            assertThat(optimize(table, OPTIMIZE)).containsEntry("rewritten_row_groups_count", 0L);
        }
    }

    @Test
    void testWhereSelectsRowGroups()
    {
        try (TestTable table = newTrinoTable("selected", "(a bigint, b varchar)")) {
            for (int i = 0; i < 6; i++) {
                assertUpdate("INSERT INTO %s VALUES (%s, 'x'), (%s, 'y')".formatted(table.getName(), i * 10, i * 10 + 5), 2);
            }
            // the row with 15 does not match, but its row group has one that does
            assertThat(optimize(table, OPTIMIZE + " WHERE a <= 10")).containsEntry("rewritten_row_groups_count", 2L).containsEntry("added_row_groups_count", 1L);
            assertQuery("SELECT count(*), sum(a), count(DISTINCT \"$row_group\") FROM " + table.getName(), "VALUES (12, 330, 5)");
            assertThat(optimize(table, OPTIMIZE + " WHERE a > 1000")).containsEntry("rewritten_row_groups_count", 0L);
            assertThat(computeActual((OPTIMIZE + " WHERE false").formatted(table.getName())).getRowCount()).isEqualTo(1);
            assertQuery("SELECT count(*), sum(a), count(DISTINCT \"$row_group\") FROM " + table.getName(), "VALUES (12, 330, 5)");
            for (String where : ImmutableList.of("mod(a, 2) = 0", "a = 10 AND rand() < 2", "b LIKE '%%x%%'", "\"$path\" = 'x'", "a + 0 = 10")) {
                assertThatThrownBy(() -> optimize(table, OPTIMIZE + " WHERE " + where)).as(where)
                        .hasMessage("Unexpected FilterNode found in plan; probably connector was not able to handle provided WHERE expression");
            }
            assertThatThrownBy(() -> optimize(table, OPTIMIZE + " WHERE a IN (SELECT 10)")).hasMessageContaining("probably connector was not able to handle provided WHERE expression");
            assertQuery("SELECT count(*), sum(a), count(DISTINCT \"$row_group\") FROM " + table.getName(), "VALUES (12, 330, 5)");
        }
    }

    @Test
    void testRowGroupSize()
    {
        try (TestTable table = newTrinoTable("sized", "WITH (row_group_size = '64kB') AS SELECT n a, to_hex(sha512(CAST(CAST(n AS varchar) AS varbinary))) b FROM (SELECT x + 10000 * y n FROM UNNEST(sequence(1, 10000)) t (x) CROSS JOIN (VALUES 0, 1) u (y))")) {
            long before = rowGroups(table);
            assertThat(before).isGreaterThan(3);
            optimize(table, OPTIMIZE + "(row_group_size => '10MB')");
            assertThat(rowGroups(table)).isEqualTo(1);
            assertQuery("SELECT count(*), sum(a), count(DISTINCT b) FROM " + table.getName(), "VALUES (20000, 200010000, 20000)");
            // a row group that is larger than the size, and is replaced because of a deleted row
            assertUpdate("DELETE FROM %s WHERE a = 20000".formatted(table.getName()), 1);
            optimize(table, OPTIMIZE + "(row_group_size => '64kB')");
            // the writer closes a row group after a page of 8,192 rows
            assertThat(rowGroups(table)).isEqualTo(3);
            assertQuery("SELECT count(*), sum(a), count(DISTINCT b) FROM " + table.getName(), "VALUES (19999, 199990000, 19999)");
            assertTrinoExceptionThrownBy(() -> optimize(table, OPTIMIZE + "(row_group_size => '1kB')"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessageContaining("row_group_size must be between 4kB and 1TB");
            assertTrinoExceptionThrownBy(() -> optimize(table, OPTIMIZE + "(file_size_threshold => '1MB')")).hasMessageContaining("file_size_threshold");
        }
    }

    @Test
    void testChangedColumns()
    {
        try (TestTable table = newTrinoTable("evolved", "(a integer, b varchar, c double)")) {
            assertUpdate("INSERT INTO %s VALUES (1, 'one', 1.5), (2, 'two', 2.5)".formatted(table.getName()), 2);
            assertUpdate("ALTER TABLE %s ADD COLUMN d bigint DEFAULT 7".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ADD COLUMN e row(x integer, y array(varchar))".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s DROP COLUMN b".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ALTER COLUMN a SET DATA TYPE bigint".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s RENAME COLUMN c TO f".formatted(table.getName()));
            assertUpdate("INSERT INTO %s VALUES (3000000000, 3.5, 8, ROW(1, ARRAY['p', NULL])), (NULL, NULL, NULL, NULL)".formatted(table.getName()), 2);
            MaterializedResult rows = computeActual("TABLE " + table.getName());
            assertThat(optimize(table, OPTIMIZE)).containsEntry("rewritten_row_groups_count", 2L).containsEntry("added_row_groups_count", 1L);
            assertThat(computeActual("TABLE " + table.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows.getMaterializedRows());
            assertQuery("SELECT a, f, d, e.x FROM " + table.getName(), "VALUES (1, 1.5, 7, NULL), (2, 2.5, 7, NULL), (3000000000, 3.5, 8, 1), (NULL, NULL, NULL, NULL)");
        }
    }

    @Test
    void testManyUnits()
    {
        try (TestTable table = newTrinoTable("units", "WITH (row_group_rows = 100) AS SELECT n a, -n b FROM UNNEST(sequence(1, 3000)) t (n)")) {
            assertUpdate("DELETE FROM %s WHERE mod(a, 3) = 0".formatted(table.getName()), 1000);
            assertUpdate("UPDATE %s SET b = 0 WHERE mod(a, 5) = 0".formatted(table.getName()), 400);
            String content = "SELECT count(*), sum(a), sum(b), count_if(b = 0) FROM " + table.getName();
            MaterializedResult before = computeActual(content);
            optimize(table, OPTIMIZE);
            assertThat(computeActual(content).getMaterializedRows()).isEqualTo(before.getMaterializedRows());
            assertQuery("SELECT sum(deleted_record_count), max(record_count) <= 100 FROM \"%s$files\"".formatted(table.getName()), "VALUES (0, true)");
            assertThat(optimize(table, OPTIMIZE)).containsEntry("rewritten_row_groups_count", 0L);
        }
    }

    @Test
    void testEmptyTable()
    {
        try (TestTable table = newTrinoTable("empty", "(a bigint)")) {
            assertThat(optimize(table, OPTIMIZE)).containsEntry("rewritten_row_groups_count", 0L);
            assertThat(version(table)).isEqualTo(1);
            assertThat((String) computeScalar("EXPLAIN " + OPTIMIZE.formatted(table.getName()))).contains("TableExecute");
        }
        assertQueryFails("ALTER TABLE missing EXECUTE optimize", ".*Table 'albis.*missing' does not exist");
    }

    @Test
    @Tag("slow")
    void testOtherStatementsDuringOptimize()
    {
        // rows that others add, or change in row groups that are not replaced, do not matter
        assertCommutes("INSERT INTO %s VALUES (100, 0, 0)", OPTIMIZE);
        assertCommutes("DELETE FROM %s WHERE id = 25", OPTIMIZE + " WHERE id < 20");
        // the new row groups would bring these rows back
        assertConflicts("DELETE FROM %s WHERE id = 25", OPTIMIZE);
        assertConflicts("UPDATE %s SET b = 7", OPTIMIZE);
        assertConflicts(OPTIMIZE, OPTIMIZE, "Another transaction has removed or rewritten row groups that this statement changes (row group ");
    }

    @Test
    @Tag("slow")
    void testMoreStatementsDuringOptimize()
    {
        assertCommutes("UPDATE %s SET b = 7 WHERE id > 20", OPTIMIZE + " WHERE id < 20");
        assertCommutes("COMMENT ON TABLE %s IS 'x'", OPTIMIZE);
        assertConflicts("DELETE FROM %s WHERE id <= 10", OPTIMIZE);
        assertConflicts("DELETE FROM %s", OPTIMIZE);
        assertConflicts("TRUNCATE TABLE %s", OPTIMIZE);
        assertConflicts("UPDATE %s SET b = 7 WHERE id = 25", OPTIMIZE);
        assertConflicts("MERGE INTO %s t USING (VALUES 7) s (v) ON id = v WHEN MATCHED THEN DELETE", OPTIMIZE);
        assertConflicts("ALTER TABLE %s ADD COLUMN d bigint", OPTIMIZE);
        assertConflicts("CREATE OR REPLACE TABLE %s AS SELECT 1 id, 2 a, 3 b", OPTIMIZE);
        assertConflicts("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)", OPTIMIZE);
    }

    @Test
    void testOptimizeDuringOtherStatements()
    {
        assertCommutes(OPTIMIZE, "INSERT INTO %s VALUES (100, 0, 0)");
        assertCommutes(OPTIMIZE + " WHERE id < 20", "DELETE FROM %s WHERE id = 25 AND a + 0 >= 0");
        assertCommutes(OPTIMIZE + " WHERE id < 20", "UPDATE %s SET b = 7 WHERE id > 20 AND a + 0 >= 0");
        // the rows are in other row groups now
        String rewritten = "Another transaction rewrote row groups of the part of the table that this statement has read, in versions 4 to 4. Retry the statement";
        assertConflicts(OPTIMIZE, "DELETE FROM %s WHERE id = 25", rewritten);
        assertConflicts(OPTIMIZE, "UPDATE %s SET b = 7", rewritten);
    }

    @Test
    @Tag("slow")
    void testOptimizeDuringMoreStatements()
    {
        assertConflicts(OPTIMIZE, "DELETE FROM %s WHERE id <= 10");
        assertConflicts(OPTIMIZE, "UPDATE %s SET b = 7 WHERE id = 25");
        assertConflicts(OPTIMIZE, "MERGE INTO %s t USING (VALUES 7) s (v) ON id = v WHEN MATCHED THEN UPDATE SET b = v");
    }

    /**
     * With this isolation level, too, no change is lost.
     */
    @Test
    @Tag("slow")
    void testSnapshotIsolation()
    {
        for (String statement : ImmutableList.of("DELETE FROM %s WHERE id = 25", "DELETE FROM %s WHERE id <= 10", "UPDATE %s SET b = 7")) {
            for (boolean optimizeFirst : new boolean[] {false, true}) {
                try (TestTable table = createTable()) {
                    assertUpdate("ALTER TABLE %s SET PROPERTIES isolation_level = 'SNAPSHOT'".formatted(table.getName()));
                    assertTrinoExceptionThrownBy(() -> run(table, optimizeFirst ? OPTIMIZE : statement, optimizeFirst ? statement : OPTIMIZE))
                            .hasErrorCode(TRANSACTION_CONFLICT);
                }
            }
        }
    }

    /**
     * Each statement that has succeeded is counted once in the rows, whatever ran at the same time.
     */
    @Test
    @Timeout(300)
    @Tag("slow")
    void testConcurrentStatements()
            throws Exception
    {
        try (TestTable table = createTable()) {
            List<String> statements = Stream.of(
                            "UPDATE %s SET b = b + 1 WHERE id = 7",
                            "MERGE INTO %s t USING (VALUES 17) s (v) ON id = v WHEN MATCHED THEN UPDATE SET b = b + 1",
                            "INSERT INTO %s VALUES (100, 0, 0)",
                            OPTIMIZE,
                            OPTIMIZE + " WHERE id < 10")
                    .map(sql -> sql.formatted(table.getName()))
                    .toList();
            ConcurrentStatements.run(getQueryRunner(), statements, 8, "(?s).*Retry the statement.*");
            MaterializedResult expected = computeActual("SELECT 28 + count_if(operation = 'append'), BIGINT '31', count_if(operation = 'overwrite') FROM \"%s$snapshots\"".formatted(table.getName()));
            assertThat(computeActual("SELECT count(*), count(DISTINCT id), sum(b) FROM " + table.getName()).getMaterializedRows()).isEqualTo(expected.getMaterializedRows());
            getQueryRunner().execute(OPTIMIZE.formatted(table.getName()));
            assertThat(rowGroups(table)).isEqualTo(1);
        }
    }

    @Test
    void testMaterializedView()
    {
        try (TestTable table = createTable()) {
            String view = table.getName() + "_view";
            assertUpdate("CREATE MATERIALIZED VIEW %s AS SELECT id, a FROM %s WHERE id <> 3".formatted(view, table.getName()));
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 29);
            optimize(table, OPTIMIZE);
            assertUpdate("INSERT INTO %s VALUES (100, 0, 0)".formatted(table.getName()), 1);
            // the row groups that the last refresh has read are gone
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 30);
            assertQuery("SELECT count(*), sum(id) FROM " + view, "VALUES (30, 465 - 3 + 100)");
            assertUpdate("INSERT INTO %s VALUES (101, 0, 0)".formatted(table.getName()), 1);
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 1);
            // the rows of the materialized view are small row groups, too
            assertThat(metrics(computeActual("ALTER TABLE \"%s$storage\" EXECUTE optimize".formatted(view)))).containsEntry("rewritten_row_groups_count", 2L);
            assertUpdate("INSERT INTO %s VALUES (102, 0, 0)".formatted(table.getName()), 1);
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 1);
            assertQuery("SELECT count(*), sum(id) FROM " + view, "VALUES (32, 462 + 303)");
            assertUpdate("DROP MATERIALIZED VIEW " + view);
        }
    }

    private void assertCommutes(String first, String second)
    {
        try (TestTable table = createTable(); TestTable expected = createExpectedTable()) {
            run(table, first, second);
            for (String statement : ImmutableList.of(first, second)) {
                if (!statement.startsWith(OPTIMIZE)) {
                    getQueryRunner().execute(statement.formatted(expected.getName()));
                }
            }
            assertSameRows(table, expected);
        }
    }

    private void assertConflicts(String first, String second)
    {
        assertConflicts(first, second, "Retry the statement");
    }

    private void assertConflicts(String first, String second, String message)
    {
        try (TestTable table = createTable(); TestTable expected = createExpectedTable()) {
            long before = version(table);
            assertTrinoExceptionThrownBy(() -> run(table, first, second)).as("%s, %s", first, second)
                    .hasErrorCode(TRANSACTION_CONFLICT)
                    .hasMessageContaining(message);
            assertThat(version(table)).isEqualTo(before + 1);
            if (!first.startsWith(OPTIMIZE)) {
                getQueryRunner().execute(first.formatted(expected.getName()));
            }
            assertSameRows(table, expected);
        }
    }

    private void assertSameRows(TestTable actual, TestTable expected)
    {
        List<MaterializedRow> rows = computeActual("TABLE " + expected.getName()).getMaterializedRows();
        assertThat(computeActual("TABLE " + actual.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows);
    }

    private TestTable createTable()
    {
        TestTable table = newTrinoTable("optimized", "AS SELECT n id, n a, n - n b FROM UNNEST(sequence(1, 10)) t (n)");
        for (int first : new int[] {11, 21}) {
            assertUpdate("INSERT INTO %s SELECT n, n, n - n FROM UNNEST(sequence(%s, %s)) t (n)".formatted(table.getName(), first, first + 9), 10);
        }
        return table;
    }

    /**
     * Creates a table that has the same rows, also in its first version.
     */
    private TestTable createExpectedTable()
    {
        TestTable table = newTrinoTable("expected", "AS SELECT n id, n a, n - n b FROM UNNEST(sequence(1, 10)) t (n)");
        assertUpdate("INSERT INTO %s SELECT n, n, n - n FROM UNNEST(sequence(11, 30)) t (n)".formatted(table.getName()), 20);
        return table;
    }

    private void run(TestTable table, String first, String second)
    {
        concurrent.set(() -> getQueryRunner().execute(first.formatted(table.getName())));
        try {
            getQueryRunner().execute(second.formatted(table.getName()));
        }
        finally {
            assertThat(concurrent.isPending()).isFalse();
        }
    }

    private Map<String, Long> optimize(TestTable table, String statement)
    {
        return metrics(computeActual(statement.formatted(table.getName())));
    }

    private static Map<String, Long> metrics(MaterializedResult result)
    {
        Map<String, Long> metrics = new HashMap<>();
        for (MaterializedRow row : result.getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics;
    }

    private long rowGroups(TestTable table)
    {
        return (long) computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()));
    }

    private long version(TestTable table)
    {
        return (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table.getName()));
    }
}
