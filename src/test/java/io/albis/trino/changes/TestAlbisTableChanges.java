package io.albis.trino.changes;

import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.testing.sql.TestView;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table function table_changes.
 */
final class TestAlbisTableChanges
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(List.of(TpchTable.ORDERS))
                .build();
    }

    /**
     * Creates a table whose first version has the rows (1, a) to (5, e).
     */
    private TestTable newLetters(String properties)
    {
        return newTrinoTable("letters", "%s AS SELECT * FROM (VALUES (1, VARCHAR 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')) t (n, s)".formatted(properties));
    }

    private static String changes(TestTable table, long start, long end)
    {
        return "TABLE(albis.system.table_changes(schema_name => 'tpch', table_name => '%s', start_snapshot_id => %s, end_snapshot_id => %s))".formatted(table.getName(), start, end);
    }

    /**
     * Checks the columns n and s of the changes, their types, versions, and ordinals.
     */
    private void assertChanges(TestTable table, long start, long end, String expected)
    {
        assertQuery("SELECT n, s, _change_type, _change_version_id, _change_ordinal FROM " + changes(table, start, end), expected);
    }

    private void assertNoChanges(TestTable table, long start, long end)
    {
        assertQueryReturnsEmptyResult("SELECT * FROM " + changes(table, start, end));
    }

    private void assertFails(String query, StandardErrorCode errorCode, String message)
    {
        assertTrinoExceptionThrownBy(() -> computeActual(query))
                .hasErrorCode(errorCode)
                .hasMessageMatching(message);
    }

    private Session updates(boolean inPlace)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", inPlace ? "0" : "1")
                .build();
    }

    private long deletedRows(TestTable table)
    {
        return (long) computeScalar("SELECT coalesce(sum(deleted_record_count), 0) FROM \"%s$files\"".formatted(table.getName()));
    }

    private void expire(TestTable table)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "expire_snapshots_min_retention", "0s")
                .build();
        computeActual(session, "ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(table.getName()));
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
     * Versions that do not change rows have neither changes nor an ordinal.
     */
    @Test
    void testOptimize()
    {
        try (TestTable table = newLetters("")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(name), 1);
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertUpdate("COMMENT ON TABLE %s IS 'optimized'".formatted(name));
            assertUpdate("DELETE FROM %s WHERE n = 6".formatted(name), 1);
            assertQuery("SELECT operation FROM \"%s$snapshots\" WHERE snapshot_id >= 4".formatted(name), "VALUES 'optimize', 'alter', 'delete'");
            assertNoChanges(table, 3, 5);
            assertChanges(table, 1, 6, "VALUES (6, 'f', 'insert', 2, 0), (1, 'a', 'delete', 3, 1), (6, 'f', 'delete', 6, 2)");
        }
    }

    @Test
    void testRollback()
    {
        try (TestTable table = newLetters("")) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(name), 1);
            assertUpdate(updates(true), "UPDATE %s SET s = 'z' WHERE n <= 3".formatted(name), 2);
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE n = 5".formatted(name), 1);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertChanges(table, 5, 6,
                    """
                    VALUES
                        (1, 'a', 'insert', 6, 0),
                        (2, 'z', 'delete', 6, 0),
                        (2, 'b', 'insert', 6, 0),
                        (3, 'z', 'delete', 6, 0),
                        (3, 'c', 'insert', 6, 0),
                        (5, 'e', 'insert', 6, 0),
                        (6, 'f', 'delete', 6, 0)
                    """);
        }
    }

    /**
     * The columns are those of the last version.
     */
    @Test
    void testSchemaChanges()
    {
        try (TestTable table = newLetters("")) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE n > 2".formatted(name), 3);
            assertUpdate("ALTER TABLE %s ADD COLUMN d integer DEFAULT 7".formatted(name));
            assertUpdate("ALTER TABLE %s RENAME COLUMN s TO letter".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN n SET DATA TYPE bigint".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (3000000000, 'x', 8)".formatted(name), 1);
            assertUpdate(updates(true), "UPDATE %s SET d = 9 WHERE n = 1".formatted(name), 1);
            String columns = "SELECT n, letter, d, _change_type, _change_version_id, _change_ordinal FROM ";
            assertThat(query(columns + changes(table, 1, 7))).matches(
                    """
                    SELECT n, CAST(s AS varchar), d, CAST(t AS varchar), v, o
                    FROM (VALUES
                        (BIGINT '3', 'c', 7, 'delete', BIGINT '2', 0),
                        (4, 'd', 7, 'delete', 2, 0),
                        (5, 'e', 7, 'delete', 2, 0),
                        (3000000000, 'x', 8, 'insert', 6, 1),
                        (1, 'a', 7, 'delete', 7, 2),
                        (1, 'a', 9, 'insert', 7, 2)) t (n, s, d, t, v, o)
                    """);
            assertChanges(table, 1, 2, "VALUES (3, 'c', 'delete', 2, 0), (4, 'd', 'delete', 2, 0), (5, 'e', 'delete', 2, 0)");

            assertUpdate("ALTER TABLE %s DROP COLUMN letter".formatted(name));
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(name), 1);
            assertQuery("SELECT n, d, _change_type, _change_version_id FROM " + changes(table, 6, 9), "VALUES (1, 7, 'delete', 7), (1, 9, 'insert', 7), (1, 9, 'delete', 9)");

            // values of the wider type cannot be read with the narrower one
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(4)".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 9, 10), NOT_SUPPORTED, "Column 'n' of table 'tpch.%s' has the type bigint in version 9. It cannot be read as integer, its type in version 10".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 4, 10), NOT_SUPPORTED, "Column 'n' of table 'tpch.%s' has the type bigint in version 5. It cannot be read as integer, its type in version 10".formatted(name));
        }
    }

    /**
     * A column that was dropped and is restored has had its values all the time.
     */
    @Test
    void testRestoredColumn()
    {
        try (TestTable table = newLetters("WITH (column_groups = ARRAY[ARRAY['n'], ARRAY['s']])")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s DROP COLUMN s".formatted(name));
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(name), 1);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertQuery("SELECT n, _change_type, _change_version_id FROM " + changes(table, 1, 4), "VALUES (1, 'delete', 3), (1, 'insert', 4)");
        }
    }

    @Test
    void testReplacedTable()
    {
        try (TestTable table = newLetters("")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(name), 1);
            assertUpdate("CREATE OR REPLACE TABLE %s AS SELECT 1 n, 'x' s".formatted(name), 1);
            assertUpdate("INSERT INTO %s VALUES (2, 'y')".formatted(name), 1);
            assertFails("SELECT * FROM " + changes(table, 2, 4), NOT_SUPPORTED, "Versions 2 and 4 of table 'tpch.%s' have no column in common, because the table was replaced".formatted(name));
            assertChanges(table, 1, 2, "VALUES (6, 'f', 'insert', 2, 0)");
            assertChanges(table, 3, 4, "VALUES (2, 'y', 'insert', 4, 0)");
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(2)".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 2, 5), NOT_SUPPORTED, "Versions 3 and 5 of table 'tpch.%s' have no column in common, because the table was replaced".formatted(name));
        }
    }

    @Test
    void testRenamedTable()
    {
        try (TestTable table = newLetters("")) {
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(table.getName()), 1);
            assertUpdate("ALTER TABLE %1$s RENAME TO %1$s_renamed".formatted(table.getName()));
            assertUpdate("INSERT INTO %s_renamed VALUES (7, 'g')".formatted(table.getName()), 1);
            assertQuery("SELECT n, _change_ordinal FROM " + changes(table, 1, 4).replace(table.getName(), table.getName() + "_renamed"), "VALUES (6, 0), (7, 1)");
            assertFails("SELECT * FROM " + changes(table, 1, 2), NOT_FOUND, "Table 'tpch.%s' not found".formatted(table.getName()));
            assertUpdate("ALTER TABLE %1$s_renamed RENAME TO %1$s".formatted(table.getName()));
        }
    }

    @Test
    void testExpiredVersions()
    {
        try (TestTable table = newLetters("")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(name), 1);
            assertUpdate("ALTER TABLE %s EXECUTE create_tag(name => 'kept', snapshot_id => 2)".formatted(name));
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(name), 1);
            expire(table);
            assertUpdate("DELETE FROM %s WHERE n = 2".formatted(name), 1);
            long newest = (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 1, 2), INVALID_FUNCTION_ARGUMENT, "Table 'tpch.%s' has no version 1 any more, because it has expired. .*".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 2, 3), INVALID_FUNCTION_ARGUMENT, "Table 'tpch.%s' has no version 3 any more, because it has expired. .*".formatted(name));
            // both versions exist, but not those between them
            assertFails("SELECT * FROM " + changes(table, 2, newest), INVALID_FUNCTION_ARGUMENT, "The changes of table 'tpch.%s' between versions 2 and %s are not known any more, because version 3 has expired".formatted(name, newest));
            assertChanges(table, newest - 1, newest, "VALUES (2, 'b', 'delete', %s, 0)".formatted(newest));
        }
    }

    @Test
    void testInvalidArguments()
    {
        try (TestTable table = newLetters("");
                TestTable named = newTrinoTable("named", "AS SELECT 1 _change_type");
                TestView view = new TestView(getQueryRunner()::execute, "view_without_changes", "SELECT 1 n")) {
            String name = table.getName();
            assertFails("SELECT * FROM " + changes(table, 2, 1), INVALID_FUNCTION_ARGUMENT, "start_snapshot_id is 2 and end_snapshot_id is 1, but the changes are those from an earlier to a later version");
            for (long missing : new long[] {-1, 0, 2, Long.MAX_VALUE}) {
                assertFails("SELECT * FROM " + changes(table, Math.min(1, missing), Math.max(1, missing)), INVALID_FUNCTION_ARGUMENT, "Table 'tpch.%s' has no version %s. It has only version 1".formatted(name, missing));
            }
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', '%s', NULL, 1))".formatted(name), INVALID_FUNCTION_ARGUMENT, "The argument START_SNAPSHOT_ID of table_changes is null");
            assertFails("SELECT * FROM TABLE(system.table_changes(NULL, '%s', 1, 1))".formatted(name), INVALID_FUNCTION_ARGUMENT, "The argument SCHEMA_NAME of table_changes is null");
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', 'no_such_table', 1, 1))", NOT_FOUND, "Table 'tpch.no_such_table' not found");
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', '%s', 1, 1))".formatted(view.getName()), NOT_FOUND, "Table 'tpch.%s' not found".formatted(view.getName()));
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', '%s', 1, 1))".formatted(named.getName()), NOT_SUPPORTED, "Table 'tpch.%s' has the column '_change_type', which is also a column of table_changes".formatted(named.getName()));
        }
    }

    /**
     * Several splits of a row group find each change once.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testLargeRowGroups(String layout)
    {
        Session small = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "max_split_size", "64kB")
                .build();
        try (TestTable table = newTrinoTable("large", "WITH (layout = '%s', segment_size = '16kB') AS TABLE orders".formatted(layout))) {
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
            """)
    void testEqualValues(String before, String after)
    {
        try (TestTable table = newTrinoTable("equal_values", "AS SELECT * FROM (VALUES (1, %s), (2, NULL)) t (n, v)".formatted(before))) {
            assertQuery("SELECT n FROM %s WHERE v = %s".formatted(table.getName(), after), "VALUES 1");
            assertUpdate(updates(true), "UPDATE %s SET v = IF(n = 1, %s)".formatted(table.getName(), after), 2);
            assertQuery("SELECT n, _change_type FROM " + changes(table, 1, 2), "VALUES (1, 'delete'), (1, 'insert')");
            assertUpdate(updates(true), "UPDATE %s SET v = v".formatted(table.getName()), 2);
            assertNoChanges(table, 2, 3);
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
