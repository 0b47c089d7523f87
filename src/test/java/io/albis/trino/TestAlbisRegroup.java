package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * ALTER TABLE EXECUTE regroup, alone and while other statements commit.
 */
@Execution(SAME_THREAD)
final class TestAlbisRegroup
        extends AbstractTestQueryFramework
{
    // the groups differ from those of createTable
    private static final String REGROUP = "ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['b', 'id'], ARRAY['a']])";
    private static final String GROUPS = "ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[";

    // runs after a statement has read which version of the table is the newest one
    private final InterposedStatement concurrent = new InterposedStatement();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .addAlbisProperty("albis.expire-snapshots.min-retention", "0s")
                .addAlbisProperty("albis.remove-orphan-files.min-retention", "0s")
                .setInitialTables(ImmutableList.of())
                .setSystemAccessControl(concurrent)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testRegroup(String layout)
    {
        try (TestTable table = newTrinoTable("grouped", "WITH (layout = '%s', row_group_rows = 1000) AS SELECT n a, 'text ' || CAST(n AS varchar) b, n * 2 c FROM UNNEST(sequence(1, 2500)) t (n)".formatted(layout))) {
            assertUpdate("DELETE FROM %s WHERE mod(a, 10) = 0".formatted(table.getName()), 250);
            assertUpdate("UPDATE %s SET c = 0 WHERE mod(a, 2) = 1".formatted(table.getName()), 1250);
            assertUpdate("ALTER TABLE %s EXECUTE create_tag(name => 'before')".formatted(table.getName()));
            List<MaterializedRow> rows = rowsWithAddresses(table.getName());
            long before = version(table);

            assertThat(regroup(table, GROUPS + "ARRAY['c', 'a'], ARRAY['b']])")).containsEntry("regrouped_row_groups_count", rowGroups(table)).containsEntry("too_large_row_groups_count", 0L);
            assertThat(version(table)).isEqualTo(before + 1);
            // the rows keep their addresses, in this version and in those before
            assertThat(rowsWithAddresses(table.getName())).containsExactlyInAnyOrderElementsOf(rows);
            assertThat(rowsWithAddresses(table.getName() + " FOR VERSION AS OF 'before'")).containsExactlyInAnyOrderElementsOf(rows);
            assertQuery("SELECT count(*), sum(a), count(DISTINCT b), sum(c) FROM %s FOR VERSION AS OF 1".formatted(table.getName()), "VALUES (2500, 3126250, 2500, 6252500)");
            assertQuery("SELECT operation FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(table.getName()), "VALUES 'regroup'");
            assertThat((String) computeScalar("SELECT summary['rewritten-row-groups'] FROM \"%s$snapshots\" ORDER BY snapshot_id DESC LIMIT 1".formatted(table.getName()))).isEqualTo(String.valueOf(rowGroups(table)));
            assertQuery("SELECT sum(deleted_record_count), sum(record_count) FROM \"%s$files\"".formatted(table.getName()), "VALUES (250, 2500)");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("column_groups = ARRAY[ARRAY['c','a'],ARRAY['b']]");
            assertQuery("SELECT count(*), sum(a), sum(c) FROM %s WHERE a BETWEEN 100 AND 200 AND b <> 'x'".formatted(table.getName()), "SELECT count(*), sum(n), sum(CASE WHEN mod(n, 2) = 0 THEN 2 * n ELSE 0 END) FROM (SELECT x n FROM SYSTEM_RANGE(100, 200)) WHERE mod(n, 10) <> 0");

            // there is nothing left to do
            assertThat(regroup(table, GROUPS + "ARRAY['c', 'a'], ARRAY['b']])")).containsEntry("regrouped_row_groups_count", 0L);
            assertThat(version(table)).isEqualTo(before + 1);
            // later rows and changes use the new groups
            assertUpdate("INSERT INTO %s VALUES (9000, 'new', 7)".formatted(table.getName()), 1);
            assertThat(regroup(table, GROUPS + "ARRAY['c', 'a'], ARRAY['b']])")).containsEntry("regrouped_row_groups_count", 0L);
            assertUpdate("UPDATE %s SET b = 'y' WHERE a = 9000".formatted(table.getName()), 1);
            assertUpdate("DELETE FROM %s WHERE a < 100".formatted(table.getName()), 90);
            assertQuery("SELECT count(*), max(b) FROM " + table.getName(), "VALUES (2161, 'y')");

            // old versions stay until they expire, and the files that only they have do no longer
            assertUpdate("ALTER TABLE %s EXECUTE drop_tag(name => 'before')".formatted(table.getName()));
            computeActual("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(table.getName()));
            assertQuery("SELECT count(*), max(b) FROM " + table.getName(), "VALUES (2161, 'y')");
            computeActual("ALTER TABLE %s EXECUTE remove_orphan_files(retention_threshold => '0s')".formatted(table.getName()));
            assertQuery("SELECT count(*), max(b) FROM " + table.getName(), "VALUES (2161, 'y')");
        }
    }

    @Test
    void testLayoutsAndCompressions()
    {
        try (TestTable table = newTrinoTable("layouts", "WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']], column_group_layouts = ARRAY['row', 'block']) AS SELECT n a, 'text' b, ARRAY[n] c FROM UNNEST(sequence(1, 100)) t (n)")) {
            String rows = "SELECT count(*), sum(a), count(b), sum(c[1]) FROM " + table.getName();
            assertTrinoExceptionThrownBy(() -> regroup(table, GROUPS + "ARRAY['a', 'b']])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("Column 'a' has the layout 'row' and column 'b' the layout 'block', but they are in one group in column_groups. Set a layout for each group with column_group_layouts");
            regroup(table, GROUPS + "ARRAY['a', 'b', 'c']], column_group_layouts => ARRAY['row'])");
            assertQuery(rows, "VALUES (100, 5050, 100, 5050)");
            regroup(table, GROUPS + "ARRAY['a', 'b'], ARRAY['c']], column_group_layouts => ARRAY['row', 'block'])");
            assertQuery(rows, "VALUES (100, 5050, 100, 5050)");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("column_groups = ARRAY[ARRAY['a','b'],ARRAY['c']]", "column_group_layouts = ARRAY['row','block']");
            // the entries of row groups do not have the layout, so they are written again
            assertThat(regroup(table, GROUPS + "ARRAY['a', 'b']], column_group_layouts => ARRAY['block'])")).containsEntry("regrouped_row_groups_count", 1L);
            assertQuery(rows, "VALUES (100, 5050, 100, 5050)");
            regroup(table, GROUPS + "ARRAY['a'], ARRAY['b', 'c']], column_group_compressions => ARRAY['none', 'zstd'])");
            assertQuery(rows, "VALUES (100, 5050, 100, 5050)");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("column_group_compressions = ARRAY['none','zstd']");
            assertTrinoExceptionThrownBy(() -> regroup(table, GROUPS + "ARRAY['a', 'b']])"))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("Column 'a' has the compression 'none' and column 'b' the compression 'zstd', but they are in one group in column_groups. Set a compression for each group with column_group_compressions");
            // columns that are not named keep their compression
            regroup(table, GROUPS + "ARRAY['a']])");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("ARRAY[ARRAY['a'],ARRAY['b','c']]", "column_group_compressions = ARRAY['none','zstd']");
        }
    }

    /**
     * Columns with the same compression can be in one group, no matter whether their groups or the table set it.
     */
    @Test
    void testEqualCompressions()
    {
        try (TestTable table = newTrinoTable("compressions", "(a integer, b integer) WITH (compression = 'LZ4', column_groups = ARRAY[ARRAY['a']], column_group_compressions = ARRAY['LZ4'])")) {
            regroup(table, GROUPS + "ARRAY['a', 'b']])");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("column_groups = ARRAY[ARRAY['a','b']]");
            assertUpdate("ALTER TABLE %s SET PROPERTIES compression = 'ZSTD'".formatted(table.getName()));
            regroup(table, GROUPS + "ARRAY['b'], ARRAY['a']])");
            // the group has kept the compression that it had
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("column_group_compressions = ARRAY['lz4','lz4']");
        }
    }

    @Test
    void testArguments()
    {
        try (TestTable table = newTrinoTable("arguments", "(a bigint, b bigint)")) {
            assertArgumentFails(table, "regroup", "Without the argument column_groups, the procedure regroup groups the columns that queries read together, and this coordinator has recorded no query on table tpch.%s since it was started. Run some queries, or set column_groups, such as column_groups => ARRAY[ARRAY['a', 'b'], ARRAY['c']]".formatted(table.getName()));
            for (String argument : ImmutableList.of("column_group_layouts => ARRAY['row']", "column_group_compressions => ARRAY['lz4']")) {
                assertArgumentFails(table, "regroup(%s)".formatted(argument), "column_group_layouts and column_group_compressions of the procedure regroup require the argument column_groups, such as column_groups => ARRAY[ARRAY['a', 'b'], ARRAY['c']]");
            }
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a'], ARRAY['x']])", "column_groups names column 'x', which the table does not have; its columns are: a, b");
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a', 'B'], ARRAY['b']])", "column_groups names column 'b' twice; a column can be in one group only");
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a']], column_group_layouts => ARRAY['row', 'row'])", "column_group_layouts must have one layout for each group in column_groups; layouts: 2, groups: 1");
            assertArgumentFails(table, "regroup(column_groups => ARRAY[ARRAY['a']], column_group_compressions => ARRAY[])", "column_group_compressions must have one compression for each group in column_groups; compressions: 0, groups: 1");
            for (String value : ImmutableList.of("ARRAY[ARRAY[]]", "ARRAY[NULL]", "ARRAY[ARRAY[NULL]]")) {
                assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => %s)".formatted(table.getName(), value))).as(value)
                        .hasErrorCode(INVALID_PROCEDURE_ARGUMENT);
            }
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['a']], column_group_layouts => ARRAY['x'])".formatted(table.getName())))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessageContaining("column_group_layouts must be 'row' or 'block': x");
            assertThat(version(table)).isEqualTo(1);
            // a table without rows
            regroup(table, GROUPS + "ARRAY['b'], ARRAY['a']])");
            assertThat(version(table)).isEqualTo(2);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("ARRAY[ARRAY['b'],ARRAY['a']]");
            regroup(table, GROUPS + "ARRAY['b'], ARRAY['a']])");
            assertThat(version(table)).isEqualTo(2);
        }
        assertQueryFails(REGROUP.formatted("missing"), ".*Table 'albis.*missing' does not exist");
        try (TestTable table = newTrinoTable("hidden", "(a bigint)")) {
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE \"%s$files\" EXECUTE regroup(column_groups => ARRAY[ARRAY['a']])".formatted(table.getName()))).hasErrorCode(NOT_SUPPORTED);
        }
    }

    private void assertArgumentFails(TestTable table, String call, String message)
    {
        assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE %s".formatted(table.getName(), call)))
                .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                .hasMessage(message);
    }

    @Test
    void testWhereSelectsRowGroups()
    {
        try (TestTable table = newTrinoTable("selected", "(a bigint, b varchar)")) {
            for (int i = 0; i < 6; i++) {
                assertUpdate("INSERT INTO %s VALUES (%s, 'x'), (%s, 'y')".formatted(table.getName(), i * 10, i * 10 + 5), 2);
            }
            List<MaterializedRow> rows = rowsWithAddresses(table.getName());
            String regroup = GROUPS + "ARRAY['b'], ARRAY['a']])";
            // the row with 15 does not match, but its row group has one that does
            assertThat(regroup(table, regroup + " WHERE a <= 10")).containsEntry("regrouped_row_groups_count", 2L);
            assertThat(rowsWithAddresses(table.getName())).containsExactlyInAnyOrderElementsOf(rows);
            assertThat(regroup(table, regroup + " WHERE a > 1000")).containsEntry("regrouped_row_groups_count", 0L);
            assertThat(computeActual((regroup + " WHERE false").formatted(table.getName())).getRowCount()).isEqualTo(1);
            long version = version(table);
            for (String where : ImmutableList.of("mod(a, 2) = 0", "a = 10 AND rand() < 2", "b LIKE '%%x%%'", "\"$path\" = 'x'", "a + 0 = 10")) {
                assertThatThrownBy(() -> regroup(table, regroup + " WHERE " + where)).as(where)
                        .hasMessage("Unexpected FilterNode found in plan; probably connector was not able to handle provided WHERE expression");
            }
            assertThatThrownBy(() -> regroup(table, regroup + " WHERE a IN (SELECT 10)")).hasMessageContaining("probably connector was not able to handle provided WHERE expression");
            assertThat(version(table)).isEqualTo(version);
            // the rest
            assertThat(regroup(table, regroup)).containsEntry("regrouped_row_groups_count", 4L);
            assertThat(rowsWithAddresses(table.getName())).containsExactlyInAnyOrderElementsOf(rows);
        }
    }

    @Test
    void testChangedColumns()
    {
        try (TestTable table = newTrinoTable("evolved", "(a integer, b varchar, c double)")) {
            assertUpdate("INSERT INTO %s VALUES (1, 'one', 1.5), (2, 'two', 2.5)".formatted(table.getName()), 2);
            assertUpdate("ALTER TABLE %s ADD COLUMN d bigint DEFAULT 7".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ADD COLUMN e row(x integer, y array(varchar))".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s DROP COLUMN b".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s ALTER COLUMN a SET DATA TYPE bigint".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s RENAME COLUMN c TO f".formatted(table.getName()));
            assertUpdate("INSERT INTO %s VALUES (3000000000, 3.5, 8, ROW(1, ARRAY['p', NULL])), (NULL, NULL, NULL, NULL)".formatted(table.getName()), 2);
            List<MaterializedRow> rows = rowsWithAddresses(table.getName());
            for (String groups : ImmutableList.of("ARRAY['f', 'd'], ARRAY['e', 'a']", "ARRAY['a', 'f', 'd', 'e']", "ARRAY['e'], ARRAY['d'], ARRAY['a'], ARRAY['f']")) {
                regroup(table, GROUPS + groups + "])");
                assertThat(rowsWithAddresses(table.getName())).containsExactlyInAnyOrderElementsOf(rows);
                assertQuery("SELECT a, f, d, e.x FROM " + table.getName(), "VALUES (1, 1.5, 7, NULL), (2, 2.5, 7, NULL), (3000000000, 3.5, 8, 1), (NULL, NULL, NULL, NULL)");
                assertQuery("SELECT a FROM %s WHERE d = 7".formatted(table.getName()), "VALUES 1, 2");
                assertThat(regroup(table, GROUPS + groups + "])")).containsEntry("regrouped_row_groups_count", 0L);
            }
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 2".formatted(table.getName()), "VALUES (1, 'one', 1.5), (2, 'two', 2.5)");
        }
    }

    /**
     * The files of the other columns lose the values of a dropped one.
     */
    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testDroppedColumn(String layout)
    {
        String definition = "WITH (layout = '%s', column_groups = ARRAY[ARRAY['a', 'b'], ARRAY['c']]) AS SELECT n a, CAST(n AS varchar) || 'xxxxxxxxxxxx' b, n c FROM UNNEST(sequence(1, 2000)) t (n)";
        try (TestTable table = newTrinoTable("dropped_column", definition.formatted(layout))) {
            assertUpdate("ALTER TABLE %s DROP COLUMN b".formatted(table.getName()));
            String size = "SELECT sum(file_size_in_bytes) FROM \"%s$files\"".formatted(table.getName());
            long before = (long) computeScalar(size);
            List<MaterializedRow> rows = rowsWithAddresses(table.getName());
            long rowGroups = (long) computeScalar("SELECT count(DISTINCT \"$row_group\") FROM " + table.getName());
            assertThat(regroup(table, GROUPS + "ARRAY['a'], ARRAY['c']])")).containsEntry("regrouped_row_groups_count", rowGroups);
            assertThat(rowsWithAddresses(table.getName())).containsExactlyInAnyOrderElementsOf(rows);
            assertThat((long) computeScalar(size)).isLessThan(before - 2000 * 12);
            assertThat(regroup(table, GROUPS + "ARRAY['a'], ARRAY['c']])")).containsEntry("regrouped_row_groups_count", 0L);
        }
    }

    /**
     * A segment of a group of many wide columns in the row layout would be larger than a writer accepts. The row group
     * keeps its groups. In the block layout, the columns of a group do not limit each other.
     */
    @Test
    void testTooLargeSegments()
    {
        StringBuilder columns = new StringBuilder();
        StringBuilder apart = new StringBuilder("ARRAY['n']");
        StringBuilder together = new StringBuilder("ARRAY['n'");
        for (int i = 0; i < 20; i++) {
            columns.append(", rpad(CAST(n + %s AS varchar), 4000, CAST(n AS varchar)) c%s".formatted(i, i));
            apart.append(", ARRAY['c%s']".formatted(i));
            together.append(", 'c%s'".formatted(i));
        }
        try (TestTable table = newTrinoTable("wide", "WITH (column_groups = ARRAY[%s], segment_size = '4MB', row_group_size = '1GB') AS SELECT n %s FROM UNNEST(sequence(1, 1000)) t (n)".formatted(apart, columns))) {
            List<MaterializedRow> rows = computeActual("SELECT n, c0, c19, \"$row_group\", \"$row_position\" FROM " + table.getName()).getMaterializedRows();
            long rowGroups = rowGroups(table);
            Map<String, Long> metrics = regroup(table, GROUPS + together + "]], column_group_layouts => ARRAY['row'])");
            assertThat(metrics).containsEntry("regrouped_row_groups_count", 0L).containsEntry("too_large_row_groups_count", rowGroups).containsEntry("written_bytes", 0L);
            assertThat(computeActual("SELECT n, c0, c19, \"$row_group\", \"$row_position\" FROM " + table.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("ARRAY['c1']");
            assertThat(regroup(table, GROUPS + apart + "])")).containsEntry("regrouped_row_groups_count", 0L).containsEntry("too_large_row_groups_count", 0L);
            String half = together.substring(0, together.indexOf(", 'c9'"));
            assertThat(regroup(table, GROUPS + half + "], " + apart.substring(apart.indexOf("ARRAY['c9']")) + "])")).containsEntry("regrouped_row_groups_count", rowGroups);
            assertThat(computeActual("SELECT n, c0, c19, \"$row_group\", \"$row_position\" FROM " + table.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows);
            assertThat(regroup(table, GROUPS + together + "]], column_group_layouts => ARRAY['block'])")).containsEntry("regrouped_row_groups_count", rowGroups);
            assertThat(computeActual("SELECT n, c0, c19, \"$row_group\", \"$row_position\" FROM " + table.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows);
        }
    }

    @Test
    @Tag("slow")
    void testOtherStatementsDuringRegroup()
    {
        assertCommutes("INSERT INTO %s VALUES (100, 0, 0)", REGROUP);
        assertCommutes("DELETE FROM %s WHERE id = 25", REGROUP);
        // a single row is updated by a delete and an insert
        assertCommutes("UPDATE %s SET b = 7 WHERE id = 25", REGROUP);
        // updates in place
        assertConflicts("UPDATE %s SET b = 7", REGROUP);
        assertConflicts("ALTER TABLE %s ADD COLUMN d bigint", REGROUP);
    }

    @Test
    @Tag("slow")
    void testMoreStatementsDuringRegroup()
    {
        assertCommutes("DELETE FROM %s WHERE id <= 10", REGROUP);
        assertCommutes("DELETE FROM %s", REGROUP);
        assertCommutes("TRUNCATE TABLE %s", REGROUP);
        assertCommutes("MERGE INTO %s t USING (VALUES 7) s (v) ON id = v WHEN MATCHED THEN DELETE", REGROUP);
        assertCommutes("ALTER TABLE %s EXECUTE optimize", REGROUP);
        assertCommutes("ALTER TABLE %s RENAME COLUMN a TO z", REGROUP);
        assertCommutes("COMMENT ON TABLE %s IS 'x'", REGROUP);
        assertCommutes(REGROUP, REGROUP);
        assertCommutes("UPDATE %s SET b = 7 WHERE id > 20", REGROUP + " WHERE id < 20");
        assertConflicts(GROUPS + "ARRAY['a', 'b', 'id']])", REGROUP);
        assertConflicts("CREATE OR REPLACE TABLE %s AS SELECT 1 id, 2 a, 3 b", REGROUP);
        assertConflicts("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)", REGROUP);
    }

    /**
     * The new row groups of an optimize that began before have the old column groups.
     */
    @Test
    void testRegroupDuringOptimize()
    {
        assertConflicts(REGROUP, "ALTER TABLE %s EXECUTE optimize");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "INSERT INTO %s VALUES (100, 0, 0)",
            "INSERT INTO %1$s SELECT id + 100, a, b FROM %1$s WHERE id = 7",
            "DELETE FROM %s WHERE id = 25",
            "DELETE FROM %s WHERE mod(id, 10) = 1",
            "DELETE FROM %s WHERE id <= 10",
            "UPDATE %s SET b = 7 WHERE id = 25",
            "UPDATE %s SET b = 7",
            "UPDATE %s SET b = id, a = -1 WHERE mod(id, 3) <> 0",
            "MERGE INTO %s t USING (VALUES 7, 70) s (v) ON id = v WHEN MATCHED THEN UPDATE SET b = v WHEN NOT MATCHED THEN INSERT VALUES (v, v, v)",
    })
    void testRegroupDuringOtherStatements(String statement)
    {
        assertCommutes(REGROUP, statement);
    }

    /**
     * With this isolation level, too, no change is lost.
     */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM %s WHERE id = 25", "DELETE FROM %s WHERE id <= 10", "UPDATE %s SET b = 7"})
    void testSnapshotIsolation(String statement)
    {
        try (TestTable table = createTable("'SNAPSHOT'"); TestTable expected = createTable("'SNAPSHOT'")) {
            run(table, REGROUP, statement);
            getQueryRunner().execute(statement.formatted(expected.getName()));
            assertSameRows(table, expected);
        }
    }

    /**
     * A statement that began before a regrouping and an update in place is still refused, with the one after the other
     * in both orders.
     */
    @Test
    @Tag("slow")
    void testRegroupAndUpdateDuringOtherStatements()
    {
        for (boolean regroupFirst : new boolean[] {false, true}) {
            for (String statement : ImmutableList.of("UPDATE %s SET b = b + 1", "DELETE FROM %s WHERE b = 0 AND id <= 15", "INSERT INTO %1$s SELECT id + 100, a, b FROM %1$s")) {
                try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
                    String update = "UPDATE %s SET b = b + 1";
                    concurrent.set(() -> {
                        getQueryRunner().execute((regroupFirst ? REGROUP : update).formatted(table.getName()));
                        getQueryRunner().execute((regroupFirst ? update : REGROUP).formatted(table.getName()));
                    });
                    assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(statement.formatted(table.getName()))).as("%s %s", regroupFirst, statement)
                            .hasErrorCode(TRANSACTION_CONFLICT);
                    getQueryRunner().execute(update.formatted(expected.getName()));
                    assertSameRows(table, expected);
                }
            }
        }
    }

    /**
     * Two regroupings and a delete between the begin and the end of a statement. The versions between them expire, so
     * it is not known any more that the values are the same.
     */
    @Test
    void testVersionsBetween()
    {
        for (boolean expire : new boolean[] {false, true}) {
            try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
                getQueryRunner().execute("DELETE FROM %s WHERE id = 25".formatted(expected.getName()));
                concurrent.set(() -> {
                    if (expire) {
                        getQueryRunner().execute("ALTER TABLE %s EXECUTE create_tag(name => 'base')".formatted(table.getName()));
                    }
                    getQueryRunner().execute((GROUPS + "ARRAY['a', 'b', 'id']])").formatted(table.getName()));
                    getQueryRunner().execute("DELETE FROM %s WHERE id = 25".formatted(table.getName()));
                    getQueryRunner().execute(REGROUP.formatted(table.getName()));
                    if (expire) {
                        getQueryRunner().execute("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(table.getName()));
                    }
                });
                String statement = "DELETE FROM %s WHERE mod(id, 10) = 1";
                if (expire) {
                    assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(statement.formatted(table.getName()))).hasErrorCode(TRANSACTION_CONFLICT);
                }
                else {
                    getQueryRunner().execute(statement.formatted(table.getName()));
                    getQueryRunner().execute(statement.formatted(expected.getName()));
                }
                assertSameRows(table, expected);
            }
        }
    }

    /**
     * Each statement that has succeeded is counted once in the rows, whatever ran at the same time.
     */
    @Test
    @Timeout(300)
    void testConcurrentStatements()
            throws Exception
    {
        try (TestTable table = createTable("'SERIALIZABLE'")) {
            List<String> statements = Stream.of(
                            "UPDATE %s SET b = b + 1 WHERE id = 7",
                            "UPDATE %s SET b = b + 1 WHERE id IN (11, 12, 13, 14, 15, 16, 17, 18) AND id = 12",
                            "MERGE INTO %s t USING (VALUES 17) s (v) ON id = v WHEN MATCHED THEN UPDATE SET b = b + 1",
                            "INSERT INTO %s VALUES (100, 0, 0)",
                            "ALTER TABLE %s EXECUTE optimize WHERE id < 10",
                            GROUPS + "ARRAY['a', 'b', 'id']])",
                            REGROUP)
                    .map(sql -> sql.formatted(table.getName()))
                    .toList();
            ConcurrentStatements.run(getQueryRunner(), statements, 6, "(?s).*Retry the statement.*");
            MaterializedResult expected = computeActual("SELECT 28 + count_if(operation = 'append'), BIGINT '31', count_if(operation = 'overwrite') FROM \"%s$snapshots\"".formatted(table.getName()));
            assertThat(computeActual("SELECT count(*), count(DISTINCT id), sum(b) FROM " + table.getName()).getMaterializedRows()).isEqualTo(expected.getMaterializedRows());
            assertThat((long) computeScalar("SELECT count_if(operation = 'regroup') FROM \"%s$snapshots\"".formatted(table.getName()))).isPositive();
        }
    }

    @Test
    void testTableChanges()
    {
        try (TestTable table = createTable("'SERIALIZABLE'")) {
            long before = version(table);
            regroup(table, REGROUP);
            String changes = "TABLE(albis.system.table_changes('%s', '%s', %s, %s))".formatted(getSession().getSchema().orElseThrow(), table.getName(), before, before + 1);
            assertQuery("SELECT count(*) FROM " + changes, "VALUES 0");
        }
    }

    @Test
    void testMaterializedView()
    {
        try (TestTable table = createTable("'SERIALIZABLE'")) {
            String view = table.getName() + "_view";
            assertUpdate("CREATE MATERIALIZED VIEW %s AS SELECT id, a FROM %s WHERE id <> 3".formatted(view, table.getName()));
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 29);
            regroup(table, REGROUP);
            assertUpdate("INSERT INTO %s VALUES (100, 0, 0)".formatted(table.getName()), 1);
            computeActual("REFRESH MATERIALIZED VIEW " + view);
            assertQuery("SELECT count(*), sum(id) FROM " + view, "VALUES (30, 465 - 3 + 100)");
            computeActual("ALTER TABLE \"%s$storage\" EXECUTE regroup(column_groups => ARRAY[ARRAY['a'], ARRAY['id']])".formatted(view));
            assertQuery("SELECT count(*), sum(id) FROM " + view, "VALUES (30, 465 - 3 + 100)");
            assertUpdate("INSERT INTO %s VALUES (101, 0, 0)".formatted(table.getName()), 1);
            computeActual("REFRESH MATERIALIZED VIEW " + view);
            assertQuery("SELECT count(*), sum(id) FROM " + view, "VALUES (31, 465 - 3 + 201)");
            assertUpdate("DROP MATERIALIZED VIEW " + view);
        }
    }

    private void assertCommutes(String first, String second)
    {
        try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
            try {
                run(table, first, second);
            }
            catch (RuntimeException e) {
                throw new AssertionError("%s during %s".formatted(first, second), e);
            }
            for (String statement : ImmutableList.of(first, second)) {
                if (!statement.contains("EXECUTE")) {
                    getQueryRunner().execute(statement.formatted(expected.getName()));
                }
            }
            assertSameRows(table, expected);
            // both have changed the table
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("ARRAY[ARRAY['b','id']");
            assertThat(regroup(table, REGROUP.replace("'a'", first.contains("RENAME") || second.contains("RENAME") ? "'z'" : "'a'"))).containsEntry("too_large_row_groups_count", 0L);
            assertSameRows(table, expected);
        }
    }

    private void assertConflicts(String first, String second)
    {
        try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
            long before = version(table);
            assertTrinoExceptionThrownBy(() -> run(table, first, second)).as("%s, %s", first, second)
                    .hasErrorCode(TRANSACTION_CONFLICT)
                    .hasMessageContaining("Retry the statement");
            assertThat(version(table)).isEqualTo(before + 1);
            if (!first.contains("regroup")) {
                getQueryRunner().execute(first.formatted(expected.getName()));
            }
            assertSameRows(table, expected);
        }
    }

    private void assertSameRows(TestTable actual, TestTable expected)
    {
        List<MaterializedRow> rows = computeActual("TABLE " + expected.getName()).getMaterializedRows();
        assertThat(computeActual("TABLE " + actual.getName()).getMaterializedRows()).containsExactlyInAnyOrderElementsOf(rows);
    }

    /**
     * Creates a table that has the same rows as others in each of its versions.
     */
    private TestTable createTable(String isolationLevel)
    {
        TestTable table = newTrinoTable("regrouped", "WITH (column_groups = ARRAY[ARRAY['id'], ARRAY['a'], ARRAY['b']], isolation_level = %s) AS SELECT n id, n a, n - n b FROM UNNEST(sequence(1, 10)) t (n)".formatted(isolationLevel));
        for (int first : new int[] {11, 21}) {
            assertUpdate("INSERT INTO %s SELECT n, n, n - n FROM UNNEST(sequence(%s, %s)) t (n)".formatted(table.getName(), first, first + 9), 10);
        }
        return table;
    }

    private void run(TestTable table, String first, String second)
    {
        concurrent.set(() -> getQueryRunner().execute(first.formatted(table.getName())));
        try {
            getQueryRunner().execute(second.formatted(table.getName()));
        }
        finally {
            assertThat(concurrent.isPending()).isFalse();
        }
    }

    private List<MaterializedRow> rowsWithAddresses(String table)
    {
        return computeActual("SELECT *, \"$row_group\", \"$row_position\" FROM " + table).getMaterializedRows();
    }

    private Map<String, Long> regroup(TestTable table, String statement)
    {
        Map<String, Long> metrics = new HashMap<>();
        for (MaterializedRow row : computeActual(statement.formatted(table.getName())).getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics;
    }

    private long rowGroups(TestTable table)
    {
        return (long) computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()));
    }

    private long version(TestTable table)
    {
        return (long) computeScalar("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(table.getName()));
    }
}
