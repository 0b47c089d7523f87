package io.albis.trino;

import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.trino.testing.assertions.Assert.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the statements of docs/operations.md ("Load sorted data") exactly as printed, on several nodes.
 */
final class TestSortedLoad
        extends AbstractTestQueryFramework
{
    private static final Pattern PRUNED = Pattern.compile("'Albis row groups pruned' = LongCount\\{total=(\\d+)\\}");
    private static final String SCHEMA = "albis.shop";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder()
                .addExtraProperty("task.max-writer-count", "4")
                .build();
        queryRunner.execute("CREATE SCHEMA " + SCHEMA);
        return queryRunner;
    }

    @Test
    @Tag("slow")
    void testStatementsOfThePage()
    {
        Session session = SortedLoad.session(getSession());
        assertThat(session.getSystemProperties()).as("session properties of the page").hasSizeGreaterThan(2);
        String explained = "";
        for (String statement : SortedLoad.statements()) {
            if (statement.startsWith("EXPLAIN")) {
                explained = (String) computeScalar(statement);
            }
            else if (!statement.startsWith("SET SESSION")) {
                // Loading by ranges needs no session property
                computeActual(statement.contains("ORDER BY") ? session : getSession(), statement);
            }
        }
        Matcher pruned = PRUNED.matcher(explained);
        assertThat(pruned.find()).as(explained).isTrue();
        assertThat(Integer.parseInt(pruned.group(1))).isEqualTo(9);

        // The table has ten row groups of 1500 rows, and no day has enough rows to spread over three of them
        assertRowGroups("sorted_orders", "orderdate < DATE '1900-01-01'", 0, 10);
        assertRowGroups("sorted_orders", "true", 10, 0);
        assertRowGroups("sorted_orders", "orderdate = DATE '1992-01-01'", 1, 9);
        assertRowGroups("sorted_orders", "orderdate = DATE '1995-06-17'", 1, 9);

        // The row groups that the INSERT statements of other ranges wrote are pruned
        long all = rowGroups("orders_by_range", "true").split("Albis row groups selected");
        long lower = rowGroups("orders_by_range", "orderdate < DATE '1993-06-01'").split("Albis row groups selected");
        long middle = rowGroups("orders_by_range", "orderdate BETWEEN DATE '1994-02-01' AND DATE '1994-03-01'").split("Albis row groups selected");
        long upper = rowGroups("orders_by_range", "orderdate > DATE '1997-06-01'").split("Albis row groups selected");
        assertThat(lower).isPositive();
        assertThat(middle).isPositive();
        assertThat(upper).isPositive();
        assertThat(all).isEqualTo(lower + middle + upper);

        for (String table : new String[] {"sorted_orders", "orders_by_range"}) {
            assertThat(query("SELECT * FROM %s.%s".formatted(SCHEMA, table))).matches("SELECT * FROM tpch.tiny.orders");
        }
    }

    @Test
    void testInsert()
    {
        assertUpdate("CREATE TABLE albis.shop.inserted WITH (row_group_rows = 1500) AS SELECT * FROM tpch.tiny.orders WITH NO DATA", 0);
        computeActual(SortedLoad.session(getSession()), "INSERT INTO albis.shop.inserted SELECT * FROM tpch.tiny.orders ORDER BY orderdate");
        assertRowGroups("inserted", "orderdate = DATE '1995-06-17'", 1, 9);
    }

    /**
     * The page describes ORDER BY without session properties. If this changes, the page can be simplified.
     */
    @Test
    void testOrderByAlone()
    {
        assertUpdate("CREATE TABLE albis.shop.not_sorted WITH (row_group_rows = 1500) AS SELECT * FROM tpch.tiny.orders ORDER BY orderdate", 15000);
        // One of seven years would take three row groups at most if the rows were sorted
        assertThat(rowGroups("not_sorted", "orderdate BETWEEN DATE '1995-01-01' AND DATE '1995-12-31'").split("Albis row groups selected")).isGreaterThan(3);
    }

    private void assertRowGroups(String table, String predicate, int selected, int pruned)
    {
        // A query without splits can be over before the engine has recorded the metrics of its split source
        assertEventually(() -> {
            ScanStatistics statistics = rowGroups(table, predicate);
            assertThat(statistics.split("Albis row groups selected")).as(predicate).isEqualTo(selected);
            assertThat(statistics.split("Albis row groups pruned")).as(predicate).isEqualTo(pruned);
        });
    }

    private ScanStatistics rowGroups(String table, String predicate)
    {
        DistributedQueryRunner queryRunner = getDistributedQueryRunner();
        MaterializedResultWithPlan result = queryRunner.executeWithPlan(getSession(), "SELECT count(custkey), checksum(comment) FROM %s.%s WHERE %s".formatted(SCHEMA, table, predicate));
        return ScanStatistics.of(queryRunner, result.queryId());
    }
}
