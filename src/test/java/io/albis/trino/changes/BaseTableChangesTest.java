package io.albis.trino.changes;

import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.spi.StandardErrorCode;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;

import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;

/**
 * Checks what the table function table_changes returns.
 */
abstract class BaseTableChangesTest
        extends AbstractTestQueryFramework
{
    private final int workers;

    /**
     * @param workers number of workers besides the coordinator
     */
    protected BaseTableChangesTest(int workers)
    {
        this.workers = workers;
    }

    @Override
    protected final QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setWorkerCount(workers)
                .build();
    }

    /**
     * Creates a table whose first version has the rows (1, a) to (5, e).
     */
    protected final TestTable newLetters(String properties)
    {
        return newTrinoTable("letters", "%s AS SELECT * FROM (VALUES (1, VARCHAR 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')) t (n, s)".formatted(properties));
    }

    protected static String changes(TestTable table, long start, long end)
    {
        return "TABLE(albis.system.table_changes(schema_name => 'tpch', table_name => '%s', start_snapshot_id => %s, end_snapshot_id => %s))".formatted(table.getName(), start, end);
    }

    /**
     * Checks the columns n and s of the changes, their types, versions, and ordinals.
     */
    protected final void assertChanges(TestTable table, long start, long end, String expected)
    {
        assertQuery("SELECT n, s, _change_type, _change_version_id, _change_ordinal FROM " + changes(table, start, end), expected);
    }

    protected final void assertNoChanges(TestTable table, long start, long end)
    {
        assertQueryReturnsEmptyResult("SELECT * FROM " + changes(table, start, end));
    }

    protected final Session updates(boolean inPlace)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty("albis", "update_rewrite_threshold", inPlace ? "0" : "1")
                .build();
    }

    protected final long deletedRows(TestTable table)
    {
        return (long) computeScalar("SELECT coalesce(sum(deleted_record_count), 0) FROM \"%s$files\"".formatted(table.getName()));
    }

    protected final void assertFails(String query, StandardErrorCode errorCode, String message)
    {
        assertTrinoExceptionThrownBy(() -> computeActual(query))
                .hasErrorCode(errorCode)
                .hasMessageMatching(message);
    }
}
