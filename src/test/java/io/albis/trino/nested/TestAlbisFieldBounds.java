package io.albis.trino.nested;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bounds of scalar fields of rows skip row groups, segments, and runs, in both layouts.
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
        assertThat(check("segments", "r.y.z > 1000000").split("Albis row groups selected")).isZero();
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

    @Test
    void testRowGroups()
    {
        create("row_groups", "row_group_rows = 10000");
        for (String predicate : new String[] {
                "r.x = 4321",
                "r.y.t = '004321'",
                "r.y.z = 8642",
                "r.x BETWEEN 4321 AND 4325",
                "r.x IN (4321, 60000)",
        }) {
            assertRowGroups(predicate, 1);
        }
        assertRowGroups("r.x = 4321 OR r.x = 44321", 2);
        assertRowGroups("r.x > 60000", 0);
        // every row group has nulls
        assertRowGroups("r.x IS NULL AND id > 0", 5);
        assertThat(query("SELECT r.x FROM row_groups ORDER BY r.x DESC NULLS LAST LIMIT 3")).ordered().matches("VALUES 49999, 49998, 49997");
        // the optimizer estimates ranges
        MaterializedRow statistics = computeActual("SHOW STATS FOR (SELECT * FROM row_groups WHERE r.x > 25000)").getMaterializedRows().getLast();
        assertThat(statistics.getField(0)).isNull();
        assertThat((double) statistics.getField(4)).isBetween(20_000.0, 25_000.0);
        // bounds with the narrower type
        assertUpdate("ALTER TABLE row_groups ALTER COLUMN r.x SET DATA TYPE bigint");
        assertRowGroups("r.x = 4321", 1);
        assertUpdate("ALTER TABLE row_groups RENAME COLUMN r.x TO z");
        assertThat(scan("row_groups", "r.z = 4321", "r.z").split("Albis row groups selected")).isEqualTo(1);
        assertUpdate("ALTER TABLE row_groups RENAME COLUMN r.z TO x");
        // a new field, which only new rows have
        assertUpdate("ALTER TABLE row_groups ADD COLUMN r.n bigint");
        assertUpdate("INSERT INTO row_groups VALUES (0, ROW(4321, NULL, NULL, 5))", 1);
        assertRowGroups("r.x = 4321", 2);
        assertRowGroups("r.n = 6", 5);
        assertRowGroups("r.n = 5", 6);
        // updates in place write new bounds
        assertUpdate("UPDATE row_groups SET r = IF(r IS NULL, NULL, CAST(ROW(r.x + 1000000, r.y, r.a, r.n) AS row(x bigint, y row(t varchar, z bigint), a array(bigint), n bigint))) WHERE id <= 10000", 10001);
        assertRowGroups("r.x = 4321", 0);
        assertThat(check("row_groups", "r.x = 1004321").rows()).isEqualTo(2);
        // the procedures copy values
        assertUpdate("ALTER TABLE row_groups EXECUTE optimize");
        assertThat(check("row_groups", "r.x BETWEEN 1004320 AND 1004322").rows()).isEqualTo(3);
        assertUpdate("DROP TABLE row_groups");
    }

    private void assertRowGroups(String predicate, int selected)
    {
        assertThat(check("row_groups", predicate).split("Albis row groups selected")).as(predicate).isEqualTo(selected);
    }

    /**
     * Row groups whose bounds decide a predicate are deleted and counted without reading them.
     */
    @Test
    void testDecidedRowGroups()
    {
        assertUpdate(SortedLoad.session(getSession()), "CREATE TABLE decided WITH (row_group_rows = 100) AS SELECT CAST(ROW(n, NULL) AS row(v integer, w integer)) r FROM UNNEST(sequence(1, 1000)) t (n) ORDER BY n", 1000);
        assertQuery("SELECT count(*) FROM decided WHERE r.v <= 300", "VALUES 300");
        assertQuery("SELECT count(*) FROM decided WHERE r.v <= 350", "VALUES 350");
        assertQuery("SELECT count(*) FROM decided WHERE r.w IS NULL AND r.v > 900", "VALUES 100");
        assertThat((String) computeScalar("EXPLAIN SELECT count(*) FROM decided WHERE r.v <= 300")).contains("answered from metadata");
        assertUpdate("DELETE FROM decided WHERE r.v <= 300", 300);
        assertUpdate("DELETE FROM decided WHERE r.v > 950", 50);
        assertQuery("SELECT count(*), min(r.v), max(r.v) FROM decided", "VALUES (650, 301, 950)");
        assertQuery("SELECT operation, element_at(summary, 'deleted-data-files'), element_at(summary, 'changed-row-groups') FROM \"decided$snapshots\" ORDER BY snapshot_id DESC LIMIT 2", "VALUES ('delete', '0', '1'), ('delete', '3', '0')");
        assertUpdate("DROP TABLE decided");
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
        return scan(table, predicate, "count(r.x), count(r.y.t), count(r.y.z)");
    }

    private ScanStatistics scan(String table, String predicate, String columns)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(getSession(), "SELECT %s FROM %s WHERE %s".formatted(columns, table, predicate));
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
    }
}
