package io.albis.trino.nested;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bounds of scalar fields of rows skip segments and runs, in both layouts.
 */
final class TestAlbisFieldBounds
        extends AbstractTestQueryFramework
{
    private static final int ROWS = 50_000;
    private static final String SOURCE =
            """
            SELECT n AS id, IF(n % 10 = 0, NULL, CAST(ROW(n, ROW(lpad(CAST(n AS varchar), 6, '0'), IF(n % 3 = 0, NULL, n * 2)), ARRAY[n]) AS row(x integer, y row(t varchar, z bigint), a array(bigint)))) AS r
            FROM (SELECT 10000 * b + c FROM UNNEST(sequence(0, 4)) b (b) CROSS JOIN UNNEST(sequence(1, 10000)) t (c)) t (n)
            """;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testSegments(String layout)
    {
        create("segments", "layout = '%s', segment_size = '64kB'".formatted(layout));
        long segments = scan("segments", "true").scanned("Albis segments");
        assertThat(segments).isGreaterThan(10);
        for (String predicate : new String[] {
                "r.x = 4321",
                "r.y.t = '004321'",
                "r.y.z = 8642",
                "r.x BETWEEN 4321 AND 4325",
                "r.x = 4321 AND r.y.t >= '004321'",
        }) {
            ScanStatistics scan = check("segments", predicate);
            assertThat(scan.scanned("Albis segments skipped")).as(predicate).isGreaterThanOrEqualTo(segments - 2);
            assertThat(scan.rows()).as(predicate).isLessThanOrEqualTo(5);
        }
        assertThat(check("segments", "r.y.z > 1000000").scanned("Albis segments skipped")).isEqualTo(segments);
        // No bounds exclude nulls and other texts
        check("segments", "r IS NULL");
        check("segments", "r.y.z IS NULL AND r.x < 100");
        check("segments", "r.y.t LIKE '%4321'");
        // The bounds of the narrower type
        assertUpdate("ALTER TABLE segments ALTER COLUMN r.x SET DATA TYPE bigint");
        assertThat(check("segments", "r.x = 4321").scanned("Albis segments skipped")).isGreaterThanOrEqualTo(segments - 2);
        // Updates and deletes write new bounds
        assertUpdate("UPDATE segments SET r = CAST(ROW(r.x + 1000000, r.y, r.a) AS row(x bigint, y row(t varchar, z bigint), a array(bigint))) WHERE r IS NOT NULL", ROWS - ROWS / 10);
        assertQuery("SELECT count(*) FROM segments WHERE r.x = 1004321", "VALUES 1");
        assertQuery("SELECT count(*) FROM segments WHERE r.x < 1000000", "VALUES 0");
        assertUpdate("DELETE FROM segments WHERE r.x % 2 = 0", ROWS / 2 - ROWS / 10);
        assertUpdate("ALTER TABLE segments EXECUTE optimize");
        assertQuery("SELECT count(*), min(r.x) FROM segments WHERE r.x < 1000100", "VALUES (50, 1000001)");
        assertUpdate("DROP TABLE segments");
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testRuns(String layout)
    {
        create("runs", "layout = '%s', segment_size = '16MB'".formatted(layout));
        ScanStatistics scan = check("runs", "r.x = 4321");
        assertThat(scan.scanned("Albis runs skipped")).isGreaterThanOrEqualTo(5);
        assertThat(check("runs", "r.y.t = '044321'").scanned("Albis runs skipped")).isGreaterThanOrEqualTo(5);
        assertUpdate("DROP TABLE runs");
    }

    private void create(String table, String properties)
    {
        assertUpdate(SortedLoad.session(getSession()), "CREATE TABLE %s WITH (%s) AS %s ORDER BY id".formatted(table, properties, SOURCE), ROWS);
    }

    /**
     * Returns the statistics of a scan whose rows are those that the engine filters itself.
     */
    private ScanStatistics check(String table, String predicate)
    {
        assertThat(query("SELECT id, r.x FROM %s WHERE %s".formatted(table, predicate)))
                .matches("SELECT id, r.x FROM (SELECT id, r FROM %s WHERE rand() < 2) WHERE %s".formatted(table, predicate));
        return scan(table, predicate);
    }

    private ScanStatistics scan(String table, String predicate)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(getSession(), "SELECT count(r.x), count(r.y.t), count(r.y.z) FROM %s WHERE %s".formatted(table, predicate));
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
    }
}
