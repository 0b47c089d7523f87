package io.albis.trino.changes;

import io.trino.Session;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows that the table function table_changes returns for statements that change rows.
 */
final class TestAlbisTableChanges
        extends BaseTableChangesTest
{
    TestAlbisTableChanges()
    {
        super(1);
    }

    @Test
    void testInsertAndDelete()
    {
        try (TestTable table = newTrinoTable("letters", "(n bigint, s varchar)")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES (1, 'a'), (2, 'b'), (3, NULL)".formatted(name), 3);
            assertUpdate("INSERT INTO %s VALUES (4, 'd')".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE n = 2".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE n = 4".formatted(name), 1);
            assertChanges(table, 1, 5,
                    """
                    VALUES
                        (1, 'a', 'insert', 2, 0),
                        (2, 'b', 'insert', 2, 0),
                        (3, NULL, 'insert', 2, 0),
                        (4, 'd', 'insert', 3, 1),
                        (2, 'b', 'delete', 4, 2),
                        (4, 'd', 'delete', 5, 3)
                    """);
            assertChanges(table, 2, 4, "VALUES (4, 'd', 'insert', 3, 0), (2, 'b', 'delete', 4, 1)");
            // the first version is exclusive, and the last one inclusive
            assertChanges(table, 3, 4, "VALUES (2, 'b', 'delete', 4, 0)");
            assertNoChanges(table, 4, 4);
        }
    }

    /**
     * The example of docs/connector.md.
     */
    @Test
    void testExample()
    {
        assertUpdate("CREATE TABLE prices (item varchar, price integer)");
        assertUpdate("INSERT INTO prices VALUES ('apple', 3), ('pear', 4)", 2);
        assertUpdate("UPDATE prices SET price = 5 WHERE item = 'pear'", 1);
        assertUpdate("DELETE FROM prices WHERE item = 'apple'", 1);
        assertThat(query(
                """
                SELECT item, price, _change_type, _change_version_id, _change_ordinal
                FROM TABLE(albis.system.table_changes(
                    schema_name => 'tpch', table_name => 'prices', start_snapshot_id => 1, end_snapshot_id => 4))
                ORDER BY _change_ordinal, _change_type, item
                """))
                .ordered()
                .matches(
                        """
                        SELECT CAST(i AS varchar), p, CAST(t AS varchar), v, o
                        FROM (VALUES
                            ('apple', 3, 'insert', BIGINT '2', 0),
                            ('pear', 4, 'insert', 2, 0),
                            ('pear', 4, 'delete', 3, 1),
                            ('pear', 5, 'insert', 3, 1),
                            ('apple', 3, 'delete', 4, 2)) t (i, p, t, v, o)
                        ORDER BY o, t, i
                        """);
        assertUpdate("DROP TABLE prices");
    }

    @Test
    void testColumns()
    {
        try (TestTable table = newLetters("")) {
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(table.getName()), 1);
            assertThat(computeActual("SELECT * FROM " + changes(table, 1, 2)).getColumnNames()).containsExactly("n", "s", "_change_type", "_change_version_id", "_change_timestamp", "_change_ordinal");
            assertThat(query("SELECT n, s, _change_type, _change_version_id, _change_ordinal FROM " + changes(table, 1, 2))).matches("VALUES (6, VARCHAR 'f', VARCHAR 'insert', BIGINT '2', 0)");
            for (String zone : List.of("UTC", "Asia/Kolkata")) {
                Session session = Session.builder(getSession()).setTimeZoneKey(TimeZoneKey.getTimeZoneKey(zone)).build();
                assertThat(query(session, "SELECT _change_timestamp FROM " + changes(table, 1, 2))).matches(session, "SELECT committed_at FROM \"%s$snapshots\" WHERE snapshot_id = 2".formatted(table.getName()));
            }
            // the function is part of larger queries
            assertQuery("SELECT _change_type, count(*) FROM %s WHERE n > 5 GROUP BY 1".formatted(changes(table, 1, 2)), "VALUES ('insert', 1)");
            assertQuery("SELECT t.s FROM %s t JOIN %s c ON t.n = c.n".formatted(table.getName(), changes(table, 1, 2)), "VALUES 'f'");
            assertQuery("SELECT count(*) FROM TABLE(system.table_changes('tpch', '%s', 1, 2))".formatted(table.getName()), "VALUES 1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testUpdate(boolean inPlace)
    {
        Session session = updates(inPlace);
        try (TestTable table = newLetters("")) {
            assertUpdate(session, "UPDATE %s SET s = s || '!' WHERE n IN (2, 4)".formatted(table.getName()), 2);
            assertThat(deletedRows(table)).isEqualTo(inPlace ? 0 : 2);
            assertChanges(table, 1, 2,
                    """
                    VALUES
                        (2, 'b', 'delete', 2, 0),
                        (2, 'b!', 'insert', 2, 0),
                        (4, 'd', 'delete', 2, 0),
                        (4, 'd!', 'insert', 2, 0)
                    """);
            assertUpdate(session, "UPDATE %s SET n = n + 10, s = NULL WHERE n = 2".formatted(table.getName()), 1);
            assertChanges(table, 2, 3, "VALUES (2, 'b!', 'delete', 3, 0), (12, NULL, 'insert', 3, 0)");
        }
    }

    /**
     * An update in place writes all values of a column, so only values that differ are changes.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "WITH (layout = 'row')", "WITH (column_groups = ARRAY[ARRAY['n'], ARRAY['s']])"})
    void testUpdateInPlace(String properties)
    {
        Session session = updates(true);
        try (TestTable table = newLetters(properties)) {
            String name = table.getName();
            assertUpdate(session, "UPDATE %s SET s = IF(n > 3, NULL, s)".formatted(name), 5);
            assertChanges(table, 1, 2, "VALUES (4, 'd', 'delete', 2, 0), (4, NULL, 'insert', 2, 0), (5, 'e', 'delete', 2, 0), (5, NULL, 'insert', 2, 0)");
            assertUpdate(session, "UPDATE %s SET s = s".formatted(name), 5);
            assertNoChanges(table, 2, 3);
            // deleted rows do not change any more, and those of a later delete had the new values
            assertUpdate("DELETE FROM %s WHERE n IN (1, 4)".formatted(name), 2);
            assertUpdate(session, "UPDATE %s SET s = 'z', n = n * 10".formatted(name), 3);
            assertUpdate("DELETE FROM %s WHERE n = 20".formatted(name), 1);
            assertThat(deletedRows(table)).isEqualTo(3);
            assertChanges(table, 3, 6,
                    """
                    VALUES
                        (1, 'a', 'delete', 4, 0),
                        (4, NULL, 'delete', 4, 0),
                        (2, 'b', 'delete', 5, 1),
                        (20, 'z', 'insert', 5, 1),
                        (3, 'c', 'delete', 5, 1),
                        (30, 'z', 'insert', 5, 1),
                        (5, NULL, 'delete', 5, 1),
                        (50, 'z', 'insert', 5, 1),
                        (20, 'z', 'delete', 6, 2)
                    """);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testMerge(boolean inPlace)
    {
        try (TestTable table = newLetters("")) {
            assertUpdate(
                    updates(inPlace),
                    """
                    MERGE INTO %s t USING (VALUES (1, 'x'), (2, 'y'), (3, 'y'), (4, 'y'), (9, 'z')) s (n, s) ON t.n = s.n
                    WHEN MATCHED AND t.n = 1 THEN DELETE
                    WHEN MATCHED THEN UPDATE SET s = s.s
                    WHEN NOT MATCHED THEN INSERT VALUES (s.n, s.s)
                    """.formatted(table.getName()),
                    5);
            assertThat(deletedRows(table)).isEqualTo(inPlace ? 1 : 4);
            assertChanges(
                    table,
                    1,
                    2,
                    """
                    VALUES
                        (1, 'a', 'delete', 2, 0),
                        (2, 'b', 'delete', 2, 0), (2, 'y', 'insert', 2, 0),
                        (3, 'c', 'delete', 2, 0), (3, 'y', 'insert', 2, 0),
                        (4, 'd', 'delete', 2, 0), (4, 'y', 'insert', 2, 0),
                        (9, 'z', 'insert', 2, 0)
                    """);
        }
    }

    @Test
    void testTruncate()
    {
        try (TestTable table = newLetters("")) {
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(table.getName()), 1);
            assertUpdate("TRUNCATE TABLE " + table.getName());
            assertChanges(table, 2, 3, "VALUES (2, 'b', 'delete', 3, 0), (3, 'c', 'delete', 3, 0), (4, 'd', 'delete', 3, 0), (5, 'e', 'delete', 3, 0)");
        }
    }

    /**
     * Several splits of a row group find each change once.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testLargeRowGroups(String layout)
    {
        Session small = sessionWithSmallSplits();
        try (TestTable table = newTrinoTable("large", "WITH (layout = '%s', segment_size = '16kB') AS TABLE tpch.tiny.orders".formatted(layout))) {
            String name = table.getName();
            assertUpdate(updates(true), "UPDATE %s SET orderstatus = NULL, custkey = custkey + 1 WHERE mod(orderkey, 7) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 7) = 0");
            // the row layout writes all columns of the row group, which is more than the updated rows
            assertThat(deletedRows(table) == 0).isEqualTo(layout.equals("block"));
            assertUpdate("DELETE FROM %s WHERE mod(orderkey, 5) = 0".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 5) = 0");
            assertUpdate("TRUNCATE TABLE " + name);
            String query = "SELECT orderkey, custkey, orderdate, orderstatus, _change_type, _change_version_id FROM " + changes(table, 1, 4);
            String updated = "custkey + CASE WHEN mod(orderkey, 7) = 0 THEN 1 ELSE 0 END, orderdate, CASE WHEN mod(orderkey, 7) = 0 THEN NULL ELSE orderstatus END";
            String expected =
                    """
                    SELECT orderkey, custkey, orderdate, orderstatus, 'delete', 2 FROM orders WHERE mod(orderkey, 7) = 0
                    UNION ALL SELECT orderkey, custkey + 1, orderdate, NULL, 'insert', 2 FROM orders WHERE mod(orderkey, 7) = 0
                    UNION ALL SELECT orderkey, %1$s, 'delete', 3 FROM orders WHERE mod(orderkey, 5) = 0
                    UNION ALL SELECT orderkey, %1$s, 'delete', 4 FROM orders WHERE mod(orderkey, 5) <> 0
                    """.formatted(updated);
            assertQuery(small, query, expected);
            assertQuery(query, expected);
        }
    }

    private Session sessionWithSmallSplits()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("albis", "max_split_size", "64kB")
                .build();
    }

    /**
     * The row groups of the first version have no segments of the column.
     */
    @Test
    void testFilledColumnOfLargeRowGroups()
    {
        Session small = sessionWithSmallSplits();
        try (TestTable table = newTrinoTable("filled", "WITH (segment_size = '16kB') AS TABLE tpch.tiny.orders")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ADD COLUMN extra bigint DEFAULT -7".formatted(name));
            assertUpdate(updates(true), "UPDATE %s SET extra = orderkey".formatted(name), "SELECT count(*) FROM orders");
            assertThat(deletedRows(table)).isEqualTo(0);
            assertQuery(
                    small,
                    "SELECT orderkey, extra, _change_type FROM " + changes(table, 2, 3),
                    "SELECT orderkey, -7, 'delete' FROM orders UNION ALL SELECT orderkey, orderkey, 'insert' FROM orders");
        }
    }

    /**
     * Values that are equal in SQL can be different.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock =
            """
            DOUBLE '0' | DOUBLE '-0'
            REAL '0' | REAL '-0'
            TIMESTAMP '2020-01-01 12:00:00.000 UTC' | TIMESTAMP '2020-01-01 13:00:00.000 +01:00'
            TIMESTAMP '2020-01-01 12:00:00.000000000 UTC' | TIMESTAMP '2020-01-01 13:00:00.000000000 +01:00'
            TIME '12:00:00.000 +00:00' | TIME '13:00:00.000 +01:00'
            ARRAY[DOUBLE '0'] | ARRAY[DOUBLE '-0']
            MAP(ARRAY['a', 'b'], ARRAY[1, 2]) | MAP(ARRAY['b', 'a'], ARRAY[2, 1])
            MAP(ARRAY['a'], ARRAY[DOUBLE '0']) | MAP(ARRAY['a'], ARRAY[DOUBLE '-0'])
            ROW(MAP(ARRAY[1, 2], ARRAY[ROW('x', DATE '2020-01-01'), NULL])) | ROW(MAP(ARRAY[2, 1], ARRAY[NULL, ROW('x', DATE '2020-01-01')]))
            ARRAY[TIMESTAMP '2020-01-01 12:00:00.000000000 UTC'] | ARRAY[TIMESTAMP '2020-01-01 13:00:00.000000000 +01:00']
            from_ieee754_32(X'7FC00000') | from_ieee754_32(X'FFC00000')
            ARRAY[from_ieee754_32(X'7FC00000')] | ARRAY[from_ieee754_32(X'7FC00001')]
            """)
    void testEqualValues(String before, String after)
    {
        try (TestTable table = newTrinoTable("equal_values", "AS SELECT * FROM (VALUES (1, %s), (2, NULL)) t (n, v)".formatted(before))) {
            assertQuery("SELECT n FROM %s WHERE v IS NOT DISTINCT FROM %s".formatted(table.getName(), after), "VALUES 1");
            assertUpdate(updates(true), "UPDATE %s SET v = IF(n = 1, %s)".formatted(table.getName(), after), 2);
            assertQuery("SELECT n, _change_type FROM " + changes(table, 1, 2), "VALUES (1, 'delete'), (1, 'insert')");
            assertUpdate(updates(true), "UPDATE %s SET v = v".formatted(table.getName()), 2);
            assertNoChanges(table, 2, 3);
        }
    }

    /**
     * The engine writes all NaN of double with the same bits.
     */
    @Test
    void testNaN()
    {
        try (TestTable table = newTrinoTable("nan_values", "AS SELECT 1 n, nan() d, ARRAY[nan()] a, CAST(nan() AS real) r")) {
            String name = table.getName();
            assertUpdate(updates(true), "UPDATE %s SET d = from_ieee754_64(X'FFF8000020000000'), a = ARRAY[from_ieee754_64(X'FFF8000020000000')]".formatted(name), 1);
            assertNoChanges(table, 1, 2);
            assertUpdate(updates(true), "UPDATE %s SET r = from_ieee754_32(X'FFC00001')".formatted(name), 1);
            assertQuery("SELECT to_hex(to_ieee754_32(r)), _change_type FROM " + changes(table, 2, 3), "VALUES ('7FC00000', 'delete'), ('FFC00001', 'insert')");
        }
    }

    @Test
    void testNestedValues()
    {
        try (TestTable table = newTrinoTable("nested",
                """
                AS SELECT * FROM (VALUES
                    (1, CAST(ROW(1, nan()) AS row(x bigint, y double)), ARRAY['a', NULL], MAP(ARRAY['k'], ARRAY[1])),
                    (2, ROW(2, 0e0), NULL, NULL),
                    (3, NULL, ARRAY[], MAP())) t (n, r, a, m)
                """)) {
            String name = table.getName();
            assertUpdate(updates(true), "UPDATE %s SET r = IF(n = 2, ROW(2, 1e0), r), a = a, m = IF(n = 3, NULL, m)".formatted(name), 3);
            assertThat(query("SELECT n, r, a, m, _change_type FROM " + changes(table, 1, 2))).matches(
                    """
                    SELECT n, CAST(r AS row(bigint, double)), CAST(a AS array(varchar(1))), CAST(m AS map(varchar(1), integer)), CAST(t AS varchar)
                    FROM (VALUES
                        (2, ROW(2, 0e0), NULL, NULL, 'delete'),
                        (2, ROW(2, 1e0), NULL, NULL, 'insert'),
                        (3, NULL, ARRAY[], MAP(), 'delete'),
                        (3, NULL, ARRAY[], NULL, 'insert')) t (n, r, a, m, t)
                    """);
        }
    }
}
