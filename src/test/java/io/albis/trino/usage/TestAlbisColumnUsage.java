package io.albis.trino.usage;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table {@code "t$usage"}, and ALTER TABLE EXECUTE regroup without arguments.
 */
final class TestAlbisColumnUsage
        extends AbstractTestQueryFramework
{
    private static final String NO_USAGE = "SELECT 'a', 'b', 1 WHERE false";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().setInitialTables(ImmutableList.of()).build();
    }

    @Test
    void testQueries()
    {
        Instant before = Instant.now().minusSeconds(60);
        try (TestTable table = newTable("queries", "")) {
            String name = table.getName();
            assertQuery("DESCRIBE \"%s$usage\"".formatted(name), "VALUES " +
                    "('columns', 'array(varchar)', '', ''), " +
                    "('filtered', 'array(varchar)', '', ''), " +
                    "('queries', 'bigint', '', ''), " +
                    "('last_used', 'timestamp(3) with time zone', '', ''), " +
                    "('proposed_indexes', 'array(varchar)', '', '')");
            assertUsage(table, NO_USAGE);
            for (int i = 0; i < 3; i++) {
                computeActual("SELECT c, a FROM " + name);
            }
            computeActual("SELECT b FROM %s WHERE d > 5".formatted(name));
            // one that is enforced, and one that the engine evaluates
            computeActual("SELECT a FROM %s WHERE d > 5 AND b LIKE '%%x%%y'".formatted(name));
            computeActual("SELECT * FROM " + name);
            assertUsage(table, "VALUES ('a,c', '', 3), ('b,d', 'd', 1), ('a,b,d', 'b,d', 1), ('a,b,c,d,e,f', '', 1)");
            ZonedDateTime last = (ZonedDateTime) computeScalar("SELECT min(last_used) FROM \"%s$usage\"".formatted(name));
            assertThat(last.toInstant()).isAfter(before).isBefore(Instant.now().plusSeconds(60));
            assertQuery("SELECT array_join(columns, ',') FROM \"%s$usage\" WHERE queries > 1 OR contains(filtered, 'b') ORDER BY queries".formatted(name), "VALUES ('a,b,d'), ('a,c')");
        }
    }

    @Test
    void testScansOfOneQuery()
    {
        try (TestTable table = newTable("scans", "")) {
            String name = table.getName();
            // twice the same columns, and the dynamic filter of one scan
            computeActual("SELECT count(*) FROM (SELECT a, b FROM %1$s UNION ALL SELECT a, b FROM %1$s) WHERE a + 1 > length(b)".formatted(name));
            computeActual("SELECT x.a, y.c FROM %1$s x JOIN %1$s y ON x.d = y.e".formatted(name));
            assertQuery("SELECT array_join(columns, ','), queries FROM \"%s$usage\"".formatted(name), "VALUES ('a,b', 1), ('a,d', 1), ('c,e', 1)");
            assertQuery("SELECT count(*) FROM \"%s$usage\" WHERE cardinality(filtered) = 1 AND cardinality(columns) = 2 AND contains(columns, filtered[1]) AND contains(ARRAY['d', 'e'], filtered[1])".formatted(name), "VALUES 1");
        }
    }

    @Test
    void testFieldsAndElements()
    {
        try (TestTable table = newTrinoTable("nested", "AS SELECT n a, CAST(ROW(n, 'x') AS row(x bigint, y varchar)) r, map(ARRAY[n], ARRAY['z']) m, ARRAY[n] u FROM UNNEST(sequence(1, 100)) t (n)")) {
            computeActual("SELECT a, element_at(m, 5) FROM %s WHERE r.x > 50".formatted(table.getName()));
            assertUsage(table, "VALUES ('a,r,m', 'r', 1)");
        }
    }

    @Test
    void testStatementsThatChangeRows()
    {
        try (TestTable table = newTable("changes", "")) {
            String name = table.getName();
            assertUpdate("DELETE FROM %s WHERE d = 3".formatted(name), 1);
            assertUpdate("INSERT INTO %1$s (a, b) SELECT a, b FROM %1$s WHERE c = 'c7'".formatted(name), 1);
            assertUsage(table, "VALUES ('d', 'd', 1), ('a,b,c', 'c', 1)");
        }
    }

    @Test
    void testStatementsThatReadNoValues()
    {
        try (TestTable table = newTable("other", "")) {
            String name = table.getName();
            computeActual("SELECT count(*) FROM " + name);
            computeActual("SELECT max(a) FROM " + name);
            computeActual("SELECT \"$path\" FROM " + name);
            computeActual("SELECT a FROM %s WHERE a > 5 AND a < 3".formatted(name));
            computeActual("EXPLAIN SELECT a, b FROM " + name);
            computeActual("EXPLAIN (TYPE DISTRIBUTED) SELECT a, b FROM " + name);
            computeActual("SHOW STATS FOR " + name);
            computeActual("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['b'])".formatted(name));
            computeActual("ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['a', 'b']])".formatted(name));
            assertUsage(table, NO_USAGE);
            // the time of a row says nothing about its columns
            computeActual("SELECT a, \"$file_modified_time\" FROM " + name);
            assertUsage(table, NO_USAGE);
        }
    }

    @Test
    void testChangedColumns()
    {
        try (TestTable table = newTable("changed", "")) {
            String name = table.getName();
            computeActual("SELECT a, b FROM %s WHERE c > 'c5'".formatted(name));
            computeActual("SELECT a, b FROM %s WHERE d > 5".formatted(name));
            computeActual("SELECT sum(length(c)) FROM " + name);
            assertUpdate("ALTER TABLE %s RENAME COLUMN a TO z".formatted(name));
            assertUpdate("ALTER TABLE %s RENAME COLUMN e TO a".formatted(name));
            assertUsage(table, "VALUES ('z,b,c', 'c', 1), ('z,b,d', 'd', 1), ('c', '', 1)");
            assertUpdate("ALTER TABLE %s DROP COLUMN c".formatted(name));
            assertUsage(table, "VALUES ('z,b', '', 1), ('z,b,d', 'd', 1)");
            assertUpdate("ALTER TABLE %s DROP COLUMN d".formatted(name));
            assertUsage(table, "VALUES ('z,b', '', 2)");
            // a new column of the same name was never read
            assertUpdate("ALTER TABLE %s ADD COLUMN c bigint".formatted(name));
            assertUsage(table, "VALUES ('z,b', '', 2)");
            assertUpdate("ALTER TABLE %s RENAME TO %s_renamed".formatted(name, name));
            assertQuery("SELECT array_join(columns, ','), queries FROM \"%s_renamed$usage\"".formatted(name), "VALUES ('z,b', 2)");
            computeActual("ALTER TABLE %s_renamed EXECUTE regroup".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE %s_renamed".formatted(name))).contains("column_groups = ARRAY[ARRAY['z','b'],ARRAY['a','f','c']]");
            assertUpdate("ALTER TABLE %s_renamed RENAME TO %s".formatted(name, name));

            assertUpdate("CREATE OR REPLACE TABLE %s (a bigint, b varchar)".formatted(name));
            assertUsage(table, NO_USAGE);
        }
    }

    @Test
    void testRegroup()
    {
        try (TestTable table = newTable("regrouped", "")) {
            String name = table.getName();
            String regroup = "ALTER TABLE %s EXECUTE regroup".formatted(name);
            assertTrinoExceptionThrownBy(() -> computeActual(regroup))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessageStartingWith("Without the argument column_groups, the procedure regroup groups the columns that queries read together, and this coordinator has recorded no query on table tpch.%s".formatted(name));
            for (int i = 0; i < 9; i++) {
                computeActual("SELECT d, a FROM %s WHERE a > 10".formatted(name));
                computeActual("SELECT sum(length(c)) FROM " + name);
            }
            computeActual("SELECT a FROM " + name);
            String rows = "SELECT count(*), sum(a), count(DISTINCT b), sum(length(c)), sum(d), max(e), min(f) FROM " + name;
            List<MaterializedRow> before = computeActual(rows).getMaterializedRows();
            // EXPLAIN shows the groups and changes nothing
            String groups = "column_groups => ARRAY[ARRAY['a', 'd'], ARRAY['b', 'e', 'f'], ARRAY['c']]";
            assertThat((String) computeScalar("EXPLAIN " + regroup)).contains("TableScan[table = albis:regroup:tpch.%s version=1 %s]".formatted(name, groups));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).doesNotContain("column_groups");

            assertThat(regroupedRowGroups(regroup)).isEqualTo(computeScalar("SELECT count(*) FROM \"%s$files\"".formatted(name)));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains("column_groups = ARRAY[ARRAY['a','d'],ARRAY['b','e','f'],ARRAY['c']]");
            // what the test has read itself is too little to change the groups
            assertThat(computeActual(rows).getMaterializedRows()).isEqualTo(before);
            assertThat(regroupedRowGroups(regroup)).isEqualTo(0L);
            // the usage is not that of the statement
            assertUsage(table, "VALUES ('a,d', 'a', 9), ('c', '', 9), ('a', '', 1), ('a,b,c,d,e,f', '', 2)");
        }
    }

    /**
     * In the block layout, one group is better than many, so nothing is written.
     */
    @Test
    void testManyGroups()
    {
        try (TestTable table = newTable("many_groups", "")) {
            String name = table.getName();
            for (String columns : List.of("a", "b, d", "c", "e", "f", "b, c, d")) {
                computeActual("SELECT %s FROM %s".formatted(columns, name));
            }
            String regroup = "ALTER TABLE %s EXECUTE regroup".formatted(name);
            assertThat((String) computeScalar("EXPLAIN " + regroup)).contains("column_groups => ARRAY[ARRAY['a', 'b', 'c', 'd', 'e', 'f']]");
            assertThat(regroupedRowGroups(regroup)).isEqualTo(0L);
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).doesNotContain("column_groups");
        }
    }

    /**
     * Columns keep their layouts and compressions. In the row layout, columns that are filtered are not grouped with
     * those that are returned.
     */
    @Test
    void testLayouts()
    {
        try (TestTable table = newTable("layouts", "WITH (column_groups = ARRAY[ARRAY['a', 'b', 'c', 'd'], ARRAY['e', 'f']], column_group_layouts = ARRAY['row', 'block'], column_group_compressions = ARRAY['none', 'zstd'])")) {
            String name = table.getName();
            computeActual("SELECT a, b, e, f FROM %s WHERE d > 10".formatted(name));
            computeActual("ALTER TABLE %s EXECUTE regroup".formatted(name));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + name)).contains(
                    "column_groups = ARRAY[ARRAY['a','b'],ARRAY['d'],ARRAY['e','f'],ARRAY['c']]",
                    "column_group_layouts = ARRAY['row','row','block','row']",
                    "column_group_compressions = ARRAY['none','none','zstd','none']");
            assertQuery("SELECT count(*), sum(a), sum(d), sum(e), sum(f) FROM " + name, "VALUES (100, 5050, 5050, 5050, 5050)");
        }
    }

    @Test
    void testMaterializedView()
    {
        try (TestTable table = newTable("viewed", "")) {
            String view = "usage_of_" + table.getName();
            assertUpdate("CREATE MATERIALIZED VIEW %s AS SELECT a, b, c FROM %s".formatted(view, table.getName()));
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 100);
            assertUsage(table, "VALUES ('a,b,c', '', 1)");
            computeActual("SELECT a, c FROM " + view);
            assertQuery("SELECT array_join(columns, ','), queries FROM \"%s$usage\"".formatted(view), "VALUES ('a,c', 1)");
            computeActual("ALTER TABLE \"%s$storage\" EXECUTE regroup".formatted(view));
            assertQuery("SELECT count(*), sum(a) FROM \"%s$storage\"".formatted(view), "VALUES (100, 5050)");
            assertUpdate("DROP MATERIALIZED VIEW " + view);
        }
    }

    @Test
    void testProposedIndexes()
    {
        String columns = "AS SELECT n a, n % 10 b, 'c' || CAST(n AS varchar) c, n d, CAST(n AS json) e, ARRAY[n] f FROM UNNEST(sequence(1, 100)) t (n)";
        try (TestTable table = newTrinoTable("proposed", "WITH (sorted_by = ARRAY['d']) " + columns)) {
            String name = table.getName();
            // b has few values, the rows are sorted by d, and e and f have no order
            computeActual("SELECT f FROM %s WHERE a = 5 AND b = 5 AND c = 'c5' AND d = 5 AND CAST(e AS varchar) = '5'".formatted(name));
            computeActual("SELECT a FROM %s WHERE f IS NULL".formatted(name));
            computeActual("SELECT a, c FROM " + name);
            String proposed = "SELECT array_join(proposed_indexes, ','), cardinality(filtered) FROM \"%s$usage\"".formatted(name);
            assertQuery(proposed, "VALUES ('a,c', 5), ('', 1), ('', 0)");
            computeActual("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['c'])".formatted(name));
            assertQuery(proposed, "VALUES ('a', 5), ('', 1), ('', 0)");
        }
    }

    private TestTable newTable(String prefix, String properties)
    {
        return newTrinoTable(prefix, properties + " AS SELECT n a, 'b' || CAST(n AS varchar) b, 'c' || CAST(n AS varchar) c, n d, n e, n f FROM UNNEST(sequence(1, 100)) t (n)");
    }

    private Object regroupedRowGroups(String statement)
    {
        return computeActual(statement).getMaterializedRows().stream()
                .filter(row -> row.getField(0).equals("regrouped_row_groups_count"))
                .map(row -> row.getField(1))
                .collect(onlyElement());
    }

    private void assertUsage(TestTable table, String expected)
    {
        assertQuery("SELECT array_join(columns, ','), array_join(filtered, ','), queries FROM \"%s$usage\"".formatted(table.getName()), expected);
    }
}
