package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.testing.assertions.Assert.assertEventually;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table property sorted_by, and the argument of optimize of the same name.
 */
final class TestAlbisSortedTables
        extends AbstractTestQueryFramework
{
    private static final String SHUFFLED = "SELECT mod(n * 7919, 10007) a, IF(mod(n, 10) = 0, NULL, CAST(mod(n, 5) AS varchar)) b, n c FROM UNNEST(sequence(1, 5000)) t (n)";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                // one writer, and so one sequence of rows
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testLoads()
    {
        try (TestTable table = newTrinoTable("sorted", "WITH (sorted_by = ARRAY['a'], row_group_rows = 1000) AS " + SHUFFLED)) {
            assertSorted(table, "a");
            // the row groups of the writer are sorted too
            assertQuery(
                    "WITH bounds AS (SELECT \"$row_group\" row_group, min(a) low, max(a) high FROM %s GROUP BY 1) SELECT (SELECT count(*) FROM bounds), count(*) FROM bounds x JOIN bounds y ON x.row_group < y.row_group AND x.low <= y.high AND y.low <= x.high".formatted(table.getName()),
                    "VALUES (5, 0)");
            assertUpdate("INSERT INTO %s SELECT a + 20000, b, c FROM (%s)".formatted(table.getName(), SHUFFLED), 5000);
            assertSorted(table, "a");
            assertUpdate("MERGE INTO %s t USING (%s) s ON t.a = s.a AND s.c < 0 WHEN NOT MATCHED THEN INSERT VALUES (s.a + 40000, s.b, s.c)".formatted(table.getName(), SHUFFLED), 5000);
            assertSorted(table, "a");
            assertQuery("SELECT count(*), count(DISTINCT a), sum(c) FROM " + table.getName(), "VALUES (15000, 15000, 3 * 12502500)");
        }
    }

    @Test
    void testOrders()
    {
        try (TestTable table = newTrinoTable("orders", "WITH (sorted_by = ARRAY['b DESC NULLS FIRST', 'a DESC', '\"C\" asc nulls last']) AS " + SHUFFLED)) {
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("sorted_by = ARRAY['b DESC NULLS FIRST','a DESC NULLS LAST','c ASC NULLS LAST']");
            List<MaterializedRow> expected = computeActual("TABLE %s ORDER BY b DESC NULLS FIRST, a DESC".formatted(table.getName())).getMaterializedRows();
            assertThat(computeActual("TABLE %s ORDER BY \"$row_position\"".formatted(table.getName())).getMaterializedRows()).isEqualTo(expected);
        }
    }

    /**
     * Rows that do not fit into the buffer of the writer are merged.
     */
    @Test
    void testSmallBuffer()
            throws IOException
    {
        try (TestTable table = newTrinoTable("buffered", "(custkey bigint, comment varchar, orderkey bigint) WITH (sorted_by = ARRAY['custkey DESC NULLS LAST', 'comment'])")) {
            String rows = "SELECT nullif(custkey, 7) custkey, comment, orderkey FROM tpch.tiny.orders";
            assertUpdate(smallBuffer(), "INSERT INTO %s %s".formatted(table.getName(), rows), 15000);
            assertQuery("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()), "VALUES 1");
            String inOrder = "SELECT custkey, comment FROM %s ORDER BY %s";
            assertThat(computeActual(inOrder.formatted(table.getName(), "\"$row_position\"")).getMaterializedRows())
                    .isEqualTo(computeActual(inOrder.formatted("(" + rows + ")", "custkey DESC NULLS LAST, comment")).getMaterializedRows());
            assertQuery("SELECT count(*), sum(custkey), sum(orderkey) FROM " + table.getName(), "SELECT count(*), sum(nullif(custkey, 7)), sum(orderkey) FROM orders");
            assertNoTemporaryFiles(table);

            assertUpdate(smallBuffer(), "MERGE INTO %s t USING (SELECT -custkey custkey, comment, orderkey FROM tpch.tiny.orders) s ON t.custkey = s.custkey WHEN NOT MATCHED THEN INSERT VALUES (s.custkey, s.comment, s.orderkey)".formatted(table.getName()), 15000);
            assertSorted(table, "-custkey");
            assertNoTemporaryFiles(table);
        }
    }

    /**
     * With the default sizes, a row group has more rows than the buffer.
     */
    @Test
    @Tag("slow")
    void testDefaultSizes()
            throws IOException
    {
        Session oneWriter = Session.builder(getSession())
                .setSystemProperty("task_scale_writers_enabled", "false")
                .setSystemProperty("task_min_writer_count", "1")
                .build();
        try (TestTable table = newTrinoTable("large", "WITH (sorted_by = ARRAY['custkey']) AS SELECT * FROM tpch.sf1.orders WHERE false")) {
            assertUpdate(oneWriter, "INSERT INTO %s SELECT * FROM tpch.sf1.orders".formatted(table.getName()), 1_500_000);
            assertQuery("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()), "VALUES 1");
            assertSorted(table, "custkey");
            assertNoTemporaryFiles(table);
            computeActual("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['orderdate', 'custkey DESC'], row_group_size => '20MB')".formatted(table.getName()));
            assertQuery("SELECT count(*) > 4 FROM \"%s$files\"".formatted(table.getName()), "VALUES true");
            assertSorted(table, "orderdate");
            assertDisjoint(table, "orderdate", "true");
            assertNoTemporaryFiles(table);
            assertThat(query("SELECT count(*), sum(orderkey), sum(custkey), checksum(comment) FROM " + table.getName())).matches("SELECT count(*), sum(orderkey), sum(custkey), checksum(comment) FROM tpch.sf1.orders");
        }
    }

    /**
     * The row groups of a writer have ranges of their own even if each of them has more rows than the buffer.
     */
    @Test
    void testRangesOfRowGroups()
            throws IOException
    {
        try (TestTable table = newTrinoTable("ranges", "(orderkey bigint, suppkey bigint, comment varchar, p integer) WITH (sorted_by = ARRAY['orderkey'], row_group_rows = 10000)")) {
            assertUpdate(smallBuffer(), "INSERT INTO %s SELECT mod(orderkey * 7919, 100003), suppkey, comment, mod(orderkey, 2) FROM tpch.tiny.lineitem".formatted(table.getName()), 60175);
            assertQuery("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()), "VALUES 7");
            assertSorted(table, "orderkey");
            assertDisjoint(table, "orderkey", "true");

            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['p']".formatted(table.getName()));
            computeActual(smallBuffer(), "ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['suppkey'])".formatted(table.getName()));
            assertQuery("SELECT p, count(DISTINCT \"$row_group\") > 2, sum(suppkey) FROM %s GROUP BY 1".formatted(table.getName()), "SELECT mod(orderkey, 2), true, sum(suppkey) FROM lineitem GROUP BY mod(orderkey, 2)");
            assertSorted(table, "suppkey");
            for (int partition = 0; partition < 2; partition++) {
                assertDisjoint(table, "suppkey", "p = " + partition);
            }
        }
    }

    /**
     * The rows of all row groups are sorted together, although each row group is full.
     */
    @Test
    void testOptimizeFullRowGroups()
            throws IOException
    {
        try (TestTable table = newTrinoTable("full", "(a bigint, b varchar, c bigint) WITH (row_group_rows = 1000)")) {
            for (int part = 0; part < 6; part++) {
                assertUpdate("INSERT INTO %s SELECT IF(c = 17, NULL, a), b, c FROM (SELECT mod(n * 7919, 10007) a, CAST(n AS varchar) b, n c FROM UNNEST(sequence(%s, %s)) t (n))".formatted(table.getName(), part * 1000 + 1, part * 1000 + 1000), 1000);
            }
            // no row group contains a range of the others
            assertQuery("SELECT count(*) FROM (SELECT max(a) - min(a) r FROM %s GROUP BY \"$row_group\") WHERE r > 9900".formatted(table.getName()), "VALUES 6");
            computeActual(smallBuffer(), "ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['a DESC']) WHERE c > 3000".formatted(table.getName()));
            assertQuery("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()), "VALUES 6");
            assertDisjoint(table, "a", "c > 3000");
            assertNoTemporaryFiles(table);
            for (boolean descending : new boolean[] {true, false}) {
                String statement = "ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['a %s'])".formatted(table.getName(), descending ? "DESC NULLS FIRST" : "ASC NULLS LAST");
                assertThat(computeActual(descending ? getSession() : smallBuffer(), statement).getMaterializedRows())
                        .extracting(row -> row.getField(1))
                        .containsExactlyInAnyOrder(6L, 6L, 0L);
                assertSorted(table, descending ? "-a" : "a");
                assertDisjoint(table, "a", "true");
                assertQuery("SELECT \"$row_position\" FROM %s WHERE a IS NULL".formatted(table.getName()), descending ? "VALUES 0" : "VALUES 999");
                assertQuery("SELECT count(*), count(DISTINCT a), sum(c) FROM " + table.getName(), "VALUES (6000, 5999, 3000 * 6001)");
                assertNoTemporaryFiles(table);
            }
        }
    }

    /**
     * Files of sequences are removed with those of the row groups.
     */
    @Test
    void testFailedLoad()
            throws IOException
    {
        try (TestTable table = newTrinoTable("failed", "(a bigint, b varchar) WITH (sorted_by = ARRAY['a'])")) {
            assertUpdate("INSERT INTO %s VALUES (1, 'x')".formatted(table.getName()), 1);
            assertQueryFails(smallBuffer(), "INSERT INTO %s SELECT 1 / (orderkey - 60000), comment FROM tpch.tiny.lineitem".formatted(table.getName()), "Division by zero");
            assertQuery("TABLE " + table.getName(), "VALUES (1, 'x')");
            // the engine reports the failure before it has stopped all tasks
            assertEventually(() -> assertNoTemporaryFiles(table));
        }
    }

    private Session smallBuffer()
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, "sort_buffer_size", "20kB")
                .build();
    }

    private void assertDisjoint(TestTable table, String column, String where)
    {
        assertQuery(
                "WITH bounds AS (SELECT \"$row_group\" row_group, min(%1$s) low, max(%1$s) high FROM %2$s WHERE %3$s GROUP BY 1) SELECT count(*) FROM bounds x JOIN bounds y ON x.row_group < y.row_group AND x.low < y.high AND y.low < x.high".formatted(column, table.getName(), where),
                "VALUES 0");
    }

    /**
     * Asserts that the folder of a table contains the row groups of all versions, and no other ones.
     */
    private void assertNoTemporaryFiles(TestTable table)
            throws IOException
    {
        long rowGroups = (long) computeScalar("SELECT sum(CAST(element_at(summary, 'added-data-files') AS bigint)) FROM \"%s$snapshots\"".formatted(table.getName()));
        List<Path> paths;
        try (Stream<Path> files = Files.walk(AlbisQueryRunner.warehouse(getDistributedQueryRunner()))) {
            paths = files.filter(file -> file.toString().contains("/" + table.getName() + "-"))
                    .collect(toImmutableList());
        }
        assertThat(paths.stream().filter(file -> file.getFileName().toString().startsWith("rg-"))).as("of %s", paths).hasSize((int) rowGroups);
    }

    @Test
    void testChangedColumns()
    {
        try (TestTable table = newTrinoTable("changed", "(a bigint, b varchar, c bigint)")) {
            assertUpdate("ALTER TABLE %s SET PROPERTIES sorted_by = ARRAY['c', 'a DESC']".formatted(table.getName()));
            assertUpdate("INSERT INTO %s %s".formatted(table.getName(), SHUFFLED), 5000);
            assertSorted(table, "c");
            assertUpdate("ALTER TABLE %s RENAME COLUMN c TO \"d e\"".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("sorted_by = ARRAY['\"d e\" ASC NULLS FIRST','a DESC NULLS LAST']");
            assertQueryFails("ALTER TABLE %s DROP COLUMN a".formatted(table.getName()), "Column 'a' cannot be dropped, because new rows are sorted by it. Change the table property sorted_by first");
            assertUpdate("ALTER TABLE %s SET PROPERTIES sorted_by = ARRAY['\"d e\" DESC']".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s DROP COLUMN a".formatted(table.getName()));
            assertUpdate("INSERT INTO %s SELECT b, c + 10000 FROM (%s)".formatted(table.getName(), SHUFFLED), 5000);
            assertUpdate("ALTER TABLE %s SET PROPERTIES sorted_by = DEFAULT".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("sorted_by");
            assertUpdate("ALTER TABLE %s DROP COLUMN \"d e\"".formatted(table.getName()));
            assertQuery("SELECT count(*) FROM " + table.getName(), "VALUES 10000");
        }
    }

    @Test
    void testReplaceAndLike()
    {
        try (TestTable table = newTrinoTable("replaced", "(x bigint, a bigint) WITH (sorted_by = ARRAY['a'])")) {
            // the columns have other ids afterwards
            assertUpdate("CREATE OR REPLACE TABLE %s WITH (sorted_by = ARRAY['a']) AS %s".formatted(table.getName(), SHUFFLED), 5000);
            assertSorted(table, "a");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("sorted_by = ARRAY['a ASC NULLS FIRST']");
            assertUpdate("CREATE TABLE %1$s_like (LIKE %1$s INCLUDING PROPERTIES)".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE %s_like".formatted(table.getName()))).contains("sorted_by = ARRAY['a ASC NULLS FIRST']");
            assertUpdate("DROP TABLE %s_like".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s SET PROPERTIES sorted_by = ARRAY['b']".formatted(table.getName()));
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(table.getName()));
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("sorted_by = ARRAY['a ASC NULLS FIRST']");
        }
    }

    @Test
    void testOptimize()
    {
        try (TestTable table = newTrinoTable("optimized", "(a bigint, b varchar, c bigint) WITH (sorted_by = ARRAY['a'])")) {
            for (int part = 0; part < 3; part++) {
                assertUpdate("INSERT INTO %s SELECT * FROM (%s) WHERE mod(c, 3) = %s".formatted(table.getName(), SHUFFLED, part), part == 0 ? 1666 : 1667);
            }
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(table.getName()));
            assertQuery("SELECT count(*) FROM \"%s$files\"".formatted(table.getName()), "VALUES 1");
            assertSorted(table, "a");
            // sorts all row groups, of which none is small
            computeActual("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['c DESC'])".formatted(table.getName()));
            assertSorted(table, "-c");
            // the order is in the summary of the version, whether it is that of the table or that of the procedure
            assertQuery("SELECT element_at(summary, 'sorted-by') FROM \"%s$snapshots\" WHERE operation = 'optimize' ORDER BY snapshot_id".formatted(table.getName()), "VALUES 'a ASC NULLS FIRST', 'c DESC NULLS LAST'");
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("sorted_by = ARRAY['a ASC NULLS FIRST']");
            assertQuery("SELECT count(*), count(DISTINCT a), sum(c) FROM " + table.getName(), "VALUES (5000, 5000, 12502500)");
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['x'])".formatted(table.getName())))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessageContaining("sorted_by names column 'x', which the table does not have");
        }
    }

    @Test
    void testMaterializedView()
    {
        try (TestTable table = newTrinoTable("source", "AS " + SHUFFLED)) {
            String view = table.getName() + "_view";
            assertUpdate("CREATE MATERIALIZED VIEW %s WITH (sorted_by = ARRAY['a']) AS SELECT * FROM %s".formatted(view, table.getName()));
            assertUpdate("REFRESH MATERIALIZED VIEW " + view, 5000);
            assertQuery("SELECT count(*) FROM (SELECT a, lag(a) OVER (ORDER BY \"$row_position\") previous FROM \"%s$storage\") WHERE a < previous".formatted(view), "VALUES 0");
            assertUpdate("DROP MATERIALIZED VIEW " + view);
        }
    }

    @Test
    void testInvalidOrders()
    {
        assertInvalid("ARRAY['x']", "sorted_by names column 'x', which the table does not have; its columns are: a, b, j, r");
        assertInvalid("ARRAY['a', 'A DESC']", "sorted_by names column 'a' twice");
        assertInvalid("ARRAY['a UP']", "sorted_by contains 'a UP', which must have the form <column> [ASC | DESC] [NULLS FIRST | NULLS LAST]");
        assertInvalid("ARRAY['a NULLS']", "sorted_by contains 'a NULLS', which must have the form <column> [ASC | DESC] [NULLS FIRST | NULLS LAST]");
        assertInvalid("ARRAY['']", "sorted_by contains '', which must have the form <column> [ASC | DESC] [NULLS FIRST | NULLS LAST]");
        assertInvalid("ARRAY['j']", "sorted_by names column 'j', but rows cannot be sorted by its type json");
        assertInvalid("ARRAY['r']", "sorted_by names column 'r', but rows cannot be sorted by its type row(\"n\" bigint)");
        assertInvalid("ARRAY['\"" + "x".repeat(20_000) + "\"']", "sorted_by names column '" + "x".repeat(20_000) + "', which the table does not have; its columns are: a, b, j, r");
        assertInvalid("ARRAY[NULL]", "sorted_by contains NULL; each element must name a column");
        try (TestTable table = newTrinoTable("unsorted", "(a bigint) WITH (sorted_by = ARRAY[])")) {
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).doesNotContain("sorted_by");
        }
    }

    private void assertInvalid(String sortedBy, String message)
    {
        assertTrinoExceptionThrownBy(() -> computeActual("CREATE TABLE invalid_order (a bigint, b varchar, j json, r row(n bigint)) WITH (sorted_by = %s)".formatted(sortedBy)))
                .hasErrorCode(INVALID_TABLE_PROPERTY)
                .hasMessageContaining(message);
    }

    /**
     * Asserts that an expression increases within each row group.
     */
    private void assertSorted(TestTable table, String expression)
    {
        assertQuery(
                "SELECT count(*) FROM (SELECT %1$s v, lag(%1$s) OVER (PARTITION BY \"$row_group\" ORDER BY \"$row_position\") previous FROM %2$s) WHERE v < previous".formatted(expression, table.getName()),
                "VALUES 0");
    }
}
