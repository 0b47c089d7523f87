package io.albis.trino.nested;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.handle.AlbisColumnHandle;
import io.trino.Session;
import io.trino.sql.planner.optimizations.PlanNodeSearcher;
import io.trino.sql.planner.plan.FilterNode;
import io.trino.sql.planner.plan.TableScanNode;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queries of numbers of elements and of single elements read only these, and return what the engine returns for whole
 * arrays and maps.
 */
final class TestAlbisElementPushdown
        extends AbstractTestQueryFramework
{
    private static final String ROWS =
            """
            SELECT id, a, m, d, c, CAST(ROW(id, a, m) AS row(n bigint, a array(bigint), m map(varchar, bigint))) r
            FROM (
                SELECT
                    id,
                    IF(id % 7 = 0, NULL, repeat(IF(id % 3 = 0, NULL, id), CAST(id % 5 AS integer))) a,
                    CASE
                        WHEN id % 11 = 0 THEN NULL
                        WHEN id % 4 = 0 THEN CAST(MAP(ARRAY['x'], ARRAY[id]) AS map(varchar, bigint))
                        ELSE CAST(MAP(ARRAY['k', 'n' || CAST(id % 3 AS varchar), ''], ARRAY[id, NULL, -id]) AS map(varchar, bigint))
                    END m,
                    MAP(ARRAY[DOUBLE '1.5', nan(), DOUBLE '-0.0'], ARRAY['one', 'nan', CAST(id AS varchar)]) d,
                    CAST(MAP(ARRAY['c'], ARRAY['char ' || CAST(id % 3 AS varchar)]) AS map(char(3), char(10))) c
                FROM UNNEST(sequence(1, 9900)) t (id)
            )
            """;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build();
        queryRunner.execute("CREATE TABLE elements AS " + ROWS);
        return queryRunner;
    }

    private Session wholeColumns()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("albis", "projection_pushdown_enabled", "false")
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "id, cardinality(a)",
            "cardinality(m)",
            "id, cardinality(a), cardinality(m), cardinality(d)",
            "element_at(a, 1)",
            "element_at(a, -2), id",
            "element_at(a, 9)",
            "element_at(a, 3) + 1, element_at(a, -1)",
            "element_at(m, 'k')",
            "element_at(m, 'k'), element_at(m, ''), element_at(m, 'missing'), cardinality(m)",
            "element_at(m, 'n1'), id",
            "element_at(d, 0.0e0), element_at(d, 1.5e0), element_at(d, 7e0)",
            "element_at(c, CAST('c' AS char(3)))",
            "d[1.5e0]",
            "IF(cardinality(a) >= 3, a[3])",
            "IF(id % 4 <> 0, m['k'])",
            "cardinality(r.a), element_at(r.m, 'k'), r.n",
            "IF(cardinality(r.a) >= 3, r.a[3])",
    })
    void testPushedCalls(String select)
    {
        String sql = "SELECT %s FROM elements".formatted(select);
        assertSameResults(sql);
        assertThat(readsElements(getSession(), sql)).isTrue();
        assertSameResults(sql + " WHERE id IN (3, 17, 9001)");
        assertSameResults(sql + " WHERE id BETWEEN 100 AND 8200 AND r.n % 2 = 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // the array or map is needed anyway
            "a, cardinality(a)",
            "m, element_at(m, 'k')",
            "r.m, cardinality(r.m), element_at(r.m, 'k')",
            // keys and indexes that are not constant, and NaN
            "element_at(a, id)",
            "element_at(m, 'n' || CAST(id % 3 AS varchar))",
            "element_at(d, nan())",
            // too many keys
            "element_at(m, 'a'), element_at(m, 'b'), element_at(m, 'c'), element_at(m, 'k'), element_at(m, '')",
            // the engine does not show these lambda expressions, which use a column
            "TRY(m['k'])",
            "TRY(a[2]), id",
            "transform(sequence(1, 3), x -> x + element_at(m, 'k')), cardinality(a)",
            "TRY(IF(id > 0, 100 / id)), cardinality(a)",
    })
    void testOtherCalls(String select)
    {
        String sql = "SELECT %s FROM elements".formatted(select);
        assertSameResults(sql);
        assertThat(readsElements(getSession(), sql)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT sum(cardinality(a)), count(element_at(m, 'k')), max(element_at(a, 2)) FROM elements",
            "SELECT cardinality(a), count(*) FROM elements GROUP BY 1",
            "SELECT id FROM elements WHERE cardinality(a) = 3",
            "SELECT id, element_at(m, 'k') FROM elements WHERE element_at(m, 'k') > 9000",
            "SELECT * FROM (SELECT id, element_at(m, 'k') v FROM elements) WHERE v = 10",
            "SELECT * FROM (SELECT id, element_at(c, CAST('c' AS char(3))) v FROM elements) WHERE CAST(v AS varchar) LIKE 'char 1%'",
            "SELECT x.id FROM (SELECT id, element_at(m, 'k') v FROM elements) x JOIN (SELECT id FROM elements WHERE id < 20) y ON x.v = y.id",
            "SELECT id, element_at(m, 'k') v FROM elements ORDER BY v, id LIMIT 10",
            "SELECT id, cardinality(a) FROM elements WHERE a IS NOT NULL AND m IS NULL",
            "SELECT count(*) FROM elements CROSS JOIN UNNEST(a) u (e) WHERE e = 5",
    })
    void testQueries(String sql)
    {
        assertSameResults(sql);
    }

    /**
     * The reader evaluates predicates on elements, and returns what the engine returns for whole arrays and maps.
     */
    @Test
    void testFilters()
    {
        for (String predicate : new String[] {
                "cardinality(a) > 3",
                "cardinality(m) = 1 OR cardinality(m) IS NULL",
                "cardinality(a) NOT IN (1, 3)",
                "element_at(a, 2) < 100",
                "element_at(a, -1) = 13 AND cardinality(a) = 3",
                "element_at(m, 'k') = 13",
                "13 >= element_at(m, 'k')",
                "element_at(m, 'k') <> 13",
                "element_at(m, 'k') IN (5, 7, 9001) AND id > 5",
                "element_at(m, 'k') BETWEEN 100 AND 200",
                "element_at(m, 'k') < 50 OR element_at(m, 'k') > 9800 OR element_at(m, 'k') IS NULL",
                "element_at(m, 'k') IS NULL",
                "element_at(m, 'k') IS NOT NULL",
                "element_at(m, 'missing') IS NOT NULL",
                "element_at(d, 1.5e0) = 'one' AND element_at(d, 0e0) = '17'",
                "element_at(r.m, 'k') = 29 AND cardinality(r.a) = 4",
                "cardinality(r.a) IS NOT NULL AND r.n < 30",
        }) {
            assertThat(query("SELECT id, a, element_at(m, 'k') FROM elements WHERE " + predicate)).as(predicate).isFullyPushedDown();
        }
    }

    /**
     * The engine evaluates these predicates. The reader leaves out rows that cannot match.
     */
    @Test
    void testFiltersOfEngine()
    {
        for (String predicate : new String[] {
                "element_at(m, 'k') = 17 OR element_at(a, 1) = 13",
                "element_at(m, 'k') + 1 = 14",
                "element_at(m, 'k') = 13 AND length(element_at(d, 0e0)) = 2",
                "element_at(m, 'k') = id AND element_at(m, 'k') < 30",
                "d[1.5e0] = 'one' AND id < 20",
                "d[0e0] = '17'",
                "d[0e0] BETWEEN '170' AND '171'",
                // the subscript does not fail where the predicate before it is not true
                "cardinality(a) > 3 AND a[4] = 19",
                "id % 4 <> 0 AND id % 11 <> 0 AND m['k'] IN (13, 17, 20)",
        }) {
            assertThat(query("SELECT id, element_at(m, 'k') FROM elements WHERE " + predicate)).as(predicate).isNotFullyPushedDown(FilterNode.class);
        }
    }

    /**
     * The ranges of the alternatives contain all values together, but no comparison is true for NaN.
     */
    @Test
    void testNaN()
    {
        try (TestTable table = newTrinoTable("nan_elements", "AS SELECT * FROM (VALUES (1, ARRAY[nan()], MAP(ARRAY['k'], ARRAY[real 'NaN'])), (2, ARRAY[5e0], MAP(ARRAY['k'], ARRAY[real '5'])), (3, ARRAY[], MAP())) t (id, a, m)")) {
            for (String element : new String[] {"element_at(a, 1)", "element_at(m, 'k')"}) {
                assertThat(query("SELECT id FROM %s WHERE %s <= 5 OR %s > 5".formatted(table.getName(), element, element))).matches("VALUES 2");
                assertThat(query("SELECT id FROM %s WHERE %s <= 5 OR %s > 5 OR %s IS NULL".formatted(table.getName(), element, element, element))).matches("VALUES 2, 3");
                assertThat(query("SELECT id FROM %s WHERE %s <= 5 OR %s IS NOT NULL".formatted(table.getName(), element, element))).matches("VALUES 1, 2");
                assertThat(query("SELECT id FROM %s WHERE NOT (%s > 5)".formatted(table.getName(), element))).matches("VALUES 1, 2");
                assertThat(query("SELECT id FROM %s WHERE %s <> 5".formatted(table.getName(), element))).matches("VALUES 1");
                assertThat(query("SELECT id FROM %s WHERE %s < 5 OR %s = 5 OR %s > 5".formatted(table.getName(), element, element, element))).matches("VALUES 2");
            }
        }
    }

    @Test
    void testFilteredRows()
    {
        // only rows that match leave the scan, also if the engine evaluates the predicate again
        assertThat(scan(getSession(), "SELECT id FROM elements WHERE element_at(m, 'k') = 13").rows()).isEqualTo(1);
        assertThat(scan(getSession(), "SELECT id FROM elements WHERE d[0e0] = '17'").rows()).isEqualTo(1);
        assertThat(scan(getSession(), "SELECT id FROM elements WHERE element_at(m, 'k') = 13 AND id % 2 = 1").rows()).isEqualTo(1);
        assertThat(scan(getSession(), "SELECT count(*) FROM elements x JOIN (VALUES 17, 13, 4) y (n) ON element_at(x.m, 'k') = y.n").rows()).isEqualTo(2);
        Session withoutFilters = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "row_filtering", "false")
                .build();
        assertThat(scan(withoutFilters, "SELECT id FROM elements WHERE element_at(m, 'k') = 13").rows()).isEqualTo(9900);
        assertThat((String) computeScalar("EXPLAIN SELECT id FROM elements WHERE element_at(m, 'k') = 13")).contains("constraint on [element_at(m, 'k')]");
    }

    private void assertSameResults(String sql)
    {
        String expected = sql.replace("FROM elements", "FROM (" + ROWS + ")");
        assertThat(query(sql)).matches(expected);
        assertThat(query(wholeColumns(), sql)).matches(expected);
        assertThat(readsElements(wholeColumns(), sql)).isFalse();
    }

    private boolean readsElements(Session session, String sql)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(session, sql);
        return PlanNodeSearcher.searchFrom(getDistributedQueryRunner().getQueryPlan(result.queryId()).getRoot())
                .where(node -> node instanceof TableScanNode scan && scan.getAssignments().values().stream().anyMatch(column -> column instanceof AlbisColumnHandle handle && handle.container().isPresent()))
                .matches();
    }

    /**
     * The errors of subscripts are those of the engine.
     */
    @Test
    void testErrors()
    {
        for (Session session : new Session[] {getSession(), wholeColumns()}) {
            assertQueryFails(session, "SELECT m['missing'] FROM elements WHERE id = 5", "Key not present in map: missing");
            assertQueryFails(session, "SELECT a[4] FROM elements WHERE id = 8", "Array subscript must be less than or equal to array length: 4 > 3");
            assertQueryFails(session, "SELECT a[0] FROM elements WHERE id = 8", "SQL array indices start at 1");
            assertQueryFails(session, "SELECT a[-1] FROM elements WHERE id = 8", "Array subscript is negative: -1");
            assertQueryFails(session, "SELECT element_at(a, 0) FROM elements WHERE id = 8", "SQL array indices start at 1");
            assertQueryFails(session, "SELECT id FROM elements WHERE id = 5 AND m['missing'] = 7", "Key not present in map: missing");
            assertQueryFails(session, "SELECT id FROM elements WHERE id = 8 AND a[4] < 7", "Array subscript must be less than or equal to array length: 4 > 3");
            assertQueryReturnsEmptyResult(session, "SELECT id FROM elements WHERE id = 5 AND element_at(m, 'missing') = 7");
        }
    }

    @Test
    void testReadBytes()
    {
        String rows =
                """
                SELECT id, transform(sequence(1, 50), i -> id * i) a, MAP(transform(sequence(1, 50), i -> 'key ' || CAST(i AS varchar)), transform(sequence(1, 50), i -> id * i)) m
                FROM UNNEST(sequence(1, 5000)) t (id)
                """;
        try (TestTable table = newTrinoTable("test_element_bytes", "AS " + rows)) {
            String name = table.getName();
            long array = bytes(getSession(), "SELECT a FROM " + name);
            long map = bytes(getSession(), "SELECT m FROM " + name);
            assertThat(bytes(getSession(), "SELECT cardinality(a) FROM " + name)).isLessThan(array / 20);
            assertThat(bytes(getSession(), "SELECT cardinality(m) FROM " + name)).isLessThan(map / 20);
            assertThat(bytes(getSession(), "SELECT element_at(a, 51) FROM " + name)).isLessThan(array / 20);
            assertThat(bytes(getSession(), "SELECT element_at(m, 'missing') FROM " + name)).isLessThan(map / 2);
            assertThat(bytes(wholeColumns(), "SELECT cardinality(a) FROM " + name)).isGreaterThan(array / 2);
            assertThat(bytes(getSession(), "SELECT a FROM %s WHERE cardinality(a) > 50".formatted(name))).isLessThan(array / 20);
            assertThat(bytes(getSession(), "SELECT count(*) FROM %s WHERE cardinality(m) < 50".formatted(name))).isLessThan(map / 20);
            assertThat(bytes(getSession(), "SELECT a FROM %s WHERE element_at(a, 51) = 7".formatted(name))).isLessThan(array / 20);
            assertThat(bytes(getSession(), "SELECT m FROM %s WHERE element_at(m, 'missing') = 7".formatted(name))).isLessThan(map / 2);
        }
    }

    @Test
    void testReadBytesOfLargeValues()
    {
        String rows =
                """
                SELECT id, MAP(transform(sequence(1, 40), i -> 'key ' || CAST(i AS varchar)), transform(sequence(1, 40), i -> rpad(CAST(id * i AS varchar), 4000, CAST(random(1000) AS varchar)))) m
                FROM UNNEST(sequence(1, 100)) t (id)
                """;
        try (TestTable table = newTrinoTable("test_large_element_bytes", "AS " + rows)) {
            String name = table.getName();
            long map = bytes(getSession(), "SELECT m FROM " + name);
            assertThat(map).isGreaterThan(100 * 40 * 4000);
            // each value is on one or two pages of 4 kB
            assertThat(bytes(getSession(), "SELECT count(*) FROM %s WHERE element_at(m, 'key 3') < '2'".formatted(name))).isLessThan(map / 3);
            assertThat(bytes(getSession(), "SELECT element_at(m, 'key 4') FROM %s WHERE element_at(m, 'key 3') < '2'".formatted(name))).isLessThan(map / 2);
            // the map is read for the rows that remain
            assertThat(bytes(getSession(), "SELECT count(*) FROM %s WHERE m['key 3'] < '12'".formatted(name))).isLessThan(map / 2);
        }
    }

    private long bytes(Session session, String sql)
    {
        return scan(session, sql).scanned("Albis bytes read");
    }

    private ScanStatistics scan(Session session, String sql)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(session, sql);
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
    }

    @Test
    void testChanges()
    {
        try (TestTable table = newTrinoTable("test_element_changes", "AS SELECT 1 id")) {
            String name = table.getName();
            String elements = "SELECT id, cardinality(a), element_at(a, 1).x, element_at(m, 2) FROM %s FOR VERSION AS OF %s";
            // a row group without the columns
            assertUpdate("ALTER TABLE %s ADD COLUMN a array(row(x integer))".formatted(name));
            assertUpdate("ALTER TABLE %s ADD COLUMN m map(integer, integer)".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (2, NULL, NULL)".formatted(name), 1);
            assertUpdate("INSERT INTO %s VALUES (3, ARRAY[ROW(5), ROW(6)], MAP(ARRAY[1, 2], ARRAY[10, 20])), (4, ARRAY[], MAP(ARRAY[1], ARRAY[30]))".formatted(name), 2);
            long version = (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(name));
            String before = "VALUES (1, NULL, NULL, NULL), (2, NULL, NULL, NULL), (3, 2, 5, 20), (4, 0, NULL, NULL)";
            assertQuery(elements.formatted(name, version), before);
            // other names, types, and fields
            assertUpdate("ALTER TABLE %s RENAME COLUMN m TO n".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN n SET DATA TYPE map(bigint, bigint)".formatted(name));
            assertUpdate("ALTER TABLE %s ADD COLUMN a.element.y bigint".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (5, ARRAY[ROW(7, 70)], MAP(ARRAY[2, 3], ARRAY[40, 50]))".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE id = 4".formatted(name), 1);
            assertQuery("SELECT id, cardinality(a), element_at(a, 1).x, element_at(a, 1).y, element_at(n, 2), cardinality(n) FROM " + name,
                    "VALUES (1, NULL, NULL, NULL, NULL, NULL), (2, NULL, NULL, NULL, NULL, NULL), (3, 2, 5, NULL, 20, 2), (5, 1, 7, 70, 40, 2)");
            assertQuery("SELECT n[2], a[1].y FROM %s WHERE id >= 3".formatted(name), "VALUES (20, NULL), (40, 70)");
            assertQuery(elements.formatted(name, version), before);
            // statements that change rows
            assertUpdate("UPDATE %s SET id = 100 + cardinality(a) WHERE element_at(n, 3) = 50".formatted(name), 1);
            assertQuery("SELECT id FROM %s WHERE id > 100".formatted(name), "VALUES 101");
            assertUpdate("DELETE FROM %s WHERE cardinality(n) = 2".formatted(name), 2);
            assertQuery("SELECT id, cardinality(n) FROM " + name, "VALUES (1, NULL), (2, NULL)");
        }
    }
}
