package io.albis.trino.pushdown;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import io.trino.testing.sql.TestTable;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.EXPRESSION_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static io.trino.spi.StandardErrorCode.DIVISION_BY_ZERO;
import static io.trino.spi.StandardErrorCode.INVALID_CAST_ARGUMENT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Expressions on single columns, such as LIKE '%x%', that the reader evaluates once for each distinct value.
 */
@Execution(ExecutionMode.SAME_THREAD)
final class TestAlbisExpressionFilters
        extends AbstractTestQueryFramework
{
    private static final int ROWS = 60_000;
    private static final int DISTINCT = 37;

    // s has few values and a dictionary, u has more than fit into the dictionary of a small segment
    private static final String SELECT =
            """
            SELECT n id, IF(mod(n, 41) = 0, NULL, 'text ' || CAST(mod(n, 37) AS varchar)) s, 'unique ' || CAST(mod(n * 31, 5003) AS varchar) u, mod(n * 7919, 100003) k, mod(n * 13, 1009) p, CAST(n AS double) / 7 d
            FROM UNNEST(sequence(0, 59)) a (i) CROSS JOIN UNNEST(sequence(1, 1000)) b (j) CROSS JOIN LATERAL (SELECT i * 1000 + j n)
            """;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder().build();
        queryRunner.installPlugin(new CountingFunctions());
        return queryRunner;
    }

    @Test
    void testDictionary()
    {
        try (TestTable table = newTrinoTable("dictionary", "WITH (segment_size = '64kB') AS " + SELECT)) {
            String scan = " FROM %s WHERE ".formatted(table.getName());
            assertFiltered("SELECT count(*), sum(d)" + scan + "s LIKE '%t 1%7'");
            assertFiltered("SELECT count(*), sum(d)" + scan + "NOT s LIKE '%1%'");
            assertFiltered("SELECT count(*), sum(d)" + scan + "upper(substr(s, 3, 4)) || 'x' = 'XT 3x'");
            assertFiltered("SELECT count(*), sum(d)" + scan + "regexp_like(s, '[1-2]5$')");
            assertFiltered("SELECT count(*), sum(d)" + scan + "CAST(substr(s, 6) AS bigint) BETWEEN 5 AND 7");
            assertFiltered("SELECT count(*), sum(d)" + scan + "length(s) = 6 AND s LIKE '%5' AND id > 100");
            assertFiltered("SELECT count(*), sum(d)" + scan + "(length(s) = 6 OR s IS NULL) AND d > 5e0");
            assertFiltered("SELECT count(*), sum(d)" + scan + "(s LIKE '%7') IS NULL");
            assertFiltered("SELECT count(*)" + scan + "(length(s) = 7) IS NULL");
            // no value matches
            assertFiltered("SELECT * " + scan + "s LIKE '%x%y'");
            // the engine cannot evaluate COALESCE for the connector, and the reader has no values of two columns or
            // without a dictionary
            assertNotFiltered("SELECT count(*)" + scan + "coalesce(length(s), 0) = 0");
            assertNotFiltered("SELECT count(*)" + scan + "length(s) + id = 50");
            assertNotFiltered("SELECT count(*)" + scan + "u LIKE '%77'");
        }
    }

    /**
     * The reader evaluates an expression once for each distinct value of all dictionaries of a scan. Without the
     * reader, the engine evaluates it once for each entry of a dictionary.
     */
    @Test
    void testEvaluations()
    {
        try (TestTable table = newTrinoTable("evaluations", "WITH (segment_size = '64kB') AS " + SELECT)) {
            String none = "SELECT count(*) FROM %s WHERE counted_ends_with(s, 'x')".formatted(table.getName());
            assertThat(evaluations(getSession(), none)).isEqualTo(DISTINCT);
            long segments = run(getSession(), none).scanned("Albis segments");
            assertThat(segments).isGreaterThan(5);
            assertThat(evaluations(without(), none)).isBetween((long) DISTINCT, DISTINCT * segments);
            // the engine evaluates the entries again
            String some = "SELECT count(*), sum(d) FROM %s WHERE counted_ends_with(s, '5')".formatted(table.getName());
            assertThat(evaluations(getSession(), some)).isBetween((long) DISTINCT, DISTINCT * (segments + 1));
        }
    }

    private long evaluations(Session session, @Language("SQL") String query)
    {
        long before = CountingFunctions.CALLS.get();
        computeActual(session, query);
        return CountingFunctions.CALLS.get() - before;
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testIndex(String layout)
    {
        try (TestTable table = newTrinoTable("indexed", "WITH (layout = '%s', segment_size = '8kB', indexed_by = ARRAY['s', 'u', 'k', 'p']) AS %s".formatted(layout, SELECT))) {
            assertUpdate("DELETE FROM %s WHERE u = 'unique 17'".formatted(table.getName()), 12);
            String scan = " FROM %s WHERE ".formatted(table.getName());
            assertIndexed("SELECT count(*), sum(d)" + scan + "u LIKE '%e 17%'");
            assertFewerBytes("SELECT *" + scan + "substr(u, 8) = '4711'");
            assertIndexed("SELECT *" + scan + "length(u) = 8 AND s LIKE 'text 3%'");
            assertIndexed("SELECT *" + scan + "u LIKE '%177%' AND k BETWEEN 500 AND 2000");
            // the positions of neighboring values are read together
            assertIndexed("SELECT count(*)" + scan + "abs(p - 500) < 5");
            assertFewerBytes("SELECT count(*)" + scan + "u LIKE '%x'");
            // more values than are tested, and more rows than are worth a search
            assertNotFiltered("SELECT count(*)" + scan + "mod(k, 1000) = 77");
            assertThat(run(getSession(), "SELECT count(*)" + scan + "u LIKE '%1%'").scanned("Albis rows excluded by indexes")).isZero();
        }
    }

    /**
     * An expression that fails for some value fails the query only if a row has the value.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "indexed_by = ARRAY['s', 'n'], "})
    void testFailures(String index)
    {
        try (TestTable table = newTrinoTable("failures", "WITH (%ssegment_size = '64kB') AS SELECT id, IF(mod(id, 100) = 9, 'x', CAST(mod(id, 100) AS varchar)) s, mod(id, 100) - 9 n FROM (%s)".formatted(index, SELECT))) {
            String cast = "SELECT count(*), sum(id) FROM %s WHERE CAST(s AS bigint) = 7".formatted(table.getName());
            String divide = "SELECT count(*), sum(id) FROM %s WHERE 100 / n > 60".formatted(table.getName());
            assertTrinoExceptionThrownBy(() -> computeActual(cast)).hasErrorCode(INVALID_CAST_ARGUMENT);
            assertTrinoExceptionThrownBy(() -> computeActual(divide)).hasErrorCode(DIVISION_BY_ZERO);
            assertUpdate("DELETE FROM %s WHERE mod(id, 100) = 9".formatted(table.getName()), ROWS / 100);
            assertFiltered(cast);
            // the numbers have no dictionary
            if (index.isEmpty()) {
                assertNotFiltered(divide);
            }
            else {
                assertIndexed(divide);
            }
            assertFiltered("SELECT count(*), sum(id) FROM %s WHERE TRY_CAST(s AS bigint) = 7".formatted(table.getName()));
        }
    }

    @Test
    void testChangedColumns()
    {
        try (TestTable table = newTrinoTable("changed_columns", "WITH (segment_size = '64kB') AS SELECT id, s, CAST(mod(p, 10) AS integer) p FROM (%s)".formatted(SELECT))) {
            assertUpdate("ALTER TABLE %s ADD COLUMN plain varchar".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ADD COLUMN initial varchar DEFAULT 'abc'".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ALTER COLUMN p SET DATA TYPE bigint".formatted(table.getName()));
            assertUpdate("INSERT INTO %s VALUES (-1, 'text 1', 10000000003, 'plain', 'defg')".formatted(table.getName()), 1);
            String scan = "SELECT count(*), sum(id) FROM %s WHERE ".formatted(table.getName());
            assertFiltered(scan + "plain LIKE '%i%'");
            assertSame(scan + "(plain LIKE '%i%') IS NULL");
            assertFiltered(scan + "initial LIKE '%e%'");
            assertSame(scan + "initial LIKE '%b%'");
            assertSame(scan + "mod(p, 5) = 3");
        }
    }

    @Test
    void testPartsAndPartitions()
    {
        try (TestTable table = newTrinoTable("parts", "WITH (partitioned_by = ARRAY['q']) AS SELECT id, CAST(ROW(s, d) AS ROW(s varchar, d double)) r, 'part ' || CAST(mod(p, 3) AS varchar) q FROM (%s)".formatted(SELECT))) {
            String scan = "SELECT count(*), sum(id) FROM %s WHERE ".formatted(table.getName());
            assertFiltered(scan + "r.s LIKE '%t 1%'");
            assertFiltered(scan + "q LIKE '%1'");
            assertFiltered(scan + "(r.s LIKE '%t 1%') IS NULL");
        }
    }

    @Test
    void testChangesOfRows()
    {
        try (TestTable table = newTrinoTable("changes", "WITH (segment_size = '64kB') AS " + SELECT)) {
            long matching = (long) computeScalar(without(), "SELECT count(*) FROM %s WHERE s LIKE '%%5'".formatted(table.getName()));
            assertUpdate("UPDATE %s SET d = -1 WHERE s LIKE '%%5'".formatted(table.getName()), matching);
            assertQuery("SELECT count(*) FROM %s WHERE d = -1e0".formatted(table.getName()), "VALUES " + matching);
            assertUpdate("DELETE FROM %s WHERE s LIKE '%%5'".formatted(table.getName()), matching);
            assertQuery("SELECT count(*), count_if(s LIKE '%%5') FROM %s".formatted(table.getName()), "VALUES (%s, 0)".formatted(ROWS - matching));
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(table.getName()));
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES " + (ROWS - matching));
        }
    }

    /**
     * The rows that remain are few, so an aggregation, a limit, or an order must not count those of the scan.
     */
    @Test
    void testOtherPushdown()
    {
        try (TestTable table = newTrinoTable("pushdown", "AS " + SELECT)) {
            String scan = " FROM %s WHERE s LIKE '%%t 1%%7'".formatted(table.getName());
            assertFiltered("SELECT count(*), min(id), max(k)" + scan);
            assertFiltered("SELECT id" + scan + " ORDER BY d LIMIT 5");
            assertThat(computeActual("SELECT id" + scan + " LIMIT 5").getRowCount()).isEqualTo(5);
            assertFiltered("SELECT count(*) FROM (SELECT DISTINCT k" + scan + ")");
        }
    }

    private void assertFiltered(@Language("SQL") String query)
    {
        assertSame(query);
        assertThat((String) computeScalar("EXPLAIN " + query)).contains(" expressions on [");
        assertThat((String) computeScalar(without(), "EXPLAIN " + query)).doesNotContain("expressions on [");
        assertThat(run(getSession(), query).rows()).isLessThan(run(without(), query).rows());
    }

    private void assertNotFiltered(@Language("SQL") String query)
    {
        assertSame(query);
        assertThat(run(getSession(), query).rows()).isEqualTo(run(without(), query).rows());
    }

    private void assertIndexed(@Language("SQL") String query)
    {
        assertFiltered(query);
        assertThat((String) computeScalar("EXPLAIN " + query)).contains(" indexes on [");
        assertThat(run(getSession(), query).scanned("Albis rows excluded by indexes")).isPositive();
    }

    /**
     * Checks that the index saves bytes. It does not if there are matching rows in all segments.
     */
    private void assertFewerBytes(@Language("SQL") String query)
    {
        assertIndexed(query);
        ScanStatistics indexed = run(getSession(), query);
        Session scanning = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, INDEX_ENABLED, "false")
                .build();
        ScanStatistics scanned = run(scanning, query);
        assertThat(indexed.scanned("Albis bytes read")).isLessThan(scanned.scanned("Albis bytes read"));
        assertThat(indexed.scanned("Albis rows")).isLessThan(scanned.scanned("Albis rows"));
    }

    private void assertSame(@Language("SQL") String query)
    {
        assertThat(computeActual(query).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(computeActual(without(), query).getMaterializedRows());
    }

    private Session without()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, EXPRESSION_FILTERING, "false")
                .build();
    }

    private ScanStatistics run(Session session, @Language("SQL") String query)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(session, query);
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
    }
}
