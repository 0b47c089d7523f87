package io.albis.trino.changes;

import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows that the table function table_changes returns for versions that have other columns, another name, or other
 * files than those before them.
 */
final class TestAlbisTableChangesOfVersions
        extends BaseTableChangesTest
{
    TestAlbisTableChangesOfVersions()
    {
        super(0);
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
        }
    }

    /**
     * The versions without the column may have lost the files with its values.
     */
    @Test
    void testRestoredColumn()
    {
        try (TestTable table = newLetters("WITH (column_groups = ARRAY[ARRAY['n'], ARRAY['s']])")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s DROP COLUMN s".formatted(name));
            assertUpdate("DELETE FROM %s WHERE n = 1".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE n = 2".formatted(name), 1);
            assertQuery("SELECT n, _change_type, _change_version_id FROM " + changes(table, 1, 4), "VALUES (1, 'delete', 3), (2, 'delete', 4)");
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            for (int start = 1; start < 5; start++) {
                assertThat(query("SELECT n FROM " + changes(table, start, 5))).failure()
                        .hasErrorCode(NOT_SUPPORTED)
                        .hasMessageMatching("Version [234] of table '.*' does not have column 's', and a rollback has restored the column up to version 5");
            }
            assertUpdate("DELETE FROM %s WHERE n = 3".formatted(name), 1);
            assertChanges(table, 5, 6, "VALUES (3, 'c', 'delete', 6, 0)");
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
            assertChanges(table, 1, 2, "VALUES (6, 'f', 'insert', 2, 0)");
            assertChanges(table, 3, 4, "VALUES (2, 'y', 'insert', 4, 0)");
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
            assertUpdate("ALTER TABLE %1$s_renamed RENAME TO %1$s".formatted(table.getName()));
        }
    }
}
