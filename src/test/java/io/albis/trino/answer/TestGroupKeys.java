package io.albis.trino.answer;

import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata answers aggregations with group keys if all rows of each row group have the same keys.
 */
final class TestGroupKeys
        extends BaseAnswersTest
{
    /**
     * Each row group has the rows of one day.
     */
    @Test
    void testGroupKeys()
    {
        String table = sortedTable();
        assertAnswered("SELECT d, count(*), count(s), min(k), max(s) FROM %s GROUP BY d".formatted(table));
        assertAnswered("SELECT count(*), d FROM %s WHERE k BETWEEN 11 AND 40 GROUP BY d".formatted(table));
        assertAnswered("SELECT d, count(*) FROM %s WHERE s IS NULL GROUP BY d".formatted(table));
        assertAnswered("SELECT d, count(*) FROM %s WHERE k > 100 GROUP BY d".formatted(table));
        assertAnswered("SELECT DISTINCT d FROM " + table);
        assertAnswered("SELECT count(DISTINCT d) FROM " + table);
        assertAnswered("SELECT date_trunc('month', d), sum(c) FROM (SELECT d, count(*) c FROM %s GROUP BY d HAVING max(k) > 20) GROUP BY 1".formatted(table));
        assertAnswered("SELECT d, count(*) FROM %s GROUP BY d ORDER BY d DESC LIMIT 3".formatted(table));
        assertAnswered("SELECT d + INTERVAL '1' DAY, count(*) FROM %s GROUP BY d".formatted(table));
        assertAnswered("SELECT a.d, a.n, b.m FROM (SELECT d, count(*) n FROM %1$s GROUP BY d) a JOIN (SELECT d, max(k) m FROM %1$s WHERE k > 50 GROUP BY d) b ON a.d = b.d".formatted(table));
        // it is not known whether a row of the day matches
        assertNotAnswered("SELECT d, count(*) FROM %s WHERE k > 37 GROUP BY d".formatted(table));
        assertNotAnswered("SELECT DISTINCT d FROM %s WHERE k %% 10 = 3".formatted(table));
        assertNotAnswered("SELECT d, s, count(*) FROM %s GROUP BY d, s".formatted(table));
        assertNotAnswered("SELECT k %% 2, count(*) FROM %s GROUP BY 1".formatted(table));
        assertNotAnswered("SELECT \"$row_position\", count(*) FROM %s GROUP BY 1".formatted(table));
        assertThat((String) computeScalar("EXPLAIN SELECT d, count(*) FROM %s GROUP BY d".formatted(table)))
                .contains("answered from metadata [count(*)] by [d]")
                .doesNotContain("Aggregate");
        assertUpdate("DROP TABLE " + table);
    }

    /**
     * The optimizer knows the groups, so it still reorders joins with them.
     */
    @Test
    void testStatisticsOfGroups()
    {
        String table = sortedTable();
        assertQuery("SHOW STATS FOR (SELECT d, count(*) n FROM %s GROUP BY d)".formatted(table),
                "VALUES ('d', NULL, 10.0, 0.0, NULL, '2026-01-01', '2026-01-10'), ('n', NULL, 1.0, 0.0, NULL, '10', '10'), (NULL, NULL, NULL, NULL, 10.0, NULL, NULL)");
        assertUpdate("DROP TABLE " + table);
        try (TestTable regions = newTable("(k bigint)")) {
            for (String values : List.of("1, 1", "2", "3, 3", "NULL")) {
                computeActual("INSERT INTO %s VALUES %s".formatted(regions.getName(), values));
            }
            assertQuery("SHOW STATS FOR (SELECT DISTINCT k FROM %s)".formatted(regions.getName()),
                    "VALUES ('k', NULL, 3.0, 0.25, NULL, '1', '3'), (NULL, NULL, NULL, NULL, 4.0, NULL, NULL)");
            String join = "EXPLAIN (TYPE LOGICAL) SELECT count(*) FROM tpch.tiny.nation n JOIN (SELECT DISTINCT k FROM %s) r ON n.regionkey = r.k JOIN tpch.tiny.region g ON n.regionkey = g.regionkey".formatted(regions.getName());
            assertThat((String) computeScalar(join)).contains("answered from metadata", "rows: ").doesNotContain("rows: ?");
        }
    }

    @Test
    void testGroupKeysOfChangedRows()
    {
        String table = sortedTable();
        assertUpdate("DELETE FROM %s WHERE k < 16".formatted(table), 15);
        assertAnswered("SELECT d, count(*) FROM %s GROUP BY d".formatted(table));
        assertAnswered("SELECT DISTINCT d FROM " + table);
        assertUpdate("ALTER TABLE %s ADD COLUMN n varchar DEFAULT 'default'".formatted(table));
        assertUpdate("ALTER TABLE %s ADD COLUMN m bigint".formatted(table));
        assertAnswered("SELECT n, m, d, count(*), count(n), count(m) FROM %s GROUP BY n, m, d".formatted(table));
        assertUpdate("INSERT INTO %s (k, d, n) VALUES (200, DATE '2026-01-10', 'other')".formatted(table), 1);
        assertAnswered("SELECT n, m, count(*) FROM %s GROUP BY n, m".formatted(table));
        assertAnswered("SELECT d, count(*), max(k) FROM %s WHERE k > 20 GROUP BY d".formatted(table));
        // the row with the greatest key of a day may be deleted
        assertNotAnswered("SELECT d, max(k) FROM %s GROUP BY d".formatted(table));
        assertUpdate("UPDATE %s SET d = DATE '2027-01-01' WHERE k = 95".formatted(table), 1);
        // whether the row is in a new row group depends on how the update is made
        isAnswered("SELECT d, count(*) FROM %s GROUP BY d".formatted(table));
        assertUpdate("DROP TABLE " + table);
    }

    /**
     * Of several equal values that look different, a scan returns any one. A text is known only if it is not truncated.
     */
    @Test
    void testTypesOfGroupKeys()
    {
        for (String value : List.of("0e0", "REAL '1.5'", "CAST('a' AS char(3))", "TIMESTAMP '2026-11-23 01:02:03.004 UTC'", "CAST(rpad('', 64, 'x') AS varchar)", "ARRAY[1]")) {
            try (TestTable table = newTable("AS SELECT %s k".formatted(value))) {
                assertNotAnswered("SELECT k, count(*) FROM %s GROUP BY k".formatted(table.getName()));
            }
        }
        for (String value : List.of("true", "TINYINT '1'", "DECIMAL '1.50'", "DECIMAL '12345678901234567890123456789012345.678'", "DATE '2026-01-01'", "TIME '01:02:03'", "TIMESTAMP '2026-11-23 01:02:03.000000001'", "CAST(rpad('', 63, 'x') AS varchar)", "X'00FF'", "UUID '00000000-0000-0000-0000-000000000001'", "CAST(NULL AS integer)")) {
            try (TestTable table = newTable("AS SELECT %s k".formatted(value))) {
                assertAnswered("SELECT k, count(*) FROM %s GROUP BY k".formatted(table.getName()));
            }
        }
    }
}
