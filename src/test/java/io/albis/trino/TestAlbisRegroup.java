package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.MaterializedRow;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows of a table after ALTER TABLE EXECUTE regroup, in all of its versions.
 */
final class TestAlbisRegroup
        extends BaseRegroupTest
{
    TestAlbisRegroup()
    {
        super(1);
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
     * A column that was added and filled has a column group of its own in each row group. New row groups have one.
     */
    @Test
    void testAddedColumn()
    {
        try (TestTable table = newTrinoTable("added", "(a integer)")) {
            assertUpdate("ALTER TABLE %s ADD COLUMN b bigint".formatted(table.getName()));
            assertUpdate("INSERT INTO %s VALUES (1, 2), (2, 3)".formatted(table.getName()), 2);
            assertUpdate("ALTER TABLE %s ADD COLUMN c bigint".formatted(table.getName()));
            assertUpdate("UPDATE %s SET c = b".formatted(table.getName()), 2);
            assertUpdate("ALTER TABLE %s ADD COLUMN d bigint DEFAULT 5 FIRST".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("column_groups");
            assertUpdate("INSERT INTO %s VALUES (6, 3, 4, 4)".formatted(table.getName()), 1);
            List<MaterializedRow> rows = rowsWithAddresses(table.getName());
            assertThat(regroup(table, GROUPS + "])")).containsEntry("regrouped_row_groups_count", 1L);
            assertThat(rowsWithAddresses(table.getName())).containsExactlyInAnyOrderElementsOf(rows);
            assertQuery("TABLE " + table.getName(), "VALUES (5, 1, 2, 2), (5, 2, 3, 3), (6, 3, 4, 4)");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("column_groups");
            assertThat(regroup(table, GROUPS + "])")).containsEntry("regrouped_row_groups_count", 0L);
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
}
