package io.albis.trino;

import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Another statement commits while an UPDATE, MERGE, or DELETE runs.
 */
@Execution(SAME_THREAD)
final class TestAlbisConcurrentUpdates
        extends AbstractTestQueryFramework
{
    private static final String GROUPS = "WITH (column_groups = ARRAY[ARRAY['id'], ARRAY['a'], ARRAY['b']])";
    private static final String ONE_GROUP = "WITH (column_groups = ARRAY[ARRAY['id', 'a', 'b']])";
    private static final String UPDATE = "UPDATE %s SET b = 7 WHERE id > 0";
    private static final String MERGE = "MERGE INTO %s t USING (VALUES 7) s (v) ON id > 0 WHEN MATCHED THEN UPDATE SET b = v";
    private static final String DELETE = "DELETE FROM %s WHERE mod(a, 3) = 0";

    // runs after a statement has read which version of the table is the newest one
    private final InterposedStatement concurrent = new InterposedStatement();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setSystemAccessControl(concurrent)
                .build();
    }

    /**
     * The positions of rows do not change, so it does not matter which of them others have deleted.
     */
    @ParameterizedTest
    @ValueSource(strings = {GROUPS, ONE_GROUP})
    void testDeleteDuringUpdate(String properties)
    {
        assertCommutes(properties, DELETE, UPDATE);
        assertCommutes(properties, DELETE, MERGE);
        // it would have inserted a row instead
        assertConflicts(properties, DELETE, MERGE + " WHEN NOT MATCHED THEN INSERT VALUES (1, 2, 3)");
        // the rows of the subquery were deleted
        assertConflicts(properties, DELETE, "UPDATE %1$s SET b = (SELECT count(*) FROM %1$s)");
        // it would add the deleted row again
        assertConflicts(properties, "DELETE FROM %s WHERE id + 0 = 3", "UPDATE %s SET b = 7 WHERE id = 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {GROUPS, ONE_GROUP})
    void testUpdateDuringDelete(String properties)
    {
        assertCommutes(properties, UPDATE, DELETE);
        // the DELETE has read other values
        assertConflicts(properties, UPDATE, "DELETE FROM %s WHERE mod(a + b, 3) = 0");
        assertConflicts(properties, UPDATE, "DELETE FROM %s WHERE b = 0 AND mod(a, 3) = 0");
        // the row is in another row group now
        assertConflicts(properties, "UPDATE %s SET b = 7 WHERE id = 3", DELETE);
    }

    @ParameterizedTest
    @ValueSource(strings = {GROUPS, ONE_GROUP})
    void testUpdateDuringUpdate(String properties)
    {
        assertConflicts(properties, UPDATE, UPDATE);
        // an UPDATE reads all columns
        assertConflicts(properties, UPDATE, "UPDATE %s SET a = 1");
    }

    /**
     * The metadata answers the subquery. The plan then has no scan of the table, because the condition is false.
     */
    @Test
    void testInsertDuringInsert()
    {
        String first = "INSERT INTO %s VALUES (1, 2, 3)";
        assertConflicts(ONE_GROUP, first, "INSERT INTO %1$s SELECT 4, 5, 6 UNION ALL SELECT 7, 8, 9 WHERE (SELECT count(*) FROM %1$s) > 1000");
        assertConflicts(ONE_GROUP, first, "INSERT INTO %1$s SELECT max(id), min(a), count(*) FROM %1$s");
        // the other row does not match
        try (TestTable table = createTable(ONE_GROUP)) {
            run(table, first, "INSERT INTO %1$s SELECT count(*), 8, 9 FROM %1$s WHERE id > 1");
            assertQuery("SELECT max(b), count(*) FROM " + table.getName(), "VALUES (9, 1002)");
        }
    }

    /**
     * A predicate on elements of a column has read the column.
     */
    @Test
    void testPredicatesOnElements()
    {
        String delete = "DELETE FROM %s WHERE element_at(m, 'k') = 3";
        String rows = " AS SELECT n id, MAP(ARRAY['k'], ARRAY[n]) m, n b FROM UNNEST(sequence(1, 1000)) t (n)";
        try (TestTable table = newTrinoTable("concurrent_elements", rows)) {
            assertThatThrownBy(() -> run(table, "UPDATE %s SET m = MAP(ARRAY['k'], ARRAY[id + 1]) WHERE id > 0", delete)).hasMessageContaining("Retry the statement");
            assertQuery("SELECT count(*), count_if(element_at(m, 'k') = 3) FROM " + table.getName(), "VALUES (1000, 1)");
        }
        try (TestTable table = newTrinoTable("concurrent_elements", rows)) {
            run(table, "UPDATE %s SET b = 7 WHERE id > 0", delete);
            assertQuery("SELECT count(*), sum(b) FROM " + table.getName(), "VALUES (999, 6993)");
        }
    }

    private void assertCommutes(String properties, String first, String second)
    {
        try (TestTable table = createTable(properties)) {
            run(table, first, second);
            assertQuery("SELECT count(*), count_if(b = 7), count_if(mod(a, 3) = 0) FROM " + table.getName(), "VALUES (667, 667, 0)");
            assertThat((long) computeScalar("SELECT count(*) FROM \"%s$snapshots\"".formatted(table.getName()))).isEqualTo(3);
        }
    }

    private void assertConflicts(String properties, String first, String second)
    {
        try (TestTable table = createTable(properties)) {
            assertThatThrownBy(() -> run(table, first, second)).as("%s, %s", first, second).hasMessageContaining("Retry the statement");
            assertThat((long) computeScalar("SELECT count(*) FROM \"%s$snapshots\"".formatted(table.getName()))).isEqualTo(2);
        }
    }

    private TestTable createTable(String properties)
    {
        return newTrinoTable("concurrent", properties + " AS SELECT n id, n a, n - n b FROM UNNEST(sequence(1, 1000)) t (n)");
    }

    private void run(TestTable table, String first, String second)
    {
        concurrent.set(() -> getQueryRunner().execute(first.formatted(table.getName())));
        getQueryRunner().execute(second.formatted(table.getName()));
        assertThat(concurrent.isPending()).isFalse();
    }
}
