package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs regroup on tables, possibly while another statement commits.
 */
abstract class BaseRegroupTest
        extends AbstractTestQueryFramework
{
    // the groups differ from those of createTable
    protected static final String REGROUP = "ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['b', 'id'], ARRAY['a']])";
    protected static final String GROUPS = "ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[";

    // runs after a statement has read which version of the table is the newest one
    protected final InterposedStatement concurrent = new InterposedStatement();
    private final int workers;

    /**
     * @param workers number of workers besides the coordinator
     */
    protected BaseRegroupTest(int workers)
    {
        this.workers = workers;
    }

    @Override
    protected final QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.expire-snapshots.min-retention", "0s")
                .addAlbisProperty("albis.remove-orphan-files.min-retention", "0s")
                .setInitialTables(ImmutableList.of())
                .setSystemAccessControl(concurrent)
                .setWorkerCount(workers)
                .build();
    }

    protected final void assertSameRows(TestTable actual, TestTable expected)
    {
        List<MaterializedRow> rows = computeActual("TABLE " + expected.getName()).getMaterializedRows();
        assertThat(computeActual("TABLE " + actual.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows);
    }

    /**
     * Creates a table that has the same rows as others in each of its versions.
     */
    protected final TestTable createTable(String isolationLevel)
    {
        TestTable table = newTrinoTable("regrouped", "WITH (column_groups = ARRAY[ARRAY['id'], ARRAY['a'], ARRAY['b']], isolation_level = %s) AS SELECT n id, n a, n - n b FROM UNNEST(sequence(1, 10)) t (n)".formatted(isolationLevel));
        for (int first : new int[] {11, 21}) {
            assertUpdate("INSERT INTO %s SELECT n, n, n - n FROM UNNEST(sequence(%s, %s)) t (n)".formatted(table.getName(), first, first + 9), 10);
        }
        return table;
    }

    protected final void run(TestTable table, String first, String second)
    {
        concurrent.set(() -> getQueryRunner().execute(first.formatted(table.getName())));
        try {
            getQueryRunner().execute(second.formatted(table.getName()));
        }
        finally {
            assertThat(concurrent.isPending()).isFalse();
        }
    }

    protected final List<MaterializedRow> rowsWithAddresses(String table)
    {
        return computeActual("SELECT *, \"$row_group\", \"$row_position\" FROM " + table).getMaterializedRows();
    }

    protected final Map<String, Long> regroup(TestTable table, String statement)
    {
        Map<String, Long> metrics = new HashMap<>();
        for (MaterializedRow row : computeActual(statement.formatted(table.getName())).getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics;
    }

    protected final long rowGroups(TestTable table)
    {
        return (long) computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()));
    }

    protected final long version(TestTable table)
    {
        return (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table.getName()));
    }
}
