package io.albis.trino.nested;

import com.google.common.collect.ImmutableList;
import io.albis.TestTier;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Statements on tables with columns of the types ROW, ARRAY, and MAP.
 */
final class TestAlbisNestedTypes
        extends AbstractTestQueryFramework
{
    private static final String ROW_TYPE = "row(n bigint, \"S t\" row(s varchar, bigint))";
    private static final String ROWS =
            """
            SELECT
                id,
                IF(id % 7 = 0, NULL, CAST(ROW(id, IF(id % 5 = 0, NULL, ROW('name ' || CAST(id % 10 AS varchar), id % 3))) AS ROW_TYPE)) r,
                IF(id % 11 = 0, NULL, transform(sequence(1, id % 4 + 1), x -> IF(x = 2, NULL, x * id))) a,
                IF(id % 13 = 0, NULL, map_from_entries(transform(sequence(1, id % 3 + 1), x -> (x, ARRAY[id, NULL])))) m
            FROM UNNEST(sequence(1, 1500)) t (id)
            """.replace("ROW_TYPE", ROW_TYPE);

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
    }

    private TestTable newTable(String properties)
    {
        return newTrinoTable("test_nested", "%s AS %s".formatted(properties, ROWS));
    }

    /**
     * Verifies a query on a table with a query on the rows that were written.
     */
    private void assertSame(String table, String sql)
    {
        assertThat(query(sql.replace("%TABLE%", table))).matches(sql.replace("%TABLE%", "(" + ROWS + ")"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "",
            "WITH (segment_size = '8kB', row_group_rows = 700)",
            "WITH (compression = 'zstd', column_groups = ARRAY[ARRAY['r', 'id'], ARRAY['m']])",
            "WITH (layout = 'row', column_groups = ARRAY[ARRAY['m'], ARRAY['a', 'r']], column_group_layouts = ARRAY['block', 'block'])",
    })
    void testReadAndWrite(String properties)
    {
        try (TestTable table = newTable(properties)) {
            String name = table.getName();
            assertSame(name, "SELECT * FROM %TABLE%");
            assertSame(name, "SELECT m, id FROM %TABLE% WHERE id BETWEEN 700 AND 800");
            assertSame(name, "SELECT id, r.n, r.\"S t\".s, a[1], element_at(m, 2)[1] FROM %TABLE% WHERE cardinality(a) > 1 AND r.n > 1000");
            assertSame(name, "SELECT sum(x), count(*) FROM %TABLE% CROSS JOIN UNNEST(a) u (x)");
            assertSame(name, "SELECT a, r, count(*) FROM %TABLE% GROUP BY a, r");
            assertSame(name, "SELECT count(*) FROM %TABLE% x JOIN %TABLE% y ON x.a = y.a WHERE y.id < 100");
            assertThat(query("SELECT id FROM %s WHERE r = CAST(ROW(8, ROW('name 8', 2)) AS %s)".formatted(name, ROW_TYPE))).matches("VALUES BIGINT '8'");
            assertThat(query("SELECT id FROM %s WHERE a IN (ARRAY[BIGINT '4'], ARRAY[BIGINT '8'], ARRAY[BIGINT '9'])".formatted(name))).matches("VALUES BIGINT '4', BIGINT '8'");

            assertUpdate("INSERT INTO %s SELECT id + 10000, r, a, m FROM (%s) WHERE id < 10".formatted(name, ROWS), 9);
            assertUpdate("INSERT INTO %s (id, a) VALUES (20000, ARRAY[])".formatted(name), 1);
            assertThat(query("SELECT * FROM %s WHERE id > 10007".formatted(name)))
                    .matches("SELECT id + 10000, r, a, m FROM (%s) WHERE id IN (8, 9) UNION ALL SELECT BIGINT '20000', NULL, ARRAY[], NULL".formatted(ROWS));
            assertSame(name + " FOR VERSION AS OF 1", "SELECT * FROM %TABLE%");
        }
    }

    @Test
    void testNullFilters()
    {
        try (TestTable table = newTable("WITH (segment_size = '8kB')")) {
            for (String column : new String[] {"r", "a", "m"}) {
                for (String predicate : new String[] {"IS NULL", "IS NOT NULL"}) {
                    String sql = "SELECT * FROM %%TABLE%% WHERE %s %s".formatted(column, predicate);
                    assertThat(query(sql.replace("%TABLE%", table.getName()))).isFullyPushedDown();
                    assertSame(table.getName(), sql);
                }
            }
            assertSame(table.getName(), "SELECT id FROM %TABLE% WHERE r IS NULL AND a IS NULL AND m IS NOT NULL AND id > 100");
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void testRowChanges(double rewriteThreshold)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", String.valueOf(rewriteThreshold))
                .build();
        try (TestTable table = newTable("WITH (column_groups = ARRAY[ARRAY['id'], ARRAY['r'], ARRAY['a', 'm']], row_group_rows = 1000)")) {
            String name = table.getName();
            assertUpdate(session, "DELETE FROM %s WHERE a IS NULL".formatted(name), 136);
            assertSame(name, "SELECT * FROM %TABLE% WHERE a IS NOT NULL");
            assertUpdate(session, "UPDATE %s SET r = CAST(ROW(-id, r.\"S t\") AS %s), a = a || 7 WHERE id %% 2 = 0".formatted(name, ROW_TYPE), 682);
            String updated = "SELECT id, IF(id %% 2 = 0, CAST(ROW(-id, r.\"S t\") AS %s), r) r, IF(id %% 2 = 0, a || 7, a) a, m FROM (%s) WHERE a IS NOT NULL".formatted(ROW_TYPE, ROWS);
            assertThat(query("TABLE " + name)).matches(updated);
            assertUpdate(
                    session,
                    """
                    MERGE INTO %s t USING (%s) s ON t.id + 10 = s.id
                    WHEN MATCHED AND t.a[1] %% 3 = 0 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET m = s.m, r = NULL
                    WHEN NOT MATCHED THEN INSERT VALUES (-s.id, s.r, s.a, s.m)
                    """.formatted(name, ROWS),
                    1500);
            assertThat(query("TABLE " + name)).matches(
                    """
                    WITH s AS (%s), t AS (%s)
                    SELECT t.id, IF(s.id IS NULL, t.r) r, t.a, IF(s.id IS NULL, t.m, s.m) m FROM t LEFT JOIN s ON t.id + 10 = s.id WHERE s.id IS NULL OR t.a[1] %% 3 <> 0
                    UNION ALL
                    SELECT -id, r, a, m FROM s WHERE id - 10 NOT IN (SELECT id FROM t)
                    """.formatted(ROWS, updated));
            assertSame(name + " FOR VERSION AS OF 1", "SELECT * FROM %TABLE%");
            assertThat(query("SELECT * FROM %s FOR VERSION AS OF 3".formatted(name))).matches(updated);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertSame(name, "SELECT * FROM %TABLE%");
            assertUpdate("CREATE OR REPLACE TABLE %s AS SELECT m, r FROM %s WHERE id = 8".formatted(name, name), 1);
            assertThat(query("TABLE " + name)).matches("SELECT m, r FROM (%s) WHERE id = 8".formatted(ROWS));
        }
    }

    /**
     * The optimizer compares the domains of conditions as {@code =} does.
     */
    @Test
    void testValuesThatDoNotEqualThemselves()
    {
        try (TestTable table = newTrinoTable("test_nested_nulls", "AS SELECT 1 n, ARRAY[1, NULL] a, ARRAY[nan()] x, ROW(1, CAST(NULL AS varchar)) r, MAP(ARRAY['k'], ARRAY[CAST(NULL AS integer)]) m")) {
            for (String condition : ImmutableList.of(
                    "a IS NOT DISTINCT FROM ARRAY[1, NULL]",
                    "r IS NOT DISTINCT FROM ROW(1, CAST(NULL AS varchar))",
                    "m IS NOT DISTINCT FROM MAP(ARRAY['k'], ARRAY[CAST(NULL AS integer)])",
                    "m IS DISTINCT FROM MAP(ARRAY['k'], ARRAY[CAST(NULL AS integer)])",
                    "x IS NOT DISTINCT FROM ARRAY[nan()]",
                    "x = ARRAY[nan()]",
                    "x <> ARRAY[nan()]",
                    "x IN (ARRAY[nan()], ARRAY[1e0])",
                    "x IS NOT DISTINCT FROM ARRAY[nan()] OR a IS NULL",
                    "n = 1 AND a IS NOT DISTINCT FROM ARRAY[1, NULL]",
                    "n = 1 AND a IS DISTINCT FROM ARRAY[2, NULL]",
                    "n = 1 AND a IS DISTINCT FROM ARRAY[1, 2]",
                    "n = 1 AND a IS NOT NULL AND a IS DISTINCT FROM ARRAY[1, 2]",
                    "n = 1 AND a <> ARRAY[1, 2]",
                    "n = 1 AND a <> ARRAY[2, 2]",
                    "n = 1 AND a IN (ARRAY[1, 2], ARRAY[1, 3])",
                    "n = 1 AND r IS DISTINCT FROM ROW(1, 'x')",
                    "n = 1 AND m IS DISTINCT FROM MAP(ARRAY['k'], ARRAY[1])",
                    "n = 1 AND x IS DISTINCT FROM ARRAY[1e0]",
                    "n = 1 AND r IS NOT DISTINCT FROM ROW(1, CAST(NULL AS varchar))",
                    "n = 1 AND m IS NOT DISTINCT FROM MAP(ARRAY['k'], ARRAY[CAST(NULL AS integer)])",
                    "n = 1 AND x IS NOT DISTINCT FROM ARRAY[nan()]",
                    "n = 1 AND r IS NOT DISTINCT FROM ROW(1, CAST(NULL AS varchar)) AND a IS NOT NULL")) {
                assertThat(query("SELECT count(*) FROM %s WHERE %s".formatted(table.getName(), condition)))
                        .matches("SELECT count_if(%s) FROM %s".formatted(condition, table.getName()));
            }
        }
    }

    @Test
    void testSchemaChanges()
    {
        try (TestTable table = newTrinoTable("test_nested_changes", "WITH (layout = 'row') AS SELECT * FROM (VALUES 1, 2) t (id)")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ADD COLUMN m map(varchar, array(integer)) COMMENT 'nested'".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).endsWith(
                    """
                    (
                       id integer,
                       m map(varchar, array(integer)) COMMENT 'nested'
                    )
                    WITH (
                       layout = 'row'
                    )""");
            assertUpdate("INSERT INTO %s VALUES (3, MAP(ARRAY['x'], ARRAY[ARRAY[1]]))".formatted(name), 1);
            assertThat(query("TABLE " + name)).matches("VALUES (1, CAST(NULL AS map(varchar, array(integer)))), (2, NULL), (3, MAP(ARRAY[VARCHAR 'x'], ARRAY[ARRAY[1]]))");
            assertQuery("SELECT id FROM %s WHERE m IS NULL".formatted(name), "VALUES 1, 2");
            assertUpdate("ALTER TABLE %s RENAME COLUMN m TO entries".formatted(name));
            assertUpdate("UPDATE %s SET entries = MAP(ARRAY['y'], ARRAY[NULL]) WHERE id = 1".formatted(name), 1);
            assertUpdate("ALTER TABLE %s ADD COLUMN r row(x bigint) FIRST".formatted(name));
            assertThat(query("SELECT r, id, entries FROM %s WHERE id <> 2".formatted(name))).matches("VALUES (CAST(NULL AS row(x bigint)), 1, MAP(ARRAY[VARCHAR 'y'], ARRAY[CAST(NULL AS array(integer))])), (NULL, 3, MAP(ARRAY[VARCHAR 'x'], ARRAY[ARRAY[1]]))");
            assertUpdate("ALTER TABLE %s DROP COLUMN entries".formatted(name));
            assertUpdate("ALTER TABLE %s EXECUTE set_not_null(column_name => 'id')".formatted(name));
            assertQueryFails("ALTER TABLE %s EXECUTE set_not_null(column_name => 'r')".formatted(name), ".*'r'.*null.*");
            assertQuery("SELECT id, r.x FROM " + name, "VALUES (1, NULL), (2, NULL), (3, NULL)");

            assertQueryFails("ALTER TABLE %s DROP COLUMN r.x".formatted(name), ".*the only field.*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN r.x SET DATA TYPE varchar".formatted(name), "The type of a part of column 'r' cannot be changed from bigint to varchar.*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN r SET DATA TYPE row(x varchar)".formatted(name), "The type of column 'r' cannot be changed from row\\(\"x\" bigint\\) to row\\(\"x\" varchar\\).*");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN id SET DATA TYPE array(bigint)".formatted(name), "The type of column 'id' cannot be changed from integer to array\\(bigint\\).*");
        }
    }

    @Test
    void testStatistics()
    {
        try (TestTable table = newTable("")) {
            String name = table.getName();
            assertThat(query("SHOW STATS FOR " + name)).result().exceptColumns("data_size").matches(
                    """
                    VALUES
                    (VARCHAR 'id', 1500e0, 0e0, CAST(NULL AS double), VARCHAR '1', VARCHAR '1500'),
                    ('r', NULL, 214e0 / 1500, NULL, NULL, NULL),
                    ('a', NULL, 136e0 / 1500, NULL, NULL, NULL),
                    ('m', NULL, 115e0 / 1500, NULL, NULL, NULL),
                    (NULL, NULL, NULL, 1500e0, NULL, NULL)
                    """);
            assertQuery("SELECT sum(null_value_counts[2]), sum(value_counts[3]), count(lower_bounds.\"4\"), count(upper_bounds.\"2\") FROM \"%s$files\"".formatted(name), "VALUES (214, 1500, 0, 1)");
            assertQueryFails("ANALYZE " + name, "This connector does not support analyze");
        }
    }

    @Test
    void testViews()
    {
        try (TestTable table = newTable("")) {
            String name = table.getName();
            assertUpdate("CREATE VIEW %s_view AS SELECT r, a || 1 a FROM %s".formatted(name, name));
            assertSame(name + "_view", "SELECT r.n, r.\"S t\" FROM %TABLE%");
            assertUpdate("DROP VIEW %s_view".formatted(name));
            assertUpdate("CREATE MATERIALIZED VIEW %s_stored WITH (compression = 'lz4') AS SELECT id, r, m FROM %s WHERE id %% 2 = 0".formatted(name, name));
            assertUpdate("REFRESH MATERIALIZED VIEW %s_stored".formatted(name), 750);
            assertUpdate("INSERT INTO %s SELECT id + 10000, r, a, m FROM %s WHERE id < 3".formatted(name, name), 2);
            assertUpdate("REFRESH MATERIALIZED VIEW %s_stored".formatted(name), 1);
            assertThat(query("TABLE \"%s_stored\"".formatted(name))).matches("SELECT id, r, m FROM %s WHERE id %% 2 = 0".formatted(name));
            assertUpdate("DROP MATERIALIZED VIEW %s_stored".formatted(name));
        }
    }

    /**
     * Trino fails with dynamic filters on types without an order, in all catalogs.
     */
    @Test
    void testJoinOnMaps()
    {
        Session withoutDynamicFilters = Session.builder(getSession())
                .setSystemProperty("enable_dynamic_filtering", "false")
                .build();
        try (TestTable table = newTrinoTable("test_maps", "AS SELECT n, MAP(ARRAY[n], ARRAY[n]) m FROM UNNEST(sequence(1, 10)) t (n)")) {
            assertQuery(withoutDynamicFilters, "SELECT count(*) FROM %1$s x JOIN %1$s y ON x.m = y.m".formatted(table.getName()), "VALUES 10");
            assertQuery(withoutDynamicFilters, "SELECT count(*) FROM %1$s WHERE m IN (SELECT m FROM %1$s WHERE n < 3)".formatted(table.getName()), "VALUES 2");
        }
    }

    /**
     * Runs the examples of docs/connector.md and docs/schema-changes.md.
     */
    @Test
    void testDocumentedExample()
    {
        assertUpdate("CREATE TABLE baskets (id bigint, customer row(name varchar, address row(city varchar, zip integer)), items array(row(item bigint, price decimal(7, 2))), tags map(varchar, varchar))");
        assertUpdate("INSERT INTO baskets VALUES (1, ROW('Ada', ROW('Zurich', 8001)), ARRAY[ROW(7, 9.99), ROW(8, 0.50)], MAP(ARRAY['paid'], ARRAY['card'])), (2, ROW('Bob', NULL), ARRAY[], NULL)", 2);
        assertQuery("SELECT id, customer.name, customer.address.city, cardinality(items), element_at(tags, 'paid') FROM baskets", "VALUES (1, 'Ada', 'Zurich', 2, 'card'), (2, 'Bob', NULL, 0, NULL)");
        assertUpdate("ALTER TABLE baskets ADD COLUMN new_tags map(varchar, array(varchar))");
        assertUpdate("UPDATE baskets SET new_tags = transform_values(tags, (k, v) -> ARRAY[v])", 2);
        assertUpdate("ALTER TABLE baskets DROP COLUMN tags");
        assertUpdate("ALTER TABLE baskets RENAME COLUMN new_tags TO tags");
        assertThat(query("SELECT id, tags FROM baskets")).matches("VALUES (BIGINT '1', MAP(ARRAY[VARCHAR 'paid'], ARRAY[ARRAY[VARCHAR 'card']])), (2, NULL)");
        assertUpdate("DROP TABLE baskets");
    }

    @Test
    void testUnsupportedTypes()
    {
        assertQueryFails("CREATE TABLE bad (a array(interval day to second))", "Column 'a' has type array\\(interval day to second\\), which an Albis table cannot hold. Supported types: boolean, .*, and row, array, and map of these types");
        assertQueryFails("CREATE TABLE bad AS SELECT CAST(ROW(1, NULL) AS row(x bigint, h HyperLogLog)) r", "Column 'r' has type row\\(\"x\" bigint, \"h\" HyperLogLog\\), which an Albis table cannot hold.*");
        assertUpdate("CREATE TABLE deep (a %s)".formatted(arrays(31)));
        assertUpdate("INSERT INTO deep SELECT CAST(NULL AS %s)".formatted(arrays(31)), 1);
        assertQuery("SELECT count(*), count(a) FROM deep", "VALUES (1, 0)");
        assertUpdate("DROP TABLE deep");
        assertQueryFails("CREATE TABLE bad (a %s)".formatted(arrays(32)), "Column 'a' has a type that consists of 33 types in 33 levels. An Albis table can hold types that consist of at most 1000 types in 32 levels");
        assertUpdate("CREATE TABLE wide (a %s)".formatted(row(999)));
        assertUpdate("INSERT INTO wide SELECT CAST(ROW(%s) AS %s)".formatted(IntStream.range(0, 999).mapToObj(String::valueOf).collect(joining(", ")), row(999)), 1);
        assertQuery("SELECT a.f0, a.f998 FROM wide", "VALUES (0, 998)");
        assertUpdate("DROP TABLE wide");
        assertQueryFails("CREATE TABLE bad (a %s)".formatted(row(1000)), "Column 'a' has a type that consists of 1001 types in 2 levels. An Albis table can hold types that consist of at most 1000 types in 32 levels");
        assertThat(query("SHOW TABLES LIKE 'bad'")).returnsEmptyResult();
    }

    private static String arrays(int levels)
    {
        return "array(".repeat(levels) + "bigint" + ")".repeat(levels);
    }

    private static String row(int fields)
    {
        return IntStream.range(0, fields)
                .mapToObj(field -> "f%s integer".formatted(field))
                .collect(joining(", ", "row(", ")"));
    }

    static List<String> rowLayouts()
    {
        List<String> all = List.of(
                "layout = 'row', segment_size = '16kB', compression = 'zstd', column_groups = ARRAY[ARRAY['r', 'id', 'a'], ARRAY['m', 's']]",
                "layout = 'row'",
                "layout = 'row', column_groups = ARRAY[ARRAY['a', 'm', 'r'], ARRAY['id', 's']]",
                "layout = 'row', segment_size = '16kB'",
                "column_groups = ARRAY[ARRAY['s', 'r', 'm']], column_group_layouts = ARRAY['row']");
        return TestTier.isComplete() ? all : all.subList(0, 1);
    }

    /**
     * Nested columns are in the same file as the rows of the row layout, before, between, and after scalar columns.
     */
    @ParameterizedTest
    @MethodSource("rowLayouts")
    void testRowLayout(String properties)
    {
        String rows =
                """
                SELECT id, ARRAY[id, id + 1] a, IF(id % 7 = 0, NULL, CAST(ROW(id, 's' || CAST(id AS varchar)) AS row(x bigint, y varchar))) r,
                       CAST(id AS varchar) s, MAP(ARRAY['k', 'l'], ARRAY[id, NULL]) m
                FROM UNNEST(sequence(1, 1000)) t (id)
                """;
        assertUpdate("CREATE TABLE rows_expected AS " + rows, 1000);
        assertUpdate("CREATE TABLE rows_actual WITH (%s) AS %s".formatted(properties, rows), 1000);
        for (String sql : List.of(
                "SELECT * FROM %s",
                "SELECT * FROM %s WHERE id BETWEEN 400 AND 410",
                "SELECT s, r.y FROM %s WHERE r.x IN (5, 500, 999)",
                "SELECT id FROM %s WHERE r IS NULL AND id < 100",
                "SELECT r.x, s FROM %s WHERE r.y = 's77' OR s = '78'",
                "SELECT sum(cardinality(a)), sum(a[2]), sum(element_at(m, 'k')), count(element_at(m, 'l')), count(r.x) FROM %s",
                "SELECT id, e FROM %s CROSS JOIN UNNEST(a) u (e) WHERE id > 990")) {
            assertThat(query(sql.formatted("rows_actual"))).matches(sql.formatted("rows_expected"));
        }
        for (String sql : List.of(
                "DELETE FROM %s WHERE r.x %% 3 = 0",
                "UPDATE %s SET s = 'updated' WHERE id %% 5 = 0",
                "UPDATE %s SET a = ARRAY[7], m = NULL",
                "ALTER TABLE %s ADD COLUMN r.z array(bigint)",
                "UPDATE %s SET r = CAST(ROW(r.x, r.y, ARRAY[id]) AS row(x bigint, y varchar, z array(bigint))) WHERE id > 100",
                "ALTER TABLE %s DROP COLUMN r.y",
                "ALTER TABLE %s ADD COLUMN added map(bigint, bigint)",
                "ALTER TABLE %s EXECUTE optimize",
                "INSERT INTO %s (id, added) VALUES (10001, MAP(ARRAY[1], ARRAY[2]))")) {
            computeActual(sql.formatted("rows_expected"));
            computeActual(sql.formatted("rows_actual"));
            assertThat(query("SELECT * FROM rows_actual")).as(sql).matches("SELECT * FROM rows_expected");
        }
        computeActual("ALTER TABLE rows_actual EXECUTE regroup(column_groups => ARRAY[ARRAY['m', 'added', 's', 'a']], column_group_layouts => ARRAY['row'])");
        assertThat(query("SELECT * FROM rows_actual")).matches("SELECT * FROM rows_expected");
        assertUpdate("DROP TABLE rows_expected");
        assertUpdate("DROP TABLE rows_actual");
    }
}
