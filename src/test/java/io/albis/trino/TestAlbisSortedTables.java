package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
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

    @Test
    void testSmallBuffer()
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, "sort_buffer_size", "20kB")
                .build();
        try (TestTable table = newTrinoTable("buffered", "(a bigint, b varchar, c bigint) WITH (sorted_by = ARRAY['a'])")) {
            assertUpdate(session, "INSERT INTO %s %s".formatted(table.getName(), SHUFFLED), 5000);
            assertQuery("SELECT count(*), count(DISTINCT a), sum(c) FROM " + table.getName(), "VALUES (5000, 5000, 12502500)");
            computeActual("ALTER TABLE %s EXECUTE optimize(sorted_by => ARRAY['c'])".formatted(table.getName()));
        }
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
