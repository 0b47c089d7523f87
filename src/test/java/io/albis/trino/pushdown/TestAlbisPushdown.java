package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.sql.planner.plan.FilterNode;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.ROW_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.ROW_GROUP_PRUNING;
import static io.albis.trino.config.AlbisSessionProperties.SEGMENT_PRUNING;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

final class TestAlbisPushdown
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder()
                .setInitialTables(TpchTable.getTables())
                .setWorkerCount(0)
                .build();
        // Ten row groups of 1500 rows with dozens of segments each, sorted by the key
        Session oneWriter = SortedLoad.session(queryRunner.getDefaultSession());
        queryRunner.execute(
                oneWriter,
                """
                CREATE TABLE sorted_orders WITH (row_group_rows = 1500, segment_size = '4kB') AS
                SELECT * FROM tpch.tiny.orders ORDER BY orderkey
                """);
        return queryRunner;
    }

    @Test
    void testPushed()
    {
        assertPushed("orderkey = 7");
        assertPushed("orderkey IN (7, 39, 40, 60000)");
        assertPushed("orderkey BETWEEN 100 AND 200 OR orderkey > 59000");
        assertPushed("orderkey <> 7 AND custkey < 100");
        assertPushed("orderstatus = 'F' AND totalprice < 5000");
        assertPushed("clerk >= 'Clerk#000000900'");
        assertPushed("comment LIKE 'regular%' AND orderkey < 1000", true);
        assertPushed("orderdate < DATE '1993-01-01'");
        assertPushed("shippriority IS NULL");
        assertPushed("shippriority IS NOT NULL AND custkey < 100");
        assertPushed("orderkey = 7 AND length(comment) > 3", true);
        assertPushed("orderkey % 2 = 0 AND custkey < 100", true);
        // A predicate on columns that the projection does not need
        assertThat(query("SELECT clerk FROM orders WHERE orderkey = 7")).isFullyPushedDown();
        assertThat(query("SELECT count(*) FROM orders WHERE orderkey < 100"))
                .matches("SELECT count(*) FROM tpch.tiny.orders WHERE orderkey < 100");
        assertThat(query("SELECT 1 FROM orders WHERE orderstatus = 'F'"))
                .matches("SELECT 1 FROM tpch.tiny.orders WHERE orderstatus = 'F'");
    }

    private void assertPushed(String predicate)
    {
        assertPushed(predicate, false);
    }

    private void assertPushed(String predicate, boolean expressionRemains)
    {
        if (expressionRemains) {
            assertThat(query("SELECT * FROM orders WHERE " + predicate)).isNotFullyPushedDown(FilterNode.class);
        }
        else {
            assertThat(query("SELECT * FROM orders WHERE " + predicate)).isFullyPushedDown();
            assertExplain("EXPLAIN SELECT * FROM orders WHERE " + predicate, "TableScan\\[table = albis:tpch.orders version=\\d+ constraint on \\[");
        }
        assertThat(query("SELECT * FROM sorted_orders WHERE " + predicate))
                .matches("SELECT * FROM tpch.tiny.orders WHERE " + predicate);
    }

    @Test
    @Tag("slow")
    void testLargeLists()
    {
        for (int values : new int[] {1000, 1001, 5000}) {
            String predicate = "orderkey IN " + IntStream.range(0, values)
                    .mapToObj(i -> Integer.toString(i * 11 + 1))
                    .collect(joining(", ", "(", ")"));
            assertThat(query("SELECT * FROM sorted_orders WHERE " + predicate + " AND orderstatus = 'F'"))
                    .matches("SELECT * FROM tpch.tiny.orders WHERE " + predicate + " AND orderstatus = 'F'");
            String sql = "SELECT orderkey FROM sorted_orders WHERE " + predicate;
            if (values > 1000) {
                assertThat(query(sql)).isNotFullyPushedDown(FilterNode.class);
            }
            else {
                assertThat(query(sql)).isFullyPushedDown();
            }
        }
    }

    static Set<Set<String>> pushdownProperties()
    {
        return Sets.powerSet(ImmutableSet.of(ROW_GROUP_PRUNING, SEGMENT_PRUNING, ROW_FILTERING));
    }

    @ParameterizedTest
    @MethodSource("pushdownProperties")
    void testPushdownsTurnedOff(Set<String> disabled)
    {
        Session.SessionBuilder session = Session.builder(getSession());
        disabled.forEach(property -> session.setCatalogSessionProperty(CATALOG, property, "false"));
        String predicate = "orderkey BETWEEN 10000 AND 30000 AND orderstatus = 'F' AND clerk >= 'Clerk#000000500' AND length(comment) > 30";
        assertThat(query(session.build(), "SELECT * FROM sorted_orders WHERE " + predicate))
                .matches("SELECT * FROM tpch.tiny.orders WHERE " + predicate);
    }

    @Test
    void testRowFilteringOff()
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, ROW_FILTERING, "false")
                .build();
        assertThat(query(session, "SELECT * FROM orders WHERE orderkey = 7")).isNotFullyPushedDown(FilterNode.class);
        assertThat((String) computeActual(session, "EXPLAIN SELECT * FROM orders WHERE orderkey = 7").getOnlyValue())
                .contains("ScanFilter")
                .contains("prune by [orderkey]");
    }

    @Test
    @Tag("slow")
    void testManyValues()
    {
        String keys = IntStream.range(0, 1000).mapToObj(key -> Integer.toString(3 * key)).collect(joining(", "));
        assertManyValues("orderkey IN (" + keys + ")", "constraint on [orderkey");
        // More values than the table handle keeps
        String moreKeys = IntStream.range(0, 3000).mapToObj(key -> Integer.toString(3 * key)).collect(joining(", "));
        assertManyValues("orderkey IN (" + moreKeys + ")", "prune by [orderkey");
        String clerks = IntStream.range(0, 700).mapToObj("'Clerk#%09d'"::formatted).collect(joining(", "));
        assertManyValues("clerk IN (" + clerks + ")", "constraint on [clerk");
    }

    private void assertManyValues(String predicate, String pushed)
    {
        String sql = "SELECT orderkey FROM sorted_orders WHERE " + predicate;
        assertThat((String) computeActual("EXPLAIN " + sql).getOnlyValue()).contains("[table = albis:tpch.sorted_orders version=1 " + pushed);
        assertThat(query(sql)).matches("SELECT orderkey FROM tpch.tiny.orders WHERE " + predicate);
    }

    static List<Arguments> types()
    {
        return List.of(
                Arguments.of("boolean", List.of("true", "false")),
                Arguments.of("tinyint", List.of("TINYINT '1'", "TINYINT '-128'", "TINYINT '127'")),
                Arguments.of("smallint", List.of("SMALLINT '1'", "SMALLINT '-32768'")),
                Arguments.of("integer", List.of("1", "-2147483648")),
                Arguments.of("bigint", List.of("BIGINT '1'", "BIGINT '-9223372036854775808'")),
                Arguments.of("real", List.of("REAL '1.5'", "REAL '-0.0'")),
                Arguments.of("double", List.of("DOUBLE '1.5'", "DOUBLE '-0.0'")),
                Arguments.of("decimal(5,2)", List.of("DECIMAL '123.45'", "DECIMAL '-999.99'")),
                Arguments.of("decimal(38,5)", List.of("CAST(1.23456 AS decimal(38,5))", "CAST(-99999999999999999999.99999 AS decimal(38,5))")),
                Arguments.of("date", List.of("DATE '2020-01-02'", "DATE '-0001-01-01'")),
                Arguments.of("time(3)", List.of("TIME '01:02:03.456'", "TIME '23:59:59.999'")),
                Arguments.of("time(12)", List.of("TIME '01:02:03.123456789012'", "TIME '00:00:00.000000000000'")),
                Arguments.of("time(3) with time zone", List.of("TIME '01:02:03.456 +01:00'", "TIME '23:59:59.999 -08:00'")),
                Arguments.of("time(12) with time zone", List.of("TIME '01:02:03.123456789012 +01:00'", "TIME '01:02:03.123456789012 +02:00'")),
                Arguments.of("timestamp(3)", List.of("TIMESTAMP '2020-01-02 03:04:05.678'", "TIMESTAMP '1969-12-31 23:59:59.999'")),
                Arguments.of("timestamp(12)", List.of("TIMESTAMP '2020-01-02 03:04:05.123456789012'", "TIMESTAMP '1969-12-31 23:59:59.999999999999'")),
                Arguments.of("timestamp(3) with time zone", List.of("TIMESTAMP '2020-01-02 03:04:05.678 UTC'", "TIMESTAMP '2020-01-02 03:04:05.678 America/Los_Angeles'")),
                Arguments.of("timestamp(12) with time zone", List.of("TIMESTAMP '2020-01-02 03:04:05.123456789012 UTC'", "TIMESTAMP '2020-01-02 03:04:05.123456789012 +01:00'")),
                Arguments.of("varchar", List.of("'x'", "''", "'žluťoučký kůň'")),
                Arguments.of("varchar(5)", List.of("CAST('x' AS varchar(5))", "CAST('abcde' AS varchar(5))")),
                Arguments.of("char(5)", List.of("CAST('x' AS char(5))", "CAST('abcde' AS char(5))")),
                Arguments.of("varbinary", List.of("X'00ff'", "X''")),
                Arguments.of("uuid", List.of("UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "UUID 'ffffffff-7586-11e9-8f9e-2a86e4085a59'")),
                Arguments.of("ipaddress", List.of("IPADDRESS '10.0.0.1'", "IPADDRESS '2001:db8::1'")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void testType(String type, List<String> literals)
    {
        try (TestTable table = newTrinoTable("test_type", "(id integer, value " + type + ")")) {
            StringBuilder rows = new StringBuilder("(0, CAST(NULL AS " + type + "))");
            for (int i = 0; i < literals.size(); i++) {
                rows.append(", (").append(i + 1).append(", ").append(literals.get(i)).append(")");
            }
            assertUpdate("INSERT INTO " + table.getName() + " VALUES " + rows, literals.size() + 1);
            for (String literal : literals) {
                String pushed = comparisons(type, table.getName(), literal);
                assertExplain("EXPLAIN " + pushed, "constraint on \\[value\\]");
                assertThat(query(pushed)).as(type + " " + literal)
                        .matches(comparisons(type, "(VALUES " + rows + ") AS t (id, value)", literal));
            }
            assertThat(query("SELECT id FROM " + table.getName() + " WHERE value IS NULL")).isFullyPushedDown();
            assertQuery("SELECT id FROM " + table.getName() + " WHERE value IS NULL", "VALUES 0");
            assertThat(query("SELECT id FROM " + table.getName() + " WHERE value IS NOT NULL")).isFullyPushedDown();
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE value IS NOT NULL", "VALUES " + literals.size());
        }
    }

    private static String comparisons(String type, String source, String literal)
    {
        // NaN differs from all values, which a domain cannot express, so the engine keeps the predicate as an
        // expression
        boolean hasNan = type.equals("real") || type.equals("double");
        return Stream.of("=", "<>", "<", "<=", ">", ">=")
                .filter(operator -> !hasNan || !operator.equals("<>"))
                .map(operator -> "SELECT id, '%1$s' FROM %2$s WHERE value %1$s %3$s".formatted(operator, source, literal))
                .collect(joining(" UNION ALL "));
    }

    @Test
    void testNotANumber()
    {
        try (TestTable table = newTrinoTable("test_nan", "AS SELECT * FROM (VALUES nan(), 1e0, NULL) AS t (value)")) {
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE value IS NOT NULL", "VALUES 2");
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE value <> 2e0", "VALUES 2");
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE value > 0e0", "VALUES 1");
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE NOT (value > 0e0)", "VALUES 1");
            assertQuery("SELECT count(*) FROM " + table.getName() + " WHERE is_nan(value)", "VALUES 1");
        }
    }

    @Test
    void testJsonIsHandedBack()
    {
        try (TestTable table = newTrinoTable("test_json", "AS SELECT * FROM (VALUES JSON '{\"a\":1}', JSON '[]', NULL) AS t (value)")) {
            assertThat(query("SELECT 1 FROM " + table.getName() + " WHERE value = JSON '[]'")).isNotFullyPushedDown(FilterNode.class);
            assertThat(query("SELECT json_format(value) FROM " + table.getName() + " WHERE value IS NOT NULL AND value = JSON '{\"a\":1}'")).matches("VALUES VARCHAR '{\"a\":1}'");
            assertThat(query("SELECT value FROM " + table.getName() + " WHERE value IS NULL")).isFullyPushedDown();
        }
    }

    @Test
    void testMetrics()
    {
        @Language("SQL") String sql = "EXPLAIN ANALYZE VERBOSE SELECT sum(totalprice) FROM sorted_orders WHERE orderkey BETWEEN 20000 AND 20100";
        String plan = (String) computeScalar(sql);
        // One of ten row groups is selected, and few of its segments
        assertThat(metric(plan, "Albis row groups selected")).isEqualTo(1);
        assertThat(metric(plan, "Albis row groups pruned")).isEqualTo(9);
        assertThat(metric(plan, "Albis row groups")).isEqualTo(1);
        assertThat(metric(plan, "Albis segments skipped")).isPositive();
        assertThat(metric(plan, "Albis rows")).isPositive().isLessThan(1500);
        assertThat(metric(plan, "Albis rows skipped")).isPositive();
        assertThat(metric(plan, "Albis bytes read")).isPositive();

        Session unpruned = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, ROW_GROUP_PRUNING, "false")
                .setCatalogSessionProperty(CATALOG, SEGMENT_PRUNING, "false")
                .build();
        plan = (String) computeActual(unpruned, sql).getOnlyValue();
        assertThat(metric(plan, "Albis row groups")).isEqualTo(10);
        assertThat(metric(plan, "Albis row groups pruned")).isZero();
        assertThat(metric(plan, "Albis segments skipped")).isZero();
        assertThat(metric(plan, "Albis rows")).isEqualTo(15000);
    }

    @Test
    void testProjectionReadsLess()
    {
        long one = metric((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT sum(totalprice) FROM orders"), "Albis bytes read");
        long two = metric((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT sum(totalprice), sum(orderkey) FROM orders"), "Albis bytes read");
        assertThat(two).isGreaterThan(one);
        // Counting rows reads no data
        assertThat((String) computeScalar("EXPLAIN ANALYZE VERBOSE SELECT count(*) FROM orders")).doesNotContain("Albis bytes read");
        assertQuery("SELECT count(*) FROM orders");
    }

    @Test
    void testStatistics()
    {
        assertThat(query("SHOW STATS FOR nation"))
                .skippingTypesCheck()
                .matches(
                        """
                        VALUES
                            ('nationkey', NULL, 25e0, 0e0, NULL, '0', '24'),
                            ('name', NULL, 25e0, 0e0, NULL, NULL, NULL),
                            ('regionkey', NULL, 5e0, 0e0, NULL, '0', '4'),
                            ('comment', 1857e0, 25e0, 0e0, NULL, NULL, NULL),
                            (NULL, NULL, NULL, NULL, 25e0, NULL, NULL)
                        """);
        // 25 of the 1000 rows of the remaining row group
        assertThat((Double) computeActual("SHOW STATS FOR (SELECT * FROM sorted_orders WHERE orderkey BETWEEN 20000 AND 20100)").getMaterializedRows().getLast().getField(4))
                .isBetween(15.0, 40.0);
    }

    private void assertExplain(@Language("SQL") String sql, String pattern)
    {
        String plan = (String) computeScalar(sql);
        assertThat(plan).containsPattern(pattern).doesNotContain("ScanFilter").doesNotContain("Filter[");
    }

    private static long metric(String plan, String name)
    {
        Matcher matcher = Pattern.compile("'" + name + "' = LongCount\\{total=(\\d+)\\}").matcher(plan);
        assertThat(matcher.find()).as(name + " in " + plan).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
