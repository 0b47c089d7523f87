package io.albis.trino.split;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.MAX_SPLIT_SIZE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Row groups that are split among several readers.
 */
final class TestAlbisSplits
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().build();
        for (String layout : new String[] {"row", "block"}) {
            queryRunner.execute("CREATE TABLE orders_%1$s WITH (layout = '%1$s', row_group_size = '1GB', segment_size = '16kB') AS TABLE tpch.tiny.orders".formatted(layout));
        }
        return queryRunner;
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders_row", "orders_block"})
    void testSplitRowGroups(String table)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, MAX_SPLIT_SIZE, "64kB")
                .build();
        // Without an order, the comparison would take time with the square of the number of rows
        assertThat(query(session, "SELECT * FROM " + table + " ORDER BY orderkey")).ordered().matches("SELECT * FROM tpch.tiny.orders ORDER BY orderkey");
        assertThat(query(session, "SELECT count(*) FROM " + table)).matches("SELECT count(*) FROM tpch.tiny.orders");
        assertThat(query(session, "SELECT count(*), sum(totalprice) FROM " + table + " WHERE orderkey % 7 = 1 AND orderdate > DATE '1995-01-01'"))
                .matches("SELECT count(*), sum(totalprice) FROM tpch.tiny.orders WHERE orderkey % 7 = 1 AND orderdate > DATE '1995-01-01'");
        assertThat(query(session, "SELECT count(*) FROM " + table + " WHERE orderstatus = 'F'")).matches("SELECT count(*) FROM tpch.tiny.orders WHERE orderstatus = 'F'");
        assertThat(query(session, "SELECT count(*) FROM " + table + " o JOIN tpch.tiny.lineitem l ON o.orderkey = l.orderkey AND l.partkey < 100"))
                .matches("SELECT count(*) FROM tpch.tiny.orders o JOIN tpch.tiny.lineitem l ON o.orderkey = l.orderkey AND l.partkey < 100");

        ScanStatistics split = scan(session, table);
        ScanStatistics whole = scan(getSession(), table);
        long rowGroups = whole.split("Albis row groups selected");
        assertThat(whole.operator().getTotalDrivers()).isEqualTo(rowGroups);
        assertThat(split.operator().getTotalDrivers()).isGreaterThan(4 * rowGroups);
        assertThat(split.split("Albis row groups selected")).isEqualTo(rowGroups);
        assertThat(split.scanned("Albis row groups")).isEqualTo(rowGroups);
        assertThat(split.scanned("Albis segments")).isEqualTo(whole.scanned("Albis segments"));
        assertThat(split.scanned("Albis rows")).isEqualTo(15_000);
    }

    /**
     * Few rows of a row group need only one reader, unless a filter may drop most of them. No customer with a multiple
     * of three has orders.
     */
    @ParameterizedTest
    @ValueSource(strings = {"orders_row", "orders_block"})
    void testLimit(String table)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, MAX_SPLIT_SIZE, "64kB")
                .build();
        long rowGroups = scan(getSession(), table).split("Albis row groups selected");
        assertThat(execute(session, "SELECT * FROM %s LIMIT 1".formatted(table)).operator().getTotalDrivers()).isLessThanOrEqualTo(rowGroups);
        assertThat(execute(session, "SELECT * FROM %s WHERE custkey = 999 LIMIT 1".formatted(table)).operator().getTotalDrivers()).isGreaterThan(4 * rowGroups);
    }

    private ScanStatistics scan(Session session, String table)
    {
        return execute(session, "SELECT sum(totalprice) FROM " + table);
    }

    private ScanStatistics execute(Session session, String sql)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(session, sql);
        return ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
    }

    @Test
    void testBadSize()
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, MAX_SPLIT_SIZE, "1B")
                .build();
        assertQueryFails(session, "TABLE orders_row", ".*max_split_size must be at least 1kB: 1B");
    }
}
