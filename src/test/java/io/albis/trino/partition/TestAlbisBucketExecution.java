package io.albis.trino.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static com.google.common.base.Splitter.on;
import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Joins and aggregations by columns in {@code bucket} of {@code partitioned_by} have the same results without exchanges
 * as with them.
 */
final class TestAlbisBucketExecution
        extends AbstractTestQueryFramework
{
    private static final String JOIN = "SELECT o.orderpriority, count(*), sum(l.quantity) FROM %s o JOIN %s l ON o.orderkey = l.orderkey GROUP BY o.orderpriority";
    private static final String ORDERS = "WITH (partitioned_by = ARRAY['bucket(orderkey, %s)']) AS SELECT * FROM tpch.tiny.orders";
    private static final String LINES = "WITH (partitioned_by = ARRAY['bucket(orderkey, %s)']) AS SELECT * FROM tpch.tiny.lineitem";
    // Both tables have nulls, and keys that the other one does not have
    private static final String KEYS = "SELECT IF(n %% 7 = 0, NULL, CAST(%s AS %s)) k, n v FROM UNNEST(sequence(%s)) t (n)";

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .setWorkerCount(2)
                .build();
    }

    @BeforeAll
    void createTables()
    {
        assertUpdate("CREATE TABLE orders " + ORDERS.formatted(8), 15_000);
        assertUpdate("CREATE TABLE lines " + LINES.formatted(8), 60_175);
        assertUpdate("CREATE TABLE plain_lines AS SELECT * FROM tpch.tiny.lineitem", 60_175);
    }

    @Test
    void testJoin()
    {
        assertBuckets(JOIN.formatted("orders", "lines"), 2);
        assertThat((String) computeScalar(partitioned(true), "EXPLAIN " + JOIN.formatted("orders", "lines"))).contains("buckets of [orderkey]");
        // only the rows of the table without buckets are exchanged
        assertBuckets(JOIN.formatted("orders", "plain_lines"), 1);
        assertBuckets("SELECT count(*) FROM orders o LEFT JOIN lines l ON o.orderkey = l.orderkey + 1 - 1 AND l.quantity < 3", 1);
        assertBuckets("SELECT o.orderkey, l.linenumber FROM orders o FULL JOIN (SELECT * FROM lines WHERE quantity < 5) l ON o.orderkey = l.orderkey", 2);
        assertBuckets("SELECT count(*) FROM orders WHERE orderkey IN (SELECT orderkey FROM lines WHERE quantity = 1)", 2);
        // a join by another column
        assertBuckets("SELECT count(*) FROM orders o JOIN lines l ON o.custkey = l.suppkey", 0);
        // the other columns of the join do not matter
        assertBuckets("SELECT count(*) FROM lines a JOIN lines b ON a.linenumber = b.linenumber AND a.orderkey = b.orderkey", 2);
    }

    @Test
    void testAggregation()
    {
        assertBuckets("SELECT orderkey, sum(quantity) FROM lines GROUP BY orderkey", 1);
        assertBuckets("SELECT linenumber, orderkey, count(*) FROM lines GROUP BY linenumber, orderkey", 1);
        assertBuckets("SELECT DISTINCT orderkey FROM lines", 1);
        assertBuckets("SELECT orderkey, linenumber, row_number() OVER (PARTITION BY orderkey ORDER BY linenumber) FROM lines", 1);
        assertBuckets("SELECT suppkey, count(*) FROM lines GROUP BY suppkey", 0);
        assertBuckets("SELECT orderkey % 10, count(*) FROM lines GROUP BY 1", 0);
    }

    @Test
    void testPredicatesAndLimits()
    {
        for (String predicate : ImmutableList.of("orderkey = 7", "orderkey < 1000", "quantity = 1", "orderkey IS NULL", "orderkey <> orderkey")) {
            assertSame("SELECT orderkey, count(*) FROM lines WHERE %s GROUP BY orderkey".formatted(predicate));
            assertSame("SELECT count(*) FROM orders o JOIN lines l ON o.orderkey = l.orderkey WHERE %s".formatted(predicate.replace("orderkey", "l.orderkey")));
        }
        assertSame("SELECT count(*) FROM (SELECT orderkey FROM lines GROUP BY orderkey LIMIT 10)");
        assertSame("SELECT orderkey, count(*) FROM lines GROUP BY orderkey ORDER BY orderkey LIMIT 10");
        assertSame("SELECT orderkey, quantity FROM lines ORDER BY orderkey, quantity LIMIT 10");
        assertSame("SELECT orderkey, max(linenumber) FROM lines WHERE orderkey IN (SELECT orderkey FROM orders WHERE totalprice > 400000) GROUP BY orderkey");
        assertSame("SELECT count(*), min(orderkey), max(orderkey) FROM lines");
        assertSame("SELECT orderkey FROM orders UNION ALL SELECT orderkey FROM lines");
        assertSame("SELECT orderkey, count(*) FROM (SELECT orderkey FROM orders UNION ALL SELECT orderkey FROM lines) GROUP BY orderkey");
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"8, 16, 2", "16, 4, 2", "6, 12, 2", "12, 8, 1", "8, 3, 1", "1, 8, 0"})
    void testNumbersOfBuckets(int left, int right, int savedExchanges)
    {
        try (TestTable orders = newTrinoTable("left_buckets", ORDERS.formatted(left));
                TestTable lines = newTrinoTable("right_buckets", LINES.formatted(right))) {
            String query = JOIN.formatted(orders.getName(), lines.getName());
            assertSame(query);
            if (left > 1) {
                assertBuckets(query, savedExchanges);
            }
        }
    }

    /**
     * The numbers of buckets of all tables of a stage must have a common one.
     */
    @Test
    @Tag("slow")
    void testThreeTables()
    {
        for (List<Integer> counts : ImmutableList.of(ImmutableList.of(4, 16, 8), ImmutableList.of(6, 10, 15), ImmutableList.of(8, 12, 20))) {
            try (TestTable first = newTrinoTable("first", ORDERS.formatted(counts.get(0)));
                    TestTable second = newTrinoTable("second", LINES.formatted(counts.get(1)));
                    TestTable third = newTrinoTable("third", ORDERS.formatted(counts.get(2)))) {
                assertSame("SELECT count(*), sum(l.quantity) FROM %s JOIN %s l USING (orderkey) JOIN %s USING (orderkey)".formatted(first.getName(), second.getName(), third.getName()));
                assertSame("SELECT count(*), sum(b) FROM (SELECT orderkey, count(*) a FROM %s GROUP BY orderkey) JOIN (SELECT orderkey, count(*) b FROM %s GROUP BY orderkey) USING (orderkey) JOIN %s USING (orderkey)".formatted(first.getName(), second.getName(), third.getName()));
            }
        }
    }

    @Test
    void testManyBuckets()
    {
        String properties = "WITH (partitioned_by = ARRAY['bucket(k, 2000000)', 'bucket(v, 3)']) AS SELECT k, mod(k, 7) v FROM UNNEST(sequence(1, 50)) t (k)";
        try (TestTable table = newTrinoTable("many_buckets", properties)) {
            assertBuckets("SELECT k, count(*) FROM %1$s a JOIN %1$s b USING (k) GROUP BY k".formatted(table.getName()), 2);
            assertSame("SELECT count(*) FROM %1$s a JOIN %1$s b USING (k, v) WHERE v = 3".formatted(table.getName()));
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
            "tinyint; n % 100",
            "smallint; n",
            "integer; n",
            "bigint; n * 1000000007",
            "decimal(10, 2); n / DECIMAL '4.00'",
            "decimal(30, 3); n / DECIMAL '4.000'",
            "date; date_add('day', n, DATE '1960-01-01')",
            "time(3); TIME '00:00:00.000' + n * INTERVAL '7' SECOND",
            "timestamp(3); TIMESTAMP '1969-12-31 23:59:59.999' + n * INTERVAL '7' SECOND",
            "timestamp(9); TIMESTAMP '1969-12-31 23:59:59.999' + n * INTERVAL '7' SECOND",
            "timestamp(3) with time zone; at_timezone(from_unixtime(n * 7), element_at(ARRAY['UTC', 'Europe/Berlin', '+05:30'], 1 + n % 3))",
            "timestamp(9) with time zone; at_timezone(from_unixtime(n * 7), element_at(ARRAY['UTC', 'Europe/Berlin', '+05:30'], 1 + n % 3))",
            "char(6); CAST(n AS varchar)",
            "varchar; CAST(n AS varchar) || 'ü'",
            "varbinary; to_utf8(CAST(n AS varchar))",
            "uuid; CAST('00000000-0000-0000-0000-' || lpad(CAST(n AS varchar), 12, '0') AS uuid)",
            "ipaddress; CAST('10.0.' || CAST(n / 250 AS varchar) || '.' || CAST(n % 250 AS varchar) AS ipaddress)",
    })
    void testTypes(String type, String value)
    {
        String properties = "WITH (partitioned_by = ARRAY['bucket(k, 5)']) AS ";
        try (TestTable left = newTrinoTable("left_type", properties + KEYS.formatted(value, type, "1, 300"));
                TestTable right = newTrinoTable("right_type", properties + KEYS.formatted(value, type, "100, 500"))) {
            assertBuckets("SELECT k, l.v, r.v FROM %s l JOIN %s r USING (k)".formatted(left.getName(), right.getName()), 2);
            assertSame("SELECT k, l.v, r.v FROM %s l FULL JOIN %s r USING (k)".formatted(left.getName(), right.getName()));
            assertBuckets("SELECT k, count(*), sum(v) FROM %s GROUP BY k".formatted(left.getName()), 1);
            // the buckets of the other rows follow from their values
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = DEFAULT".formatted(right.getName()));
            assertBuckets("SELECT k, l.v, r.v FROM %s l JOIN %s r USING (k)".formatted(left.getName(), right.getName()), 1);
        }
    }

    @Test
    void testSeveralFunctions()
    {
        String properties = "WITH (partitioned_by = ARRAY['linestatus', 'bucket(orderkey, 4)', 'bucket(partkey, 3)', 'bucket(suppkey, 3)']) AS SELECT * FROM tpch.tiny.lineitem";
        try (TestTable lines = newTrinoTable("several", properties)) {
            assertBuckets("SELECT a.orderkey, count(*) FROM %1$s a JOIN %1$s b ON a.orderkey = b.orderkey AND a.partkey = b.partkey AND a.linestatus = b.linestatus GROUP BY a.orderkey".formatted(lines.getName()), 2);
            assertBuckets("SELECT partkey, orderkey, suppkey, count(*) FROM %s GROUP BY partkey, orderkey, suppkey".formatted(lines.getName()), 1);
            assertSame("SELECT partkey, count(*) FROM %s GROUP BY partkey".formatted(lines.getName()));
            assertSame("SELECT linestatus, count(*) FROM %s GROUP BY linestatus".formatted(lines.getName()));
        }
    }

    /**
     * The buckets of row groups are unknown that were written before the table was partitioned.
     */
    @Test
    void testOldRowGroups()
    {
        try (TestTable lines = newTrinoTable("old_row_groups", "AS SELECT * FROM tpch.tiny.lineitem WHERE orderkey < 30000")) {
            String query = JOIN.formatted("orders", lines.getName());
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['bucket(orderkey, 8)']".formatted(lines.getName()));
            computeActual("INSERT INTO %s SELECT * FROM tpch.tiny.lineitem WHERE orderkey >= 30000".formatted(lines.getName()));
            assertBuckets(query, 1);
            assertSame(query + ", l.orderkey");
            // no row group of those is read
            assertBuckets(query.replace("GROUP BY", "WHERE l.orderkey > 40000 GROUP BY"), 2);
            Session withoutPruning = Session.builder(partitioned(true)).setCatalogSessionProperty(CATALOG, "row_group_pruning", "false").build();
            assertThat(exchanges(withoutPruning, query.replace("GROUP BY", "WHERE l.orderkey > 40000 GROUP BY"))).isEqualTo(exchanges(partitioned(true), query));
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(lines.getName()));
            assertBuckets(query, 2);
            assertUpdate("ALTER TABLE %s SET PROPERTIES partitioned_by = ARRAY['bucket(orderkey, 16)']".formatted(lines.getName()));
            assertBuckets(query, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "row"})
    void testChangedRows(String layout)
    {
        try (TestTable lines = newTrinoTable("changed_buckets", LINES.formatted(8).replace("WITH (", "WITH (layout = '%s', ".formatted(layout)))) {
            String query = JOIN.formatted("orders", lines.getName());
            String name = lines.getName();
            computeActual("DELETE FROM %s WHERE quantity = 7".formatted(name));
            assertBuckets(query, 2);
            // rows move to other buckets
            computeActual("UPDATE %s SET orderkey = orderkey + 1 WHERE linenumber = 1".formatted(name));
            assertBuckets(query, 2);
            computeActual("UPDATE %s SET quantity = quantity + 1".formatted(name));
            assertBuckets(query, 2);
            computeActual("MERGE INTO %s t USING orders s ON t.orderkey = s.orderkey AND t.linenumber = 2 WHEN MATCHED THEN UPDATE SET orderkey = -t.orderkey, comment = s.comment".formatted(name));
            assertBuckets(query, 2);
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            computeActual("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['partkey'])".formatted(name));
            assertBuckets(query, 2);
            assertSame(query.replace("GROUP BY", "WHERE l.partkey = 1 GROUP BY"));
            assertBuckets(query.replace(name + " l", name + " FOR VERSION AS OF 1 l"), 2);
            assertSame("SELECT count(*) FROM %1$s a JOIN %1$s FOR VERSION AS OF 1 b ON a.orderkey = b.orderkey AND a.linenumber = b.linenumber".formatted(name));
        }
    }

    /**
     * The buckets stay the same if a column gets a wider type.
     */
    @Test
    void testWidenedColumn()
    {
        try (TestTable keys = newTrinoTable("widened_buckets", "WITH (partitioned_by = ARRAY['bucket(k, 8)']) AS SELECT CAST(orderkey AS integer) k, orderstatus FROM tpch.tiny.orders")) {
            String query = "SELECT count(*) FROM orders o JOIN %s l ON o.orderkey = l.k".formatted(keys.getName());
            assertBuckets(query, 1);
            assertUpdate("ALTER TABLE %s ALTER COLUMN k SET DATA TYPE bigint".formatted(keys.getName()));
            assertUpdate("INSERT INTO %s SELECT orderkey, 'x' FROM tpch.tiny.orders".formatted(keys.getName()), 15_000);
            assertBuckets(query, 2);
            assertUpdate("ALTER TABLE %s RENAME COLUMN k TO l".formatted(keys.getName()));
            assertBuckets(query.replace("l.k", "l.l"), 2);
        }
    }

    @Test
    void testStatementsThatWrite()
    {
        try (TestTable copy = newTrinoTable("copied_buckets", LINES.formatted(8) + " WHERE false")) {
            assertUpdate("INSERT INTO %s SELECT * FROM lines".formatted(copy.getName()), 60_175);
            computeActual("INSERT INTO %s SELECT l.* FROM orders o JOIN lines l ON o.orderkey = l.orderkey WHERE o.orderpriority = '1-URGENT'".formatted(copy.getName()));
            computeActual("DELETE FROM %s WHERE orderkey IN (SELECT orderkey FROM orders WHERE custkey < 500)".formatted(copy.getName()));
            assertBuckets(JOIN.formatted("orders", copy.getName()), 2);
        }
    }

    private void assertBuckets(String sql, int savedExchanges)
    {
        assertSame(sql);
        assertThat(exchanges(partitioned(false), sql) - exchanges(partitioned(true), sql)).as(sql).isEqualTo(savedExchanges);
    }

    private void assertSame(String sql)
    {
        // the rows are many, and in any order
        assertThat(ImmutableMultiset.copyOf(computeActual(partitioned(true), sql).getMaterializedRows())).as(sql)
                .isEqualTo(ImmutableMultiset.copyOf(computeActual(partitioned(false), sql).getMaterializedRows()));
    }

    private int exchanges(Session session, String sql)
    {
        return on("RemoteSource").splitToList((String) computeScalar(session, "EXPLAIN (TYPE DISTRIBUTED) " + sql)).size() - 1;
    }

    private Session partitioned(boolean buckets)
    {
        return Session.builder(getSession())
                .setSystemProperty("join_distribution_type", "PARTITIONED")
                .setCatalogSessionProperty(CATALOG, "bucket_execution_enabled", Boolean.toString(buckets))
                .build();
    }
}
