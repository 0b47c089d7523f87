package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import io.trino.testing.sql.TestTable;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.EXPRESSION_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.ROW_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.ROW_GROUP_PRUNING;
import static io.albis.trino.config.AlbisSessionProperties.UPDATE_REWRITE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Filters with alternatives over several columns, such as {@code a = 1 OR b = 2}.
 */
@Execution(SAME_THREAD)
final class TestAlbisAlternatives
        extends AbstractTestQueryFramework
{
    // k and p are not sorted, and c has values that differ only in their padding
    private static final String SELECT =
            """
            SELECT
                n id,
                mod(n * 7919, 100003) k,
                IF(mod(n, 41) = 0, NULL, 'text ' || CAST(mod(n * 31, 5003) AS varchar)) s,
                CASE mod(n, 977) WHEN 0 THEN nan() WHEN 1 THEN -0e0 WHEN 2 THEN 0e0 WHEN 3 THEN NULL ELSE CAST(mod(n * 13, 1009) AS double) END d,
                CAST('c' || CAST(mod(n * 17, 4001) AS varchar) AS char(8)) c
            FROM UNNEST(sequence(0, 59)) a (i) CROSS JOIN UNNEST(sequence(1, 1000)) b (j) CROSS JOIN LATERAL (SELECT i * 1000 + j n)
            """;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testIndexes(String layout)
    {
        try (TestTable table = newTrinoTable("alternatives", "WITH (layout = '%s', segment_size = '8kB', indexed_by = ARRAY['k', 's', 'd', 'c']) AS %s".formatted(layout, SELECT))) {
            assertUpdate("DELETE FROM %s WHERE k = 1".formatted(table.getName()), 1);
            String scan = "SELECT * FROM %s WHERE ".formatted(table.getName());
            assertIndexed(scan + "k = 77 OR s = 'text 17'", "[k, s]");
            assertIndexed(scan + "k IN (1, 3, 77) OR (s = 'text 17' AND d < 500e0) OR c = 'c17'", "[c, d, k, s]");
            assertIndexed(scan + "NOT (k > 100 AND (s IS NOT NULL OR d <> 5e0))", "[d, k, s]");
            assertIndexed(scan + "(k BETWEEN 100 AND 120 OR c IN ('c1', 'c2')) AND id > 1000", "[c, k]");
            assertIndexed(scan + "k = 77 OR s IS NOT DISTINCT FROM 'text 18'", "[k, s]");
            // NaN differs from all numbers
            assertIndexed(scan + "(d <> 5e0 AND k < 50) OR d = 0e0", "[d, k]");
            assertIndexed(scan + "k < 50 OR (d = -0e0 AND c > 'c17')", "[c, d, k]");
            // an expression on a single column
            assertIndexed(scan + "k = 77 OR s LIKE '%xt 177%'", "[k, s]");
            // bounds of the column by which the rows are sorted
            assertIndexed(scan + "id BETWEEN 20 AND 30 OR k = 77", "[id, k]");
            // one alternative matches too many rows, or has neither an index nor bounds
            assertSame(scan + "k = 77 OR d > 5e0");
            assertSame(scan + "k = 77 OR mod(id, 100) = 5");
            assertThat(run(getSession(), scan + "k = 77 OR mod(id, 100) = 5").scanned("Albis rows excluded by indexes")).isZero();
        }
    }

    /**
     * Row groups and segments in which no alternative can match are not read.
     */
    @Test
    void testBounds()
    {
        assertUpdate(SortedLoad.session(getSession()), "CREATE TABLE bounds WITH (segment_size = '8kB', row_group_rows = 10000) AS SELECT *, -id m FROM (%s) ORDER BY id".formatted(SELECT), 60_000);
        String query = "SELECT count(*), sum(k) FROM bounds WHERE id < 100 OR (k > 77 AND m < -59000)";
        assertSame(query);
        ScanStatistics statistics = run(getSession(), query);
        assertThat(statistics.split("Albis row groups pruned")).isEqualTo(4);
        assertThat(statistics.rows()).isLessThan(20_000);
        assertThat(statistics.scanned("Albis segments skipped")).isPositive();
        assertThat(run(without(), query).split("Albis row groups pruned")).isZero();
        assertThat(run(with(ROW_GROUP_PRUNING, "false"), query).split("Albis row groups pruned")).isZero();
        assertThat(computeActual(with(ROW_GROUP_PRUNING, "false"), query).getMaterializedRows()).isEqualTo(computeActual(without(), query).getMaterializedRows());
        assertUpdate("DROP TABLE bounds");
    }

    @Test
    void testPlan()
    {
        try (TestTable table = newTrinoTable("plan", "WITH (indexed_by = ARRAY['k']) AS SELECT * FROM (%s) LIMIT 10".formatted(SELECT))) {
            String query = "EXPLAIN SELECT * FROM %s WHERE (k = 1 OR s = 'x') AND id > 5".formatted(table.getName());
            assertThat((String) computeScalar(query)).contains("prune by [id] alternatives on [k, s] indexes on [k]", "filterPredicate = ");
            assertThat((String) computeScalar(without(), query)).contains("prune by [id]").doesNotContain("alternatives on");
            assertThat((String) computeScalar(with(INDEX_ENABLED, "false"), query)).contains("alternatives on [k, s]").doesNotContain("indexes on");
            // the domain of a single column is enforced
            assertThat((String) computeScalar("EXPLAIN SELECT * FROM %s WHERE k = 1 OR k > 7".formatted(table.getName()))).contains("constraint on [k]").doesNotContain("alternatives on");
            assertSame("SELECT count(*) FROM %s WHERE k = 1 OR s = 'x' OR id > 5".formatted(table.getName()));
            assertSame("SELECT id FROM %s WHERE k = 1 OR s = 'x' OR id > 5 ORDER BY id LIMIT 3".formatted(table.getName()));
            assertThat(computeActual("SELECT id FROM %s WHERE k > 1 OR s = 'x' LIMIT 3".formatted(table.getName())).getRowCount()).isEqualTo(3);
        }
    }

    @Test
    void testChangedRows()
    {
        try (TestTable table = newTrinoTable("changed", "WITH (segment_size = '8kB', indexed_by = ARRAY['k', 's']) AS " + SELECT)) {
            String filter = "k = 77 OR s = 'text 17' OR s = 'new'";
            Session inPlace = with(UPDATE_REWRITE_THRESHOLD, "0");
            long matching = (long) computeScalar(without(), "SELECT count(*) FROM %s WHERE %s".formatted(table.getName(), filter));
            assertUpdate(inPlace, "UPDATE %s SET s = 'new' WHERE %s".formatted(table.getName(), filter), matching);
            assertIndexed("SELECT * FROM %s WHERE %s".formatted(table.getName(), filter), "[k, s]");
            assertQuery("SELECT count(*) FROM %s WHERE s = 'new' OR k = -1".formatted(table.getName()), "VALUES " + matching);
            assertUpdate("DELETE FROM %s WHERE s = 'new' OR k IN (1, 2, 3)".formatted(table.getName()), (long) computeScalar(without(), "SELECT count(*) FROM %s WHERE s = 'new' OR k IN (1, 2, 3)".formatted(table.getName())));
            assertQuery("SELECT count(*) FROM %s WHERE s = 'new' OR k IN (1, 2, 3)".formatted(table.getName()), "VALUES 0");
            assertThat((long) computeScalar("SELECT count(*) FROM %s FOR VERSION AS OF 2 WHERE s = 'new' OR k = -1".formatted(table.getName()))).isEqualTo(matching);
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(table.getName()));
            assertIndexed("SELECT * FROM %s WHERE k = 500 OR s = 'text 18'".formatted(table.getName()), "[k, s]");
        }
    }

    @Test
    void testChangedColumns()
    {
        try (TestTable table = newTrinoTable("columns", "WITH (segment_size = '8kB', indexed_by = ARRAY['k', 's']) AS SELECT id, CAST(k AS integer) k, s FROM (%s)".formatted(SELECT))) {
            assertUpdate("ALTER TABLE %s ADD COLUMN plain varchar".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ADD COLUMN initial varchar DEFAULT 'abc'".formatted(table.getName()));
            String scan = "SELECT * FROM %s WHERE ".formatted(table.getName());
            assertIndexed(scan + "k = 77 OR plain = 'x'", "[k, plain]");
            assertIndexed(scan + "k = 77 OR initial LIKE 'x%'", "[initial, k]");
            assertIndexed(scan + "k = 77 OR (s = 'text 18' AND initial = 'abc')", "[initial, k, s]");
            assertSame(scan + "k = 77 OR (id < 5 AND plain IS NULL)");
            assertSame(scan + "k = 77 OR initial = 'abc'");
            // a widened column is read without its index
            assertUpdate("ALTER TABLE %s ALTER COLUMN k SET DATA TYPE bigint".formatted(table.getName()));
            assertSame(scan + "k = 77 OR s = 'text 18'");
            computeActual("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['k'])".formatted(table.getName()));
            assertIndexed(scan + "k = 77 OR s = 'text 18'", "[k, s]");
        }
    }

    @Test
    void testNestedColumns()
    {
        try (TestTable table = newTrinoTable("nested", "WITH (segment_size = '8kB', row_group_rows = 10000, indexed_by = ARRAY['k']) AS SELECT id, k, CAST(ROW(id, s) AS ROW(i bigint, s varchar)) r, sequence(1, mod(id, 4)) a FROM (%s)".formatted(SELECT))) {
            String scan = "SELECT count(*), sum(id) FROM %s WHERE ".formatted(table.getName());
            assertSame(scan + "k = 77 OR r.s = 'text 17'");
            assertSame(scan + "(k < 50 AND element_at(a, 2) = 2) OR r.i < 100");
            assertSame(scan + "k = 77 OR element_at(a, 3) IS NOT NULL OR cardinality(a) = 1");
            assertSame(scan + "k = 77 OR r IS NULL");
        }
    }

    @Test
    void testDynamicFilter()
    {
        try (TestTable table = newTrinoTable("dynamic", "WITH (segment_size = '8kB', indexed_by = ARRAY['k', 's']) AS " + SELECT)) {
            assertSame("SELECT t.* FROM %s t JOIN (VALUES 77, 500, 900) v (k) ON t.k = v.k WHERE t.s LIKE 'text %%1' OR t.id < 30000 OR t.c = 'c1'".formatted(table.getName()));
            assertSame("SELECT t.* FROM %s t WHERE (k < 100 OR s = 'text 17') AND id IN (SELECT id FROM %1$s WHERE k = 77 OR s = 'text 17')".formatted(table.getName()));
        }
    }

    @Test
    void testChanges()
    {
        try (TestTable table = newTrinoTable("changes", "WITH (segment_size = '8kB', indexed_by = ARRAY['k', 's']) AS " + SELECT)) {
            assertUpdate("DELETE FROM %s WHERE k = 77 OR s = 'text 17'".formatted(table.getName()), (long) computeScalar(without(), "SELECT count(*) FROM %s WHERE k = 77 OR s = 'text 17'".formatted(table.getName())));
            assertSame("SELECT * FROM TABLE(system.table_changes(schema_name => '%s', table_name => '%s', start_snapshot_id => 1, end_snapshot_id => 2)) WHERE k = 77 OR s = 'text 17'".formatted(getSession().getSchema().orElseThrow(), table.getName()));
        }
    }

    private void assertIndexed(@Language("SQL") String query, String columns)
    {
        assertSame(query);
        assertThat((String) computeScalar("EXPLAIN " + query)).contains(" alternatives on " + columns, " indexes on [");
        ScanStatistics statistics = run(getSession(), query);
        assertThat(statistics.scanned("Albis rows excluded by indexes")).isPositive();
        assertThat(statistics.rows()).isLessThan(run(without(), query).rows());
        Session filtering = with(ROW_FILTERING, "false");
        assertThat(run(filtering, query).scanned("Albis rows excluded by indexes")).isZero();
    }

    private void assertSame(@Language("SQL") String query)
    {
        assertThat(computeActual(query).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(computeActual(without(), query).getMaterializedRows());
    }

    private Session without()
    {
        return with(EXPRESSION_FILTERING, "false");
    }

    private Session with(String property, String value)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, property, value)
                .build();
    }

    private ScanStatistics run(Session session, @Language("SQL") String query)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(session, query);
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
    }
}
