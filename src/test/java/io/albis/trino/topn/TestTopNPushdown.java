package io.albis.trino.topn;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.TOPN_PUSHDOWN_ENABLED;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query with ORDER BY and LIMIT reads its sort key, and the other columns only of rows that may be among the first.
 */
final class TestTopNPushdown
        extends AbstractTestQueryFramework
{
    private static final int COLUMNS = 100;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().build();
        Session session = SortedLoad.session(queryRunner.getDefaultSession());
        for (String table : new String[] {"numbers", "changed"}) {
            queryRunner.execute(session, "CREATE TABLE %s WITH (row_group_rows = 10) AS SELECT k, IF(k %% 10 = 0, NULL, k) n, CAST(k AS double) d, k %% 3 m FROM UNNEST(sequence(1, 100)) t (k) ORDER BY k".formatted(table));
        }
        // one row group with many segments of several runs each
        queryRunner.execute(session, "CREATE TABLE wide AS SELECT k, (k * 7919) % 400009 s, k % 4 m, CAST(k AS double) d, k % 50 t, " +
                IntStream.range(0, COLUMNS).mapToObj("k * 3 + %1$s c%1$s"::formatted).collect(joining(", ")) +
                " FROM UNNEST(sequence(1, 400)) a (i) CROSS JOIN UNNEST(sequence(1, 1000)) b (j) CROSS JOIN LATERAL (SELECT (i - 1) * 1000 + j k) ORDER BY k");
        return queryRunner;
    }

    @Test
    void testRowGroups()
    {
        assertRowGroups("SELECT * FROM numbers ORDER BY k LIMIT 3", 1);
        assertRowGroups("SELECT * FROM numbers ORDER BY k DESC LIMIT 3", 1);
        assertRowGroups("SELECT * FROM numbers ORDER BY k DESC LIMIT 11", 2);
        assertRowGroups("SELECT * FROM numbers ORDER BY k OFFSET 5 LIMIT 5", 1);
        // each row group has a null and nine values
        assertRowGroups("SELECT * FROM numbers ORDER BY n LIMIT 9", 1);
        assertRowGroups("SELECT * FROM numbers ORDER BY n LIMIT 10", 2);
        assertRowGroups("SELECT * FROM numbers ORDER BY n DESC LIMIT 9", 1);
        assertRowGroups("SELECT * FROM numbers ORDER BY n DESC NULLS FIRST, k LIMIT 9", 10);
        assertRowGroups("SELECT * FROM numbers WHERE k BETWEEN 21 AND 60 ORDER BY k DESC LIMIT 3", 1);
        // it is not known how many rows of the row group match
        assertRowGroups("SELECT * FROM numbers WHERE k BETWEEN 21 AND 55 ORDER BY k DESC LIMIT 3", 2);
        assertRowGroups("SELECT * FROM numbers WHERE m = 1 ORDER BY k DESC LIMIT 3", 10);
        // NaN may be in any row group
        assertRowGroups("SELECT * FROM numbers ORDER BY d DESC LIMIT 3", 10);
        assertRowGroups("SELECT * FROM numbers ORDER BY k, m LIMIT 3", 1);
    }

    @Test
    void testDeletedRows()
    {
        assertUpdate("DELETE FROM changed WHERE k % 10 < 8", 80);
        assertRowGroups("SELECT * FROM changed ORDER BY k LIMIT 2", 1);
        assertRowGroups("SELECT * FROM changed ORDER BY k LIMIT 3", 2);
        assertRowGroups("SELECT * FROM changed ORDER BY k DESC LIMIT 20", 10);
        assertRowGroups("SELECT * FROM changed FOR VERSION AS OF 1 ORDER BY k DESC LIMIT 20", 2);
    }

    @Test
    void testReadBytes()
    {
        long whole = scanned(without(), "SELECT * FROM wide ORDER BY s LIMIT 10", "Albis bytes read");
        // The sort key, and of the other columns the runs with rows that were among the first ones of those before
        // them. Their number grows with the logarithm of the number of rows, so a small table reads many of its runs
        assertThat(rows("SELECT * FROM wide ORDER BY s LIMIT 10")).isLessThan(200);
        assertThat(scanned(getSession(), "SELECT * FROM wide ORDER BY s LIMIT 10", "Albis bytes read")).isLessThan(whole * 2 / 3);
        // bounds do not cover NaN, so the whole column is read
        assertThat(rows("SELECT * FROM wide ORDER BY d DESC LIMIT 10")).isLessThan(200);
        for (String order : new String[] {"k", "k DESC", "k, m", "k DESC, m", "c7", "c7 DESC"}) {
            MaterializedResultWithPlan result = run(getSession(), "SELECT * FROM wide ORDER BY %s LIMIT 10".formatted(order));
            ScanStatistics statistics = ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
            assertThat(statistics.scanned("Albis bytes read")).as(order).isLessThan(whole / 10);
            assertThat(statistics.scanned("Albis segments skipped")).as(order).isPositive();
        }
        // strictly fewer rows than the equal ones
        assertThat(rows("SELECT * FROM wide ORDER BY t LIMIT 10")).isLessThan(100);
        // the second key decides about 8,000 rows that are equal in the first one
        assertThat(rows("SELECT * FROM wide ORDER BY t, k LIMIT 10")).isLessThan(100);
        assertThat(rows("SELECT * FROM wide ORDER BY t DESC, s DESC LIMIT 10")).isLessThan(500);
        // the scan cannot compare the third one, and the first two have many equal rows
        assertThat(rows("SELECT * FROM wide ORDER BY t, m, \"$row_position\" LIMIT 10")).isBetween(4000L, 8010L);
        assertThat(scanned(getSession(), "SELECT * FROM wide WHERE m = 1 ORDER BY k DESC LIMIT 10", "Albis bytes read")).isLessThan(whole / 4);
        assertThat(scanned(getSession(), "SELECT * FROM wide ORDER BY s LIMIT 10", "Albis rows dropped by top N")).isPositive();
        assertThat(scanned(without(), "SELECT * FROM wide ORDER BY s LIMIT 10", "Albis rows dropped by top N")).isZero();
    }

    private long rows(String query)
    {
        return ScanStatistics.of(getDistributedQueryRunner(), run(getSession(), query).queryId()).rows();
    }

    @Test
    void testPlan()
    {
        assertThat(explain(getSession(), "SELECT * FROM numbers ORDER BY k DESC LIMIT 7")).contains("manifest bounds on [k] topN=7 by [k DESC NULLS LAST]");
        assertThat(explain(getSession(), "SELECT * FROM numbers ORDER BY n NULLS FIRST, k LIMIT 7")).contains("topN=7 by [n ASC NULLS FIRST, k ASC NULLS LAST]");
        assertThat(explain(getSession(), "SELECT * FROM numbers ORDER BY n, m, \"$row_position\", k LIMIT 7")).contains("topN=7 by [n ASC NULLS LAST, m ASC NULLS LAST, ...]");
        assertThat(explain(getSession(), "SELECT * FROM numbers WHERE k > 5 ORDER BY k OFFSET 2 LIMIT 7")).contains("topN=9 by [k ASC NULLS LAST]");
        assertThat(explain(without(), "SELECT * FROM numbers ORDER BY k DESC LIMIT 7")).doesNotContain("topN=");
        // the engine evaluates a predicate, or the order is not that of a column
        for (String query : new String[] {
                "SELECT * FROM numbers WHERE k % 7 = 1 ORDER BY k LIMIT 3",
                "SELECT * FROM numbers WHERE \"$row_position\" = 3 ORDER BY k LIMIT 3",
                "SELECT * FROM numbers ORDER BY -k LIMIT 3",
                "SELECT * FROM numbers ORDER BY \"$row_position\" LIMIT 3",
                "SELECT m, max(k) FROM numbers GROUP BY m ORDER BY m LIMIT 3",
                "SELECT * FROM numbers ORDER BY k FETCH FIRST 3 ROWS WITH TIES",
                "SELECT * FROM numbers ORDER BY k LIMIT 200000",
                "SELECT * FROM numbers ORDER BY k",
                "SELECT * FROM numbers ORDER BY k LIMIT 0",
                "SELECT * FROM (SELECT * FROM numbers LIMIT 50) ORDER BY k LIMIT 3",
        }) {
            assertThat(explain(getSession(), query)).as(query).doesNotContain("topN=");
        }
    }

    @Test
    void testOtherPlans()
    {
        String last = "(SELECT * FROM numbers ORDER BY k DESC LIMIT 3)";
        assertQuery("SELECT a.k, b.k FROM %1$s a JOIN %1$s b ON a.k = b.k".formatted(last), "VALUES (98, 98), (99, 99), (100, 100)");
        assertQuery("SELECT k FROM %1$s UNION ALL SELECT k FROM %1$s".formatted(last), "VALUES 98, 99, 100, 98, 99, 100");
        assertQuery("SELECT k FROM (SELECT * FROM numbers UNION ALL SELECT * FROM numbers) ORDER BY k DESC LIMIT 3", "VALUES 100, 100, 99");
        assertQuery("SELECT k FROM %s WHERE m = 1".formatted(last), "VALUES 100");
        assertQuery("SELECT k FROM %s ORDER BY m LIMIT 1".formatted(last), "VALUES 99");
        assertQuery("SELECT k FROM %s ORDER BY k LIMIT 1".formatted(last), "VALUES 98");
        assertQuery("SELECT a.k, b.n FROM numbers a LEFT JOIN numbers b ON a.k = b.n AND b.m = 1 ORDER BY a.k DESC LIMIT 3", "VALUES (100, NULL), (99, NULL), (98, NULL)");
        assertQuery("SELECT a.k FROM numbers a JOIN numbers b ON a.k = b.n WHERE b.m = 1 ORDER BY a.k DESC LIMIT 2", "VALUES 97, 94");
        assertQuery("SELECT k FROM %s WHERE k IN (SELECT n FROM numbers WHERE m = 0)".formatted(last), "VALUES 99");
        assertQuery("SELECT a.k FROM %s a JOIN (SELECT k FROM numbers WHERE m = 2) b ON a.k = b.k".formatted(last), "VALUES 98");
        assertQuery("SELECT count(*) FROM (SELECT 1 FROM numbers ORDER BY k LIMIT 42)", "VALUES 42");
        assertQuery("SELECT k, count(*) OVER () FROM %s".formatted(last), "VALUES (98, 3), (99, 3), (100, 3)");
        assertQuery("WITH w AS (SELECT * FROM numbers ORDER BY n DESC NULLS FIRST LIMIT 12) SELECT count(*), count(n), min(n) FROM w", "VALUES (12, 2, 98)");
    }

    @Test
    void testChangesOfFirstRows()
    {
        assertUpdate("CREATE TABLE updated WITH (row_group_rows = 10) AS SELECT * FROM numbers", 100);
        assertUpdate("DELETE FROM updated WHERE k IN (SELECT k FROM updated ORDER BY k DESC LIMIT 5)", 5);
        assertUpdate("UPDATE updated SET n = -1 WHERE k IN (SELECT k FROM updated ORDER BY k LIMIT 5)", 5);
        assertUpdate("MERGE INTO updated t USING (SELECT * FROM updated ORDER BY k DESC LIMIT 2) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET n = -2", 2);
        assertUpdate("INSERT INTO updated SELECT k + 1000, n, d, m FROM updated ORDER BY k DESC LIMIT 3", 3);
        assertQuery("SELECT k FROM updated WHERE n = -1", "VALUES 1, 2, 3, 4, 5");
        assertQuery("SELECT k FROM updated WHERE n = -2", "VALUES 94, 95, 1094, 1095");
        assertQuery("SELECT max(k), count(*) FROM updated", "VALUES (1095, 98)");
        assertUpdate("DROP TABLE updated");
    }

    @Test
    void testOtherTypes()
    {
        assertUpdate("CREATE TABLE nested WITH (row_group_rows = 10) AS SELECT k, CAST(ROW(k % 17, 'x' || CAST(k AS varchar)) AS row(a bigint, b varchar)) r, IF(k % 5 = 0, NULL, ARRAY[k]) a FROM numbers", 100);
        assertThat(explain(getSession(), "SELECT r.a, k FROM nested ORDER BY r.a DESC LIMIT 3")).contains("topN=3 by [r.a DESC NULLS LAST]");
        assertQuery("SELECT r.a FROM nested ORDER BY r.a DESC LIMIT 3", "VALUES 16, 16, 16");
        assertQuery("SELECT k, r.b FROM nested ORDER BY r.a DESC, k DESC LIMIT 2", "VALUES (84, 'x84'), (67, 'x67')");
        assertThat(explain(getSession(), "SELECT * FROM nested ORDER BY a LIMIT 3")).doesNotContain("topN=");
        assertQuery("SELECT a[1] FROM nested ORDER BY a DESC LIMIT 3", "VALUES 99, 98, 97");
        assertUpdate("DROP TABLE nested");
    }

    /**
     * Row groups have bounds of fields of rows, too.
     */
    @Test
    void testFields()
    {
        assertUpdate(SortedLoad.session(getSession()), "CREATE TABLE fields WITH (row_group_rows = 10) AS SELECT k, IF(k % 10 = 0, NULL, CAST(ROW(k, ROW(k + 1, 'x')) AS row(a bigint, b row(c bigint, d varchar)))) r FROM numbers ORDER BY k", 100);
        assertRowGroups("SELECT k FROM fields ORDER BY r.a LIMIT 3", 1);
        assertRowGroups("SELECT k, r FROM fields ORDER BY r.a DESC LIMIT 9", 1);
        // each row group has a null and nine values
        assertRowGroups("SELECT k FROM fields ORDER BY r.a DESC LIMIT 10", 2);
        assertRowGroups("SELECT k FROM fields ORDER BY r.b.c LIMIT 3", 1);
        assertRowGroups("SELECT k FROM fields ORDER BY r.b.c DESC NULLS FIRST, k LIMIT 9", 10);
        assertUpdate("DROP TABLE fields");
    }

    @Test
    void testDefaults()
    {
        assertUpdate("CREATE TABLE defaults AS SELECT 1 id", 1);
        assertUpdate("ALTER TABLE defaults ADD COLUMN d double DEFAULT DOUBLE 'NaN'");
        assertUpdate("ALTER TABLE defaults ADD COLUMN n integer");
        assertUpdate("INSERT INTO defaults VALUES (2, 1.5, 7), (3, NULL, 8)", 2);
        for (String order : new String[] {"d", "d DESC", "d NULLS FIRST", "d DESC NULLS FIRST", "n", "n NULLS FIRST"}) {
            for (int limit = 1; limit <= 3; limit++) {
                String query = "SELECT id FROM defaults ORDER BY %s LIMIT %s".formatted(order, limit);
                assertThat(computeActual(query).getMaterializedRows()).as(query).isEqualTo(computeActual(without(), query).getMaterializedRows());
            }
        }
        assertUpdate("DROP TABLE defaults");
    }

    private Session without()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, TOPN_PUSHDOWN_ENABLED, "false")
                .build();
    }

    private String explain(Session session, String query)
    {
        return (String) computeScalar(session, "EXPLAIN " + query);
    }

    private MaterializedResultWithPlan run(Session session, String query)
    {
        // splits that run at the same time would all begin without a threshold
        Session sequential = Session.builder(session)
                .setSystemProperty("initial_splits_per_node", "1")
                .setSystemProperty("max_drivers_per_task", "1")
                .build();
        return getDistributedQueryRunner().executeWithPlan(sequential, query);
    }

    private long scanned(Session session, String query, String metric)
    {
        return ScanStatistics.of(getDistributedQueryRunner(), run(session, query).queryId()).scanned(metric);
    }

    private void assertRowGroups(String query, long rowGroups)
    {
        MaterializedResultWithPlan result = run(getSession(), query);
        assertThat(result.result().getMaterializedRows()).as(query).isEqualTo(computeActual(without(), query).getMaterializedRows());
        assertThat(ScanStatistics.of(getDistributedQueryRunner(), result.queryId()).split("Albis row groups selected")).as("row groups of %s", query).isEqualTo(rowGroups);
    }
}
