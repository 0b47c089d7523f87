package io.albis.trino.nested;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.trino.Session;
import io.trino.sql.planner.plan.FilterNode;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Queries of fields of rows read and filter only these fields.
 */
final class TestAlbisFieldPushdown
        extends AbstractTestQueryFramework
{
    private static final String ROWS =
            """
            SELECT id, IF(id % 7 = 0, NULL, CAST(ROW(id, 'text ' || CAST(id AS varchar), IF(id % 5 = 0, NULL, ROW(id % 3 = 0, ARRAY[id])), id * 2) AS row(n bigint, s varchar, "In" row(b boolean, a array(bigint)), bigint))) r
            FROM UNNEST(sequence(1, 9900)) t (id)
            """;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
    }

    private TestTable newTable()
    {
        return newTrinoTable("test_fields", "AS " + ROWS);
    }

    @Test
    void testFilters()
    {
        try (TestTable table = newTable()) {
            for (String predicate : new String[] {
                    "r.n = 8",
                    "r.n BETWEEN 100 AND 200 AND r.s < 'text 15'",
                    "r.n IS NULL",
                    "r.s IS NOT NULL",
                    "r.\"In\" IS NULL",
                    "r.\"In\".b",
                    "r.\"In\".b IS NULL AND r IS NOT NULL",
                    "r.\"In\".a IS NOT NULL AND r[4] > 19000",
                    "r.s IN ('text 1', 'text 7', 'text 8') OR r.s > 'text 98'",
            }) {
                String sql = "SELECT id, r.\"In\".b, r FROM TABLE_NAME WHERE " + predicate;
                assertThat(query(sql.replace("TABLE_NAME", table.getName()))).isFullyPushedDown();
                assertThat(query(sql.replace("TABLE_NAME", table.getName()))).matches(sql.replace("TABLE_NAME", "(" + ROWS + ")"));
            }
            // the engine compares arrays
            assertThat(query("SELECT id FROM %s WHERE r.\"In\".a = ARRAY[8]".formatted(table.getName()))).isNotFullyPushedDown(FilterNode.class).matches("VALUES BIGINT '8'");
            assertThat(query("SELECT count(*) FROM %1$s x JOIN %1$s y ON x.r.n = y.r[4] WHERE y.id < 20".formatted(table.getName()))).matches("VALUES BIGINT '17'");
            assertThat(query("SELECT sum(r.n), max(r.\"In\".a[1]), count(r.s) FROM " + table.getName())).matches("SELECT sum(r.n), max(r.\"In\".a[1]), count(r.s) FROM (%s)".formatted(ROWS));
        }
    }

    /**
     * A lambda expression captures columns. The engine shows the connector those that it can translate only.
     */
    @Test
    void testLambdas()
    {
        try (TestTable table = newTable()) {
            for (String select : new String[] {
                    "TRY(100 / id), r.n",
                    "TRY(r.n / 2), r.s",
                    "transform(r.\"In\".a, x -> x + id), r.n",
                    "transform(r.\"In\".a, x -> x + r.n), r.s",
                    "transform(r.\"In\".a, x -> IF(x = 2, 0, x * id)), r.n",
                    "TRY(IF(id > 0, 100 / id)), r.n",
                    "TRY(IF(id > 0, 100 / id))",
                    "id, TRY(IF(id > 0, 100 / id))",
                    "id + 1, r.n, TRY(IF(id > 0, 100 / (id + r.n)))",
            }) {
                String sql = "SELECT %s FROM TABLE_NAME".formatted(select);
                assertThat(query(sql.replace("TABLE_NAME", table.getName()))).as(select).matches(sql.replace("TABLE_NAME", "(" + ROWS + ")"));
            }
            // Trino plans this query wrongly if a connector replaces any field
            String captured = "SELECT transform(r.\"In\".a, x -> IF(x = 2, r.n, x * id)), r.s, id FROM TABLE_NAME";
            assertThatThrownBy(() -> computeActual(captured.replace("TABLE_NAME", table.getName()))).hasMessageContaining("Invalid node. Expression dependencies");
            Session session = Session.builder(getSession())
                    .setCatalogSessionProperty("albis", "projection_pushdown_enabled", "false")
                    .build();
            assertThat(query(session, captured.replace("TABLE_NAME", table.getName()))).matches(captured.replace("TABLE_NAME", "(" + ROWS + ")"));
        }
    }

    @Test
    void testReadBytes()
    {
        try (TestTable table = newTable()) {
            long all = bytes("SELECT r FROM " + table.getName());
            // 9,900 numbers of 2 bytes, and their validity
            assertThat(bytes("SELECT r.n FROM " + table.getName())).isLessThan(40_000);
            assertThat(bytes("SELECT id FROM %s WHERE r.\"In\".b AND r.n > 9800".formatted(table.getName()))).isLessThan(70_000);
            assertThat(all).isGreaterThan(140_000);
            // the field is read twice
            assertThat(bytes("SELECT r, r.n FROM " + table.getName())).isBetween(all + 1, all + 40_000);
        }
    }

    private long bytes(String sql)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(getSession(), sql);
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId()).scanned("Albis bytes read");
    }

    /**
     * Statements that change rows read fields, and DELETE by the bounds of whole columns must not use them for fields.
     */
    @Test
    void testRowChanges()
    {
        try (TestTable table = newTable()) {
            String name = table.getName();
            assertUpdate("UPDATE %s SET id = -r.n WHERE r.n < 100".formatted(name), 85);
            assertQuery("SELECT count(*), sum(id) FROM %s WHERE id < 0".formatted(name), "VALUES (85, -4215)");
            assertUpdate("DELETE FROM %s WHERE r.\"In\" IS NULL".formatted(name), 3112);
            assertQuery("SELECT count(*) FROM " + name, "VALUES 6788");
            assertUpdate("MERGE INTO %s t USING (VALUES 1, 8, 10000) s (n) ON t.r.n = s.n WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.n, NULL)".formatted(name), 3);
            assertUpdate("DELETE FROM %s WHERE r.n IS NOT NULL".formatted(name), 6786);
            assertQuery("SELECT id, r.s FROM " + name, "VALUES (10000, NULL)");
            assertUpdate("DELETE FROM %s WHERE r.n IS NULL".formatted(name), 1);
            assertQueryReturnsEmptyResult("TABLE " + name);
        }
    }

    /**
     * A row group without a column has null fields, and so has one in which the column is null in all rows.
     */
    @Test
    void testMissingColumn()
    {
        try (TestTable table = newTrinoTable("test_missing_fields", "AS SELECT 1 id")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ADD COLUMN r row(n bigint)".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (2, NULL)".formatted(name), 1);
            assertUpdate("INSERT INTO %s VALUES (3, ROW(NULL)), (4, ROW(4))".formatted(name), 2);
            assertQuery("SELECT id, r.n FROM " + name, "VALUES (1, NULL), (2, NULL), (3, NULL), (4, 4)");
            assertQuery("SELECT id FROM %s WHERE r.n IS NULL".formatted(name), "VALUES 1, 2, 3");
            assertQuery("SELECT id FROM %s WHERE r.n IS NOT NULL".formatted(name), "VALUES 4");
            assertQuery("SELECT id FROM %s WHERE r.n = 4".formatted(name), "VALUES 4");
            assertQueryReturnsEmptyResult("SELECT id FROM %s WHERE r.n < 4".formatted(name));
            assertUpdate("DELETE FROM %s WHERE r.n IS NULL".formatted(name), 3);
            assertQuery("SELECT id FROM " + name, "VALUES 4");
        }
    }
}
