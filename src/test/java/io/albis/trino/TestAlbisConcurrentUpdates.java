package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
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

    // statements on the first and on the third row group of a sorted table, which has only even ids
    private static final String MERGE_FIRST =
            """
            MERGE INTO %s t USING (VALUES (10, 1), (11, 1)) s (k, v) ON t.id = s.k AND t.id <= 500
            WHEN MATCHED THEN UPDATE SET b = s.v
            WHEN NOT MATCHED THEN INSERT VALUES (s.k, 0, s.v)
            """;
    private static final String MERGE_THIRD =
            """
            MERGE INTO %s t USING (VALUES (1010, 5), (1011, 5)) s (k, v) ON t.id = s.k AND t.id BETWEEN 1001 AND 1500
            WHEN MATCHED THEN UPDATE SET b = s.v
            WHEN NOT MATCHED THEN INSERT VALUES (s.k, 0, s.v)
            """;
    private static final String INSERT_FIRST = "INSERT INTO %1$s SELECT id + 10000, a, b + 3 FROM %1$s WHERE id <= 500";
    private static final String INSERT_THIRD = "INSERT INTO %1$s SELECT id - 1, a, b + 3 FROM %1$s WHERE id BETWEEN 1001 AND 1500";
    private static final String UPDATE_FIRST = "UPDATE %s SET b = 1 WHERE id <= 500";
    private static final String UPDATE_THIRD = "UPDATE %s SET b = 5 WHERE id BETWEEN 1001 AND 1500";
    private static final String UPDATE_ROW_THIRD = "UPDATE %s SET b = 5 WHERE id = 1002";
    private static final String DELETE_THIRD = "DELETE FROM %s WHERE id BETWEEN 1001 AND 1500 AND mod(a, 5) = 0";
    private static final String DELETE_GROUP_THIRD = "DELETE FROM %s WHERE id BETWEEN 1001 AND 1500";

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
     * The positions of rows do not change, so it does not matter which of them others have deleted, unless the UPDATE
     * could not have run first.
     */
    @ParameterizedTest
    @ValueSource(strings = {GROUPS, ONE_GROUP})
    void testDeleteDuringUpdate(String properties)
    {
        assertCommutes(properties, DELETE, UPDATE);
        assertCommutes(properties, DELETE, MERGE);
        // it could have found other rows after the UPDATE
        assertConflicts(properties, "DELETE FROM %s WHERE mod(a + b, 3) = 0", UPDATE);
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
     * The reader skips rows that match none of several alternatives, and those for which an expression is not true. New
     * rows may match.
     */
    @Test
    void testRowsThatWereSkipped()
    {
        String alternatives = "a = 1 OR b = 2";
        String expression = "CAST(a AS varchar) LIKE '%%99%%'";
        try (TestTable table = createTable(ONE_GROUP)) {
            assertThat(explain("SELECT id FROM %s WHERE " + alternatives, table)).contains("alternatives on [a, b]");
            assertThat(explain("SELECT id FROM %s WHERE " + expression, table)).contains("expressions on [a]");
        }
        String insert = "INSERT INTO %s VALUES (2000, 1990, 2)";
        assertConflicts(ONE_GROUP, insert, "DELETE FROM %s WHERE " + alternatives);
        assertConflicts(ONE_GROUP, insert, "UPDATE %s SET b = 7 WHERE " + alternatives);
        assertConflicts(ONE_GROUP, insert, "INSERT INTO %1$s SELECT id + 10000, a, b FROM %1$s WHERE " + expression);
        // the second alternative is true for the row now
        assertConflicts(GROUPS, "UPDATE %s SET b = 2 WHERE id <= 500", "DELETE FROM %s WHERE " + alternatives);
    }

    /**
     * The metadata answers the query with the groups, because all rows have the same value.
     */
    @Test
    void testGroupsFromMetadata()
    {
        String insert = "INSERT INTO %1$s SELECT 20000, count(*), b FROM %1$s GROUP BY b";
        try (TestTable table = createTable(GROUPS)) {
            assertThat(explain("SELECT count(*), b FROM %s GROUP BY b", table)).contains("answered from metadata [count(*)] by [b]");
            // the groups do not depend on the updated column
            run(table, "UPDATE %s SET a = 5 WHERE id > 0", insert);
            assertQuery("SELECT count(*), max(a), count_if(a = 5) FROM " + table.getName(), "VALUES (1001, 1000, 1000)");
        }
        assertConflicts(GROUPS, "INSERT INTO %s VALUES (2000, 1, 2)", insert);
        assertConflicts(GROUPS, DELETE, insert);
        assertConflicts(GROUPS, UPDATE, insert);
        assertConflicts(ONE_GROUP, "INSERT INTO %s VALUES (1001, 1, 2)", "DELETE FROM %1$s WHERE id = (SELECT max(id) FROM %1$s)");
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

    /**
     * The other tests depend on the row groups, and on updates in place.
     */
    @Test
    void testRowGroupsOfSortedTable()
    {
        try (TestTable table = createSortedTable()) {
            assertUpdate(UPDATE_FIRST.formatted(table.getName()), 250);
            assertUpdate(UPDATE_THIRD.formatted(table.getName()), 250);
            assertQuery("SELECT min(id), max(id), min(b), max(b) FROM %s GROUP BY \"$row_group\"".formatted(table.getName()), "VALUES (2, 500, 1, 1), (502, 1000, 0, 0), (1002, 1500, 5, 5), (1502, 2000, 0, 0)");
            assertQuery("SELECT sum(deleted_record_count) FROM \"%s$files\"".formatted(table.getName()), "VALUES 0");
        }
    }

    @Test
    void testMergeBesideOtherRowGroups()
    {
        assertDisjoint(MERGE_FIRST, MERGE_THIRD, 1002, 12);
    }

    @Test
    void testInsertBesideOtherRowGroups()
    {
        assertDisjoint(INSERT_FIRST, DELETE_THIRD, 1200, 750);
        assertDisjoint(INSERT_FIRST, UPDATE_THIRD, 1250, 2000);
    }

    @Test
    void testUpdateBesideOtherRowGroups()
    {
        assertDisjoint(UPDATE_FIRST, UPDATE_THIRD, 1000, 1500);
    }

    @Test
    @Tag("slow")
    void testOtherStatementsOnOtherRowGroups()
    {
        assertDisjoint(MERGE_FIRST, UPDATE_THIRD, 1001, 1252);
        assertDisjoint(MERGE_FIRST, UPDATE_ROW_THIRD, 1001, 7);
        assertDisjoint(MERGE_FIRST, DELETE_THIRD, 951, 2);
        assertDisjoint(MERGE_FIRST, DELETE_GROUP_THIRD, 751, 2);
        assertDisjoint(INSERT_FIRST, MERGE_THIRD, 1251, 760);
        assertDisjoint(INSERT_FIRST, UPDATE_ROW_THIRD, 1250, 755);
        assertDisjoint(INSERT_FIRST, DELETE_GROUP_THIRD, 1000, 750);
        assertDisjoint(UPDATE_FIRST, UPDATE_ROW_THIRD, 1000, 255);
        assertDisjoint(UPDATE_FIRST, DELETE_THIRD, 950, 250);
        assertDisjoint(UPDATE_FIRST, DELETE_GROUP_THIRD, 750, 250);
    }

    /**
     * The constants in ON decide what a MERGE has read. It inserts a row if none of those rows has its key.
     */
    @Test
    void testMergeBesideSameRowGroup()
    {
        assertConflictsIfSorted(MERGE_FIRST.replace("10, 1), (11, 1", "20, 1), (21, 1"), MERGE_FIRST);
        // its keys are in the other row group, but its condition does not say so
        assertConflictsIfSorted(MERGE_FIRST, MERGE_THIRD.replace("BETWEEN 1001 AND 1500", "> 0"));
    }

    @Test
    void testInsertBesideSameRowGroup()
    {
        assertConflictsIfSorted(DELETE_THIRD, INSERT_THIRD);
        // it would have deleted the new rows too
        assertConflictsIfSorted(INSERT_THIRD, DELETE_THIRD);
    }

    @Test
    @Tag("slow")
    void testOtherStatementsOnSameRowGroup()
    {
        assertConflictsIfSorted(UPDATE_THIRD, MERGE_THIRD);
        assertConflictsIfSorted(MERGE_THIRD, UPDATE_THIRD);
        assertConflictsIfSorted(DELETE_THIRD, MERGE_THIRD);
        assertConflictsIfSorted(MERGE_THIRD, DELETE_THIRD);
        assertConflictsIfSorted(DELETE_GROUP_THIRD, INSERT_THIRD);
        assertConflictsIfSorted(INSERT_THIRD, DELETE_GROUP_THIRD);
        assertConflictsIfSorted(UPDATE_THIRD, INSERT_THIRD);
        assertConflictsIfSorted(INSERT_THIRD, UPDATE_THIRD);
        assertConflictsIfSorted("UPDATE %s SET b = 6 WHERE id BETWEEN 999 AND 1700", UPDATE_THIRD);
        assertConflictsIfSorted(UPDATE_THIRD, "UPDATE %s SET b = 6 WHERE id BETWEEN 999 AND 1700");
    }

    /**
     * The bounds of long texts are not exact, and those of numbers do not say whether a row is NaN. The partitions of
     * new rows show that a statement would not have read them.
     */
    @ParameterizedTest
    @ValueSource(strings = {"url", "x"})
    void testOtherPartitions(String column)
    {
        String url = "rpad('https://', 80, 'x') || ";
        String rows = "SELECT id, %sCAST(mod(id, 2) AS varchar) url, IF(mod(id, 2) = 0, 1e0, nan()) x FROM UNNEST(sequence(1, 100)) t (id)".formatted(url);
        String properties = "WITH (partitioned_by = ARRAY['%s']) AS %s".formatted(column, rows);
        String predicate = column.equals("url") ? "url = %s'0'".formatted(url) : "x >= 1e0";
        String other = "INSERT INTO %s SELECT * FROM (" + rows + ") WHERE mod(id, 2) = 1";
        String same = "INSERT INTO %s SELECT * FROM (" + rows + ") WHERE mod(id, 2) = 0";
        for (String statement : ImmutableList.of("DELETE FROM %s WHERE " + predicate, "DELETE FROM %s WHERE mod(id, 4) = 0 AND " + predicate, "UPDATE %s SET id = 0 WHERE " + predicate)) {
            try (TestTable table = newTrinoTable("partitions", properties); TestTable conflict = newTrinoTable("partitions", properties)) {
                run(table, other, statement);
                assertThat((long) computeScalar("SELECT count(*) FROM \"%s$snapshots\"".formatted(table.getName()))).isEqualTo(3);
                assertConflicts(conflict, same, statement);
            }
        }
        // without partitions, it is not known whether it would have read them
        try (TestTable table = newTrinoTable("partitions", "AS " + rows)) {
            assertConflicts(table, other, "DELETE FROM %s WHERE " + predicate);
        }
    }

    /**
     * Asserts that statements that read and change different row groups do not conflict, whichever commits first.
     */
    private void assertDisjoint(String first, String second, long rows, long sum)
    {
        try (TestTable table = createSortedTable(); TestTable opposite = createSortedTable()) {
            run(table, first, second);
            run(opposite, second, first);
            assertQuery("SELECT count(*), sum(b) FROM " + table.getName(), "VALUES (%s, %s)".formatted(rows, sum));
            assertThat(query("TABLE " + opposite.getName())).matches("TABLE " + table.getName());
            assertQuery("SELECT (SELECT count(*) FROM \"%s$snapshots\"), (SELECT count(*) FROM \"%s$snapshots\")".formatted(table.getName(), opposite.getName()), "VALUES (3, 3)");
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
            assertConflicts(table, first, second);
        }
    }

    private void assertConflictsIfSorted(String first, String second)
    {
        try (TestTable table = createSortedTable()) {
            assertConflicts(table, first, second);
        }
    }

    private void assertConflicts(TestTable table, String first, String second)
    {
        assertThatThrownBy(() -> run(table, first, second)).as("%s, %s", first, second).hasMessageContaining("Retry the statement");
        assertThat((long) computeScalar("SELECT count(*) FROM \"%s$snapshots\"".formatted(table.getName()))).isEqualTo(2);
    }

    /**
     * Creates a table of four row groups with the even ids up to 500, 1000, 1500, and 2000.
     */
    private TestTable createSortedTable()
    {
        Session session = SortedLoad.session(getSession());
        return new TestTable(
                sql -> getQueryRunner().execute(session, sql),
                "disjoint",
                "WITH (row_group_rows = 250, column_groups = ARRAY[ARRAY['id'], ARRAY['a'], ARRAY['b']]) AS SELECT 2 * n id, n a, n - n b FROM UNNEST(sequence(1, 1000)) t (n) ORDER BY n");
    }

    private TestTable createTable(String properties)
    {
        return newTrinoTable("concurrent", properties + " AS SELECT n id, n a, n - n b FROM UNNEST(sequence(1, 1000)) t (n)");
    }

    private String explain(String sql, TestTable table)
    {
        return (String) computeScalar("EXPLAIN " + sql.formatted(table.getName()));
    }

    private void run(TestTable table, String first, String second)
    {
        concurrent.set(() -> getQueryRunner().execute(first.formatted(table.getName())));
        getQueryRunner().execute(second.formatted(table.getName()));
        assertThat(concurrent.isPending()).isFalse();
    }
}
