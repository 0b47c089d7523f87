package io.albis.trino.nested;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * ALTER TABLE for fields of rows, with rows that were written before and after it.
 */
final class TestAlbisFieldChanges
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
    }

    @Test
    void testRowsBeforeAndAfter()
    {
        try (TestTable table = newTrinoTable("test_field_changes", "AS SELECT 1 id, CAST(ROW(1, ROW('x', 2)) AS row(a integer, b row(s varchar, n integer))) r")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s DROP COLUMN r.b.n".formatted(name));
            // the engine passes only the name and the type
            assertUpdate("ALTER TABLE %s ADD COLUMN r.b.n bigint DEFAULT 3 NOT NULL COMMENT 'ignored'".formatted(name));
            assertThat(query("TABLE " + name)).matches("VALUES (1, CAST(ROW(1, ROW('x', NULL)) AS row(a integer, b row(s varchar, n bigint))))");
            assertUpdate("INSERT INTO %s VALUES (2, ROW(2, ROW('y', 3)))".formatted(name), 1);
            assertUpdate("ALTER TABLE %s RENAME COLUMN r.a TO c".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN r.c SET DATA TYPE bigint".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (3, ROW(3000000000, ROW('z', NULL))), (4, NULL), (5, ROW(5, NULL))".formatted(name), 3);
            assertThat(query("TABLE " + name)).matches(
                    """
                    SELECT id, CAST(r AS row(c bigint, b row(s varchar, n bigint)))
                    FROM (VALUES (1, ROW(1, ROW('x', NULL))), (2, ROW(2, ROW('y', 3))), (3, ROW(3000000000, ROW('z', NULL))), (4, NULL), (5, ROW(5, NULL))) t (id, r)
                    """);
            // each version has its own fields
            assertThat(query("SELECT r FROM %s FOR VERSION AS OF 1".formatted(name))).matches("SELECT CAST(ROW(1, ROW('x', 2)) AS row(a integer, b row(s varchar, n integer)))");
            assertThat(query("SELECT r.a, r.b.n FROM %s FOR VERSION AS OF 4".formatted(name))).matches("VALUES (1, CAST(NULL AS bigint)), (2, 3)");

            // single fields are read and filtered in row groups with and without them
            assertThat(query("SELECT id, r.b.n FROM %s WHERE r.b.n = 3".formatted(name))).isFullyPushedDown().matches("VALUES (2, BIGINT '3')");
            assertThat(query("SELECT id FROM %s WHERE r.b.n IS NULL".formatted(name))).isFullyPushedDown().matches("VALUES 1, 3, 4, 5");
            assertThat(query("SELECT id FROM %s WHERE r.c >= 2".formatted(name))).isFullyPushedDown().matches("VALUES 2, 3, 5");
            assertThat(query("SELECT id FROM %s WHERE r.c = 1".formatted(name))).isFullyPushedDown().matches("VALUES 1");
            assertThat(query("SELECT id, r.b FROM %s WHERE r.b IS NULL".formatted(name))).isFullyPushedDown().matches("VALUES (4, CAST(NULL AS row(s varchar, n bigint))), (5, NULL)");
            assertThat(query("SELECT sum(r.c), count(r.b.s), count(r.b.n), count(r) FROM " + name)).matches("VALUES (BIGINT '3000000008', BIGINT '3', BIGINT '1', BIGINT '4')");

            // updates in place, and rows that are written again
            assertUpdate("UPDATE %s SET r = ROW(r.c + 1, ROW(r.b.s, 7)) WHERE id = 1".formatted(name), 1);
            assertUpdate("UPDATE %s SET id = id + 10 WHERE id <= 2".formatted(name), 2);
            assertUpdate("DELETE FROM %s WHERE r.c = 5".formatted(name), 1);
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertThat(query("SELECT id, r.c, r.b.s, r.b.n FROM " + name)).matches("VALUES (11, BIGINT '2', VARCHAR 'x', BIGINT '7'), (12, 2, 'y', 3), (3, 3000000000, 'z', NULL), (4, NULL, NULL, NULL)");
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertThat(query("TABLE " + name)).matches("VALUES (1, CAST(ROW(1, ROW('x', 2)) AS row(a integer, b row(s varchar, n integer))))");
            // neither the fields that were dropped before nor those of the versions after it
            assertUpdate("ALTER TABLE %s ADD COLUMN r.c bigint".formatted(name));
            assertThat(query("SELECT r.a, r.c FROM " + name)).matches("VALUES (1, CAST(NULL AS bigint))");
        }
    }

    @Test
    void testFieldsInArraysAndMaps()
    {
        try (TestTable table = newTrinoTable("test_field_changes", "AS SELECT CAST(ARRAY[ROW(1, 'x'), NULL] AS array(row(n integer, s varchar))) a, CAST(MAP(ARRAY[1], ARRAY[ROW(2)]) AS map(integer, row(v integer))) m")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ADD COLUMN a.element.d double".formatted(name));
            assertUpdate("ALTER TABLE %s DROP COLUMN a.element.s".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN a.element.n SET DATA TYPE bigint".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN m SET DATA TYPE map(bigint, row(w varchar, v bigint))".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (ARRAY[ROW(2, 0.5)], MAP(ARRAY[3], ARRAY[ROW('y', 4)]))".formatted(name), 1);
            assertThat(query("TABLE " + name)).matches(
                    """
                    SELECT CAST(a AS array(row(n bigint, d double))), CAST(m AS map(bigint, row(w varchar, v bigint)))
                    FROM (VALUES (ARRAY[ROW(1, NULL), NULL], MAP(ARRAY[1], ARRAY[ROW(NULL, 2)])), (ARRAY[ROW(2, 0.5)], MAP(ARRAY[3], ARRAY[ROW('y', 4)]))) t (a, m)
                    """);
            assertThat(query("SELECT e.n, e.d FROM %s CROSS JOIN UNNEST(a) e (n, d)".formatted(name))).matches("VALUES (BIGINT '1', CAST(NULL AS double)), (NULL, NULL), (2, 0.5)");
            assertThat(query("SELECT element_at(m, 1).v, element_at(m, 3).w FROM " + name)).matches("VALUES (BIGINT '2', CAST(NULL AS varchar)), (NULL, 'y')");
            assertQueryFails("ALTER TABLE %s ALTER COLUMN m SET DATA TYPE map(bigint, varchar)".formatted(name), "The type of column 'm' cannot be changed from map\\(.*\\) to map\\(bigint, varchar\\).*");
        }
        try (TestTable table = newTrinoTable("test_field_changes", "AS SELECT MAP(ARRAY[CAST(ROW(1) AS row(k integer))], ARRAY[2]) m")) {
            assertQueryFails("ALTER TABLE %s ALTER COLUMN m SET DATA TYPE map(row(k integer, l integer), integer)".formatted(table.getName()), "The keys of maps in column 'm' cannot get or lose fields, .*");
        }
    }

    /**
     * A materialized view is not fresh after fields have exchanged their names.
     */
    @Test
    void testMaterializedView()
    {
        try (TestTable table = newTrinoTable("test_field_changes", "AS SELECT CAST(ROW(1, 2) AS row(a integer, b integer)) r")) {
            String name = table.getName();
            assertUpdate("CREATE MATERIALIZED VIEW %s_view GRACE PERIOD INTERVAL '0' SECOND AS SELECT r.a FROM %s".formatted(name, name));
            assertUpdate("REFRESH MATERIALIZED VIEW %s_view".formatted(name), 1);
            assertThat(query("TABLE %s_view".formatted(name))).matches("VALUES 1");
            assertUpdate("ALTER TABLE %s RENAME COLUMN r.a TO c".formatted(name));
            assertUpdate("ALTER TABLE %s RENAME COLUMN r.b TO a".formatted(name));
            assertUpdate("ALTER TABLE %s RENAME COLUMN r.c TO b".formatted(name));
            assertThat(query("TABLE %s_view".formatted(name))).matches("VALUES 2");
            assertUpdate("INSERT INTO %s VALUES ROW(ROW(3, 4))".formatted(name), 1);
            // all rows, and not only the new one
            assertUpdate("REFRESH MATERIALIZED VIEW %s_view".formatted(name), 2);
            assertThat(query("TABLE %s_view".formatted(name))).matches("VALUES 2, 4");
            assertUpdate("DROP MATERIALIZED VIEW %s_view".formatted(name));
        }
    }

    /**
     * Runs the example of docs/schema-changes.md.
     */
    @Test
    void testDocumentedExample()
    {
        assertUpdate("CREATE TABLE orders AS SELECT 1 AS id, CAST(ROW('Ada', ROW('Zurich', 8001)) AS row(name varchar, address row(city varchar, zip integer))) AS customer, CAST(ARRAY[ROW(7, 9.99)] AS array(row(item integer, price decimal(7, 2)))) AS items", 1);
        assertUpdate("ALTER TABLE orders ADD COLUMN customer.address.country varchar");
        assertUpdate("ALTER TABLE orders DROP COLUMN customer.address.zip");
        assertUpdate("ALTER TABLE orders RENAME COLUMN customer.name TO first_name");
        assertUpdate("ALTER TABLE orders ADD COLUMN items.element.amount integer");
        assertUpdate("ALTER TABLE orders ALTER COLUMN items.element.item SET DATA TYPE bigint");
        assertThat(query("SELECT customer, items FROM orders")).matches("VALUES (CAST(ROW('Ada', ROW('Zurich', NULL)) AS row(first_name varchar, address row(city varchar, country varchar))), CAST(ARRAY[ROW(7, 9.99, NULL)] AS array(row(item bigint, price decimal(7, 2), amount integer))))");
        assertThat((String) computeScalar("SHOW CREATE TABLE orders")).contains(
                """
                   id integer,
                   customer ROW(first_name varchar, address ROW(city varchar, country varchar)),
                   items array(ROW(item bigint, price decimal(7, 2), amount integer))
                """);
        assertUpdate("DROP TABLE orders");
    }
}
