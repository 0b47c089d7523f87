package io.albis.trino.answer;

import io.trino.Session;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata answers count, min, and max if it has the exact result, and no file of a row group is read.
 */
final class TestAggregationPushdown
        extends BaseAnswersTest
{
    @Test
    @Tag("slow")
    void testTypes()
    {
        String[][] values = {
                {"boolean", "true", "false"},
                {"tinyint", "TINYINT '-128'", "TINYINT '127'"},
                {"smallint", "SMALLINT '3'", "SMALLINT '-4'"},
                {"integer", "7", "-2147483648"},
                {"bigint", "BIGINT '9223372036854775807'", "BIGINT '0'"},
                {"real", "REAL '1.5'", "REAL '-Infinity'"},
                {"double", "1e300", "-2e-300"},
                {"decimal(5,2)", "DECIMAL '1.25'", "DECIMAL '-1.50'"},
                {"decimal(38,3)", "DECIMAL '12345678901234567890123456789012345.678'", "DECIMAL '-0.001'"},
                {"date", "DATE '0001-01-01'", "DATE '9999-12-31'"},
                {"time(6)", "TIME '23:59:59.999999'", "TIME '00:00:00'"},
                {"time(12)", "TIME '23:59:59.999999999999'", "TIME '00:00:00.000000000001'"},
                {"time(3) with time zone", "TIME '00:30:00.000+01:00'", "TIME '23:29:00.000+00:00'"},
                {"time(9) with time zone", "TIME '00:30:00.000000001+01:00'", "TIME '23:30:00.000000000+00:00'"},
                {"timestamp(3)", "TIMESTAMP '1969-12-31 23:59:59.999'", "TIMESTAMP '2026-11-23 01:02:03.004'"},
                {"timestamp(9)", "TIMESTAMP '2026-11-23 01:02:03.000000001'", "TIMESTAMP '2026-11-23 01:02:03.000000002'"},
                {"timestamp(3) with time zone", "TIMESTAMP '2026-11-23 01:02:03.004 Europe/Zurich'", "TIMESTAMP '2026-11-23 01:02:03.004 UTC'"},
                {"timestamp(12) with time zone", "TIMESTAMP '2026-11-23 01:02:03.000000000004 Asia/Kolkata'", "TIMESTAMP '2026-11-23 01:02:03.000000000003 Asia/Kolkata'"},
                {"varchar", "'a'", "''"},
                {"varchar(5)", "'é'", "'zz'"},
                {"varbinary", "X'00FF'", "X'FF'"},
                {"char(5)", "'a'", "'a' || chr(9)"},
                {"uuid", "UUID '00000000-0000-0000-0000-000000000001'", "UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff'"},
        };
        for (String[] type : values) {
            try (TestTable table = newTable("(c %s)".formatted(type[0]))) {
                computeActual("INSERT INTO %1$s VALUES CAST(%2$s AS %3$s), NULL, CAST(%4$s AS %3$s)".formatted(table.getName(), type[1], type[0], type[2]));
                assertAnswered("SELECT count(*), count(c), min(c), max(c) FROM " + table.getName());
            }
        }
        try (TestTable table = newTable("(c json)")) {
            computeActual("INSERT INTO %s VALUES JSON '1', NULL".formatted(table.getName()));
            assertAnswered("SELECT count(*), count(c) FROM " + table.getName());
        }
    }

    @Test
    void testWithoutRows()
    {
        try (TestTable table = newTable("(a integer, b varchar)")) {
            assertAnswered("SELECT count(*), count(a), min(a), max(b) FROM " + table.getName());
            computeActual("INSERT INTO %s VALUES (NULL, NULL)".formatted(table.getName()));
            assertAnswered("SELECT count(*), count(a), min(a), max(b) FROM " + table.getName());
            computeActual("DELETE FROM " + table.getName());
            assertAnswered("SELECT count(*), count(a), min(a), max(b) FROM " + table.getName());
        }
    }

    @Test
    void testPlan()
    {
        String table = sortedTable();
        assertThat((String) computeScalar("EXPLAIN SELECT count(*), max(d) FROM " + table))
                .contains("answered from metadata [count(*), max(d)]")
                .contains("2026-01-10")
                .doesNotContain("Aggregate");
        assertThat((String) computeScalar(scanning(), "EXPLAIN SELECT count(*), max(d) FROM " + table))
                .doesNotContain("answered from metadata")
                .contains("Aggregate");
        assertThat((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT count(*), max(d) FROM " + table))
                .contains("'Albis row groups answered' = LongCount{total=10}");
        assertUpdate("DROP TABLE " + table);
    }

    /**
     * An answer is found without a search of an index.
     */
    @Test
    void testPlanWithIndex()
    {
        Session searching = Session.builder(scanning())
                .setCatalogSessionProperty(getSession().getCatalog().orElseThrow(), "index_enabled", "true")
                .build();
        try (TestTable table = newTable("(k integer) WITH (indexed_by = ARRAY['k'])")) {
            computeActual("INSERT INTO %s VALUES 1, 2".formatted(table.getName()));
            assertThat((String) computeScalar("EXPLAIN SELECT count(*) FROM %s WHERE k IS NOT NULL".formatted(table.getName())))
                    .contains("answered from metadata [count(*)]")
                    .doesNotContain("indexes on");
            assertThat((String) computeScalar(searching, "EXPLAIN SELECT count(*) FROM %s WHERE k IS NOT NULL".formatted(table.getName())))
                    .contains("indexes on [k]");
        }
    }

    /**
     * The optimizer knows the result, and prunes with it.
     */
    @Test
    void testPruningByAnswer()
    {
        String table = sortedTable();
        String lastDay = "SELECT sum(k) FROM %1$s WHERE d = (SELECT max(d) FROM %1$s)".formatted(table);
        assertThat((String) computeScalar("EXPLAIN " + lastDay)).contains("constraint on [d]");
        assertThat(computeScalar(lastDay)).isEqualTo(955L);
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testOtherAggregations()
    {
        String table = sortedTable();
        assertNotAnswered("SELECT count(DISTINCT k) FROM " + table);
        assertNotAnswered("SELECT count(*) FILTER (WHERE k > 5) FROM " + table);
        assertNotAnswered("SELECT count(*), sum(k) FROM " + table);
        assertNotAnswered("SELECT min(k, 2) FROM " + table);
        assertNotAnswered("SELECT max(k + 1) FROM " + table);
        assertNotAnswered("SELECT max_by(d, k) FROM " + table);
        assertNotAnswered("SELECT count(\"$path\"), max(\"$row_position\") FROM " + table);
        assertNotAnswered("SELECT d, count(*) FROM %s GROUP BY ROLLUP (d) ORDER BY d".formatted(table));
        assertNotAnswered("SELECT count(*), max(k - k) FROM (SELECT k FROM %s LIMIT 7)".formatted(table));
        assertNotAnswered("SELECT count(*) - count(*), max(k) > 0 FROM %s TABLESAMPLE BERNOULLI (99)".formatted(table));
        assertNotAnswered("SELECT max(k) FROM %s WHERE random() >= 0".formatted(table));
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testAroundTheAggregation()
    {
        String table = sortedTable();
        assertAnswered("SELECT max(k) + 1, count(*) > 3 FROM " + table);
        assertAnswered("SELECT max(k) FROM %s HAVING count(*) > 99".formatted(table));
        assertAnswered("SELECT m, n FROM (SELECT max(k) m FROM %1$s) CROSS JOIN (SELECT count(*) n FROM %1$s)".formatted(table));
        assertAnswered("SELECT count(*) FROM %1$s UNION ALL SELECT max(k) FROM %1$s".formatted(table));
        assertThat(computeActual("SELECT max(k) FROM %s HAVING count(*) > 100".formatted(table)).getRowCount()).isEqualTo(0);
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testDecidedFilters()
    {
        String table = sortedTable();
        assertAnswered("SELECT count(*), count(s), min(k), max(k) FROM %s WHERE d = DATE '2026-01-03'".formatted(table));
        assertAnswered("SELECT count(*), count(s), min(k), max(k) FROM %s WHERE d BETWEEN DATE '2026-01-03' AND DATE '2026-01-05' OR d = DATE '2026-01-09'".formatted(table));
        assertAnswered("SELECT count(*), count(s), min(k), max(k) FROM %s WHERE k > 20 AND k <= 40".formatted(table));
        assertAnswered("SELECT count(*), max(k) FROM %s WHERE d > DATE '2030-01-01'".formatted(table));
        assertAnswered("SELECT count(*), count(k), count(s) FROM %s WHERE s IS NOT NULL".formatted(table));
        assertAnswered("SELECT count(*), count(k), count(s) FROM %s WHERE s IS NULL".formatted(table));
        assertAnswered("SELECT count(*) FROM %s WHERE s IS NULL AND d < DATE '2026-01-04'".formatted(table));
        assertAnswered("SELECT min(s), max(s) FROM %s WHERE s IS NOT NULL".formatted(table));
        // the greatest value of a row group matches, although it is not known how many others do
        assertAnswered("SELECT max(k) FROM %s WHERE k > 37".formatted(table));
        assertAnswered("SELECT min(k) FROM %s WHERE k < 37".formatted(table));
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testUndecidedFilters()
    {
        String table = sortedTable();
        assertNotAnswered("SELECT count(*) FROM %s WHERE k > 37".formatted(table));
        assertNotAnswered("SELECT min(k) FROM %s WHERE k > 37".formatted(table));
        assertNotAnswered("SELECT max(d) FROM %s WHERE k = 37".formatted(table));
        assertNotAnswered("SELECT count(*) FROM %s WHERE k %% 2 = 0".formatted(table));
        assertNotAnswered("SELECT count(*) FROM %s WHERE d = DATE '2026-01-03' AND s LIKE '2%%'".formatted(table));
        assertNotAnswered("SELECT max(k) FROM %s WHERE s IS NULL".formatted(table));
        assertNotAnswered("SELECT count(*) FROM %s WHERE s IS NULL OR s > '5'".formatted(table));
        assertNotAnswered("SELECT count(*) FROM %s WHERE \"$row_position\" = 3".formatted(table));
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testDeletedRows()
    {
        String table = sortedTable();
        assertUpdate("DELETE FROM %s WHERE k = 55".formatted(table), 1);
        assertAnswered("SELECT count(*), count(k), count(d), min(k), max(k), min(d), max(d) FROM " + table);
        // some of the deleted rows may have been null
        assertNotAnswered("SELECT count(s) FROM " + table);
        assertUpdate("DELETE FROM %s WHERE k = 100".formatted(table), 1);
        assertNotAnswered("SELECT max(k) FROM " + table);
        // all rows of the row group have this day
        assertAnswered("SELECT count(*), min(k), max(d) FROM " + table);
        assertAnswered("SELECT count(*) FROM %s WHERE d = DATE '2026-01-10'".formatted(table));
        assertNotAnswered("SELECT count(*) FROM %s WHERE k > 98".formatted(table));
        assertUpdate("UPDATE %s SET d = DATE '2027-01-01' WHERE k = 1".formatted(table), 1);
        assertAnswered("SELECT count(*), max(d) FROM " + table);
        assertUpdate("DROP TABLE " + table);
    }

    @ParameterizedTest
    @ValueSource(strings = {"real", "double"})
    void testFloatingPoint(String type)
    {
        try (TestTable table = newTable("(c %s)".formatted(type))) {
            computeActual("INSERT INTO %s VALUES CAST('-0.0' AS %s), NULL".formatted(table.getName(), type));
            assertAnswered("SELECT count(c), min(c), max(c) FROM " + table.getName());
            assertThat(computeScalar("SELECT CAST(min(c) AS varchar) FROM " + table.getName())).isEqualTo(computeScalar(scanning(), "SELECT CAST(min(c) AS varchar) FROM " + table.getName()));
            computeActual("INSERT INTO %s VALUES CAST('0.0' AS %2$s), CAST('NaN' AS %2$s)".formatted(table.getName(), type));
            assertAnswered("SELECT count(c), min(c), max(c) FROM " + table.getName());
            computeActual("INSERT INTO %s VALUES CAST('Infinity' AS %2$s), CAST('NaN' AS %2$s), CAST(-1 AS %2$s)".formatted(table.getName(), type));
            assertAnswered("SELECT count(c), min(c), max(c) FROM " + table.getName());
            assertNotAnswered("SELECT count(*) FROM %s WHERE c >= -1".formatted(table.getName()));
            // this row group has no bounds
            computeActual("INSERT INTO %s VALUES CAST('NaN' AS %s)".formatted(table.getName(), type));
            assertNotAnswered("SELECT min(c) FROM " + table.getName());
            assertAnswered("SELECT count(c) FROM " + table.getName());
        }
    }

    /**
     * Row groups with deleted rows may have both zeros, of which only one is left.
     */
    @Test
    void testDeletedZero()
    {
        try (TestTable table = newTable("(id integer, c double)")) {
            computeActual("INSERT INTO %s VALUES (1, -0e0), (2, 0e0)".formatted(table.getName()));
            assertUpdate("DELETE FROM %s WHERE id = 1".formatted(table.getName()), 1);
            assertNotAnswered("SELECT min(c) FROM " + table.getName());
            assertThat(computeScalar("SELECT 1e0 / min(c) > 0 FROM " + table.getName())).isEqualTo(true);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 200})
    void testLongTexts(int length)
    {
        try (TestTable table = newTable("(c varchar, v varbinary, f char(300))")) {
            computeActual("INSERT INTO %s SELECT s, to_utf8(s), s FROM (VALUES rpad('', %s, 'é'), rpad('', %2$s, 'a')) t (s)".formatted(table.getName(), length));
            for (String column : new String[] {"c", "v", "f"}) {
                String query = "SELECT %s(%s) FROM " + table.getName();
                boolean bounded = isAnswered(query.formatted("min", column));
                assertThat(bounded).as("min of %s characters", length).isEqualTo(length < 64 || (length == 64 && column.equals("f")));
                assertNotAnswered(query.formatted("max", column));
            }
        }
    }

    @Test
    void testTruncatedTexts()
    {
        // The bound of a truncated value could look like a short value
        try (TestTable table = newTable("(v varbinary)")) {
            computeActual("INSERT INTO %s VALUES from_hex('61' || rpad('', 200, 'FF')), X'6100'".formatted(table.getName()));
            assertNotAnswered("SELECT max(v) FROM " + table.getName());
            assertAnswered("SELECT min(v) FROM " + table.getName());
            computeActual("INSERT INTO %s VALUES X'63'".formatted(table.getName()));
            assertAnswered("SELECT min(v), max(v) FROM " + table.getName());
        }
    }

    @Test
    void testChangedSchema()
    {
        String table = sortedTable();
        assertUpdate("ALTER TABLE %s ADD COLUMN n bigint".formatted(table));
        assertUpdate("ALTER TABLE %s ADD COLUMN i varchar DEFAULT 'medium'".formatted(table));
        assertUpdate("ALTER TABLE %s ADD COLUMN w smallint".formatted(table));
        assertAnswered("SELECT count(n), min(n), max(n), count(i), min(i), max(i), count(*) FROM " + table);
        assertAnswered("SELECT count(i), max(i), max(k) FROM %s WHERE i = 'medium'".formatted(table));
        computeActual("INSERT INTO %s VALUES (101, NULL, NULL, 5, 'large', SMALLINT '-3')".formatted(table));
        assertUpdate("ALTER TABLE %s ALTER COLUMN w SET DATA TYPE bigint".formatted(table));
        computeActual("INSERT INTO %s VALUES (102, NULL, NULL, 6, NULL, 100000)".formatted(table));
        assertAnswered("SELECT count(n), min(n), max(n), count(i), min(i), max(i), count(*), min(w), max(w) FROM " + table);
        assertAnswered("SELECT count(*), max(n) FROM %s WHERE i = 'medium' AND w IS NULL".formatted(table));
        // a deleted row does not change that the others have the default
        assertUpdate("DELETE FROM %s WHERE k = 50".formatted(table), 1);
        assertAnswered("SELECT count(i), max(i), min(i) FROM " + table);
        assertUpdate("ALTER TABLE %s DROP COLUMN n".formatted(table));
        assertUpdate("ALTER TABLE %s ADD COLUMN n varchar".formatted(table));
        assertAnswered("SELECT count(n), min(n) FROM " + table);
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testWidenedReal()
    {
        try (TestTable table = newTable("(c real)")) {
            computeActual("INSERT INTO %s VALUES REAL '0.1', REAL '-3.3'".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ALTER COLUMN c SET DATA TYPE double".formatted(table.getName()));
            assertAnswered("SELECT count(c), min(c), max(c) FROM " + table.getName());
            computeActual("INSERT INTO %s VALUES 0.1e0, -3.3e0".formatted(table.getName()));
            assertAnswered("SELECT count(c), min(c), max(c) FROM " + table.getName());
        }
    }

    @Test
    void testVersions()
    {
        String table = sortedTable();
        assertUpdate("DELETE FROM %s WHERE k > 50".formatted(table), 50);
        assertUpdate("INSERT INTO %s VALUES (1000, NULL, NULL)".formatted(table), 1);
        for (int version = 1; version <= 3; version++) {
            assertAnswered("SELECT count(*), min(k), max(k), max(d), count(d) FROM %s FOR VERSION AS OF %s".formatted(table, version));
        }
        assertThat(computeScalar("SELECT max(k) FROM %s FOR VERSION AS OF 1".formatted(table))).isEqualTo(100L);
        assertThat(computeScalar("SELECT max(k) FROM %s FOR VERSION AS OF 2".formatted(table))).isEqualTo(50L);
        assertUpdate("DROP TABLE " + table);
    }

    @Test
    void testNestedColumns()
    {
        try (TestTable table = newTable("(id integer, r row(a integer, b varchar), l array(integer), m map(varchar, integer))")) {
            computeActual("INSERT INTO %s VALUES (1, ROW(1, 'x'), ARRAY[1], MAP()), (2, NULL, NULL, NULL), (3, ROW(NULL, NULL), ARRAY[], NULL)".formatted(table.getName()));
            assertAnswered("SELECT count(r), count(l), count(m), max(id) FROM " + table.getName());
            assertNotAnswered("SELECT count(r.a) FROM " + table.getName());
            assertNotAnswered("SELECT max(r.b) FROM " + table.getName());
            assertNotAnswered("SELECT count(*) FROM %s WHERE r.a = 1".formatted(table.getName()));
            assertNotAnswered("SELECT max(l) FROM " + table.getName());
            assertUpdate("ALTER TABLE %s ADD COLUMN r.c date".formatted(table.getName()));
            assertAnswered("SELECT count(r) FROM " + table.getName());
            assertNotAnswered("SELECT count(r.c) FROM " + table.getName());
        }
    }

    @Test
    void testViews()
    {
        String table = sortedTable();
        computeActual("CREATE VIEW %1$s_v AS SELECT count(*) c, max(k) m FROM %1$s".formatted(table));
        assertAnswered("SELECT * FROM %s_v".formatted(table));
        computeActual("CREATE MATERIALIZED VIEW %1$s_m AS SELECT count(*) c, max(k) m FROM %1$s".formatted(table));
        computeActual("REFRESH MATERIALIZED VIEW %s_m".formatted(table));
        assertUpdate("INSERT INTO %s VALUES (1000, NULL, NULL)".formatted(table), 1);
        // a refresh that only appended would leave two rows
        computeActual("REFRESH MATERIALIZED VIEW %s_m".formatted(table));
        assertThat(computeActual("SELECT c, m FROM %s_m".formatted(table)).getMaterializedRows())
                .isEqualTo(computeActual("VALUES (BIGINT '101', BIGINT '1000')").getMaterializedRows());
        assertAnswered("SELECT max(m), count(*) FROM %s_m".formatted(table));
        computeActual("DROP MATERIALIZED VIEW %s_m".formatted(table));
        computeActual("DROP VIEW %s_v".formatted(table));
        assertUpdate("DROP TABLE " + table);
    }

    /**
     * An answer is part of a statement that writes into the same table.
     */
    @Test
    void testWrites()
    {
        String table = sortedTable();
        assertUpdate("INSERT INTO %1$s SELECT max(k) + 1, min(d), NULL FROM %1$s".formatted(table), 1);
        assertAnswered("SELECT count(*), max(k) FROM " + table);
        assertUpdate("DELETE FROM %1$s WHERE k = (SELECT max(k) FROM %1$s)".formatted(table), 1);
        assertUpdate("UPDATE %1$s SET s = CAST((SELECT count(*) FROM %1$s) AS varchar) WHERE k = 1".formatted(table), 1);
        assertThat(computeScalar("SELECT s FROM %s WHERE k = 1".formatted(table))).isEqualTo("100");
        assertUpdate("CREATE OR REPLACE TABLE %1$s AS SELECT count(*) c FROM %1$s".formatted(table), 1);
        assertThat(computeScalar("SELECT c FROM " + table)).isEqualTo(100L);
        assertUpdate("DROP TABLE " + table);
    }
}
