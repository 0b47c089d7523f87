package io.albis.trino.changes;

import io.trino.Session;
import io.trino.testing.sql.TestTable;
import io.trino.testing.sql.TestView;
import org.junit.jupiter.api.Test;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

/**
 * Calls of the table function table_changes that fail.
 */
final class TestAlbisTableChangesErrors
        extends BaseTableChangesTest
{
    TestAlbisTableChangesErrors()
    {
        super(0);
    }

    /**
     * Values of the wider type cannot be read with the narrower one.
     */
    @Test
    void testNarrowerType()
    {
        try (TestTable table = newLetters("")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ALTER COLUMN n SET DATA TYPE bigint".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (3000000000, 'x')".formatted(name), 1);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 3, 4), NOT_SUPPORTED, "Column 'n' of table 'tpch.%s' has the type bigint in version 3. It cannot be read as integer, its type in version 4".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 1, 4), NOT_SUPPORTED, "Column 'n' of table 'tpch.%s' has the type bigint in version 2. It cannot be read as integer, its type in version 4".formatted(name));
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
            assertFails("SELECT * FROM " + changes(table, 2, 4), NOT_SUPPORTED, "Versions 2 and 4 of table 'tpch.%s' have no column in common, because the table was replaced, or its columns were dropped".formatted(name));
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(2)".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 2, 5), NOT_SUPPORTED, "Versions 3 and 5 of table 'tpch.%s' have no column in common, because the table was replaced, or its columns were dropped".formatted(name));
        }
    }

    @Test
    void testDroppedColumns()
    {
        try (TestTable table = newTrinoTable("dropped_columns", "AS SELECT 1 n")) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s ADD COLUMN s varchar".formatted(name));
            assertUpdate("ALTER TABLE %s DROP COLUMN n".formatted(name));
            assertFails("SELECT * FROM " + changes(table, 1, 3), NOT_SUPPORTED, "Versions 1 and 3 of table 'tpch.%s' have no column in common, because the table was replaced, or its columns were dropped".formatted(name));
        }
    }

    @Test
    void testOldName()
    {
        try (TestTable table = newLetters("")) {
            assertUpdate("INSERT INTO %s VALUES (6, 'f')".formatted(table.getName()), 1);
            assertUpdate("ALTER TABLE %1$s RENAME TO %1$s_renamed".formatted(table.getName()));
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
            assertFails("SELECT * FROM TABLE(system.table_changes('', '%s', 1, 1))".formatted(name), INVALID_FUNCTION_ARGUMENT, "The argument SCHEMA_NAME of table_changes is empty");
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', '', 1, 1))", INVALID_FUNCTION_ARGUMENT, "The argument TABLE_NAME of table_changes is empty");
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', 'no_such_table', 1, 1))", NOT_FOUND, "Table 'tpch.no_such_table' not found");
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', '%s', 1, 1))".formatted(view.getName()), NOT_FOUND, "Table 'tpch.%s' not found".formatted(view.getName()));
            assertFails("SELECT * FROM TABLE(system.table_changes('tpch', '%s', 1, 1))".formatted(named.getName()), NOT_SUPPORTED, "Table 'tpch.%s' has the column '_change_type', which is also a column of table_changes".formatted(named.getName()));
        }
    }

    private void expire(TestTable table)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty("albis", "expire_snapshots_min_retention", "0s")
                .build();
        computeActual(session, "ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(table.getName()));
    }
}
