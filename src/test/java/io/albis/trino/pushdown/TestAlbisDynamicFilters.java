package io.albis.trino.pushdown;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.sql.planner.OptimizerConfig.JoinDistributionType;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.intellij.lang.annotations.Language;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_FILTERING_WAIT_TIMEOUT;
import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_ROW_FILTERING;
import static io.albis.trino.config.AlbisSessionProperties.ROW_GROUP_PRUNING;
import static io.albis.trino.config.AlbisSessionProperties.SEGMENT_PRUNING;
import static io.trino.SystemSessionProperties.ENABLE_DYNAMIC_FILTERING;
import static io.trino.SystemSessionProperties.ENABLE_DYNAMIC_ROW_FILTERING;
import static io.trino.sql.planner.OptimizerConfig.JoinDistributionType.BROADCAST;
import static io.trino.sql.planner.OptimizerConfig.JoinDistributionType.PARTITIONED;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dynamic filters in the reader: the rows that it returns are exactly those that the join keeps.
 */
final class TestAlbisDynamicFilters
        extends AbstractTestQueryFramework
{
    private static final List<String> LAYOUTS = List.of("row", "block");

    private record TypeValues(String type, String first, String second)
    {
        public String column()
        {
            return "value_" + TYPES.indexOf(this);
        }

        @Override
        public String toString()
        {
            return type;
        }
    }

    private static final List<TypeValues> TYPES = List.of(
            new TypeValues("boolean", "true", "false"),
            new TypeValues("tinyint", "1", "-128"),
            new TypeValues("smallint", "1", "-32768"),
            new TypeValues("integer", "1", "-2147483648"),
            new TypeValues("bigint", "1", "-9223372036854775808"),
            new TypeValues("real", "REAL '0.0'", "1.5"),
            new TypeValues("double", "-0e0", "1.5e0"),
            new TypeValues("decimal(5,2)", "123.45", "-999.99"),
            new TypeValues("decimal(38,5)", "1.23456", "-99999999999999999999.99999"),
            new TypeValues("date", "DATE '2020-01-02'", "DATE '-0001-01-01'"),
            new TypeValues("time(3)", "TIME '01:02:03.456'", "TIME '23:59:59.999'"),
            new TypeValues("time(12)", "TIME '01:02:03.123456789012'", "TIME '00:00:00.000000000000'"),
            new TypeValues("time(3) with time zone", "TIME '01:02:03.456 +01:00'", "TIME '23:59:59.999 -08:00'"),
            new TypeValues("timestamp(3)", "TIMESTAMP '2020-01-02 03:04:05.678'", "TIMESTAMP '1969-12-31 23:59:59.999'"),
            new TypeValues("timestamp(12)", "TIMESTAMP '2020-01-02 03:04:05.123456789012'", "TIMESTAMP '1969-12-31 23:59:59.999999999999'"),
            new TypeValues("timestamp(3) with time zone", "TIMESTAMP '2020-01-02 03:04:05.678 UTC'", "TIMESTAMP '2020-01-02 03:04:05.679 America/Los_Angeles'"),
            new TypeValues("timestamp(12) with time zone", "TIMESTAMP '2020-01-02 03:04:05.123456789012 UTC'", "TIMESTAMP '2020-01-02 03:04:05.123456789013 +01:00'"),
            new TypeValues("varchar", "'x'", "'žluťoučký kůň'"),
            new TypeValues("varchar(5)", "''", "'abcde'"),
            new TypeValues("char(5)", "'x'", "'abcde'"),
            new TypeValues("varbinary", "X'00ff'", "X''"),
            new TypeValues("uuid", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "UUID 'ffffffff-7586-11e9-8f9e-2a86e4085a59'"),
            new TypeValues("ipaddress", "IPADDRESS '10.0.0.1'", "IPADDRESS '2001:db8::1'"));

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder()
                // Of several nodes, one may start to scan before its copy of a broadcast table is complete
                .setWorkerCount(0)
                .build();
        Session oneWriter = SortedLoad.session(queryRunner.getDefaultSession());
        for (String layout : LAYOUTS) {
            // Ten row groups of 1500 rows with dozens of segments each, sorted by the key
            queryRunner.execute(
                    oneWriter,
                    """
                    CREATE TABLE orders_%1$s WITH (layout = '%1$s', row_group_rows = 1500, segment_size = '4kB') AS
                    SELECT * FROM tpch.tiny.orders ORDER BY orderkey
                    """.formatted(layout));
            // Rows 0 to 3: null, the first value, the second value, the first value again
            for (int row = 0; row < 4; row++) {
                int current = row;
                String columns = TYPES.stream()
                        .map(type -> "CAST(%s AS %s) AS %s".formatted(
                                switch (current) {
                                    case 0 -> "NULL";
                                    case 2 -> type.second();
                                    default -> type.first();
                                },
                                type.type(),
                                type.column()))
                        .collect(joining(", ", "SELECT %s AS id, ".formatted(row), ""));
                queryRunner.execute(oneWriter, (row == 0 ? "CREATE TABLE types_%1$s WITH (layout = '%1$s') AS " : "INSERT INTO types_%1$s ").formatted(layout) + columns);
            }
        }
        // The planner cannot derive anything about the values in a memory table
        queryRunner.execute("CREATE TABLE memory.default.types AS SELECT * FROM types_row");
        queryRunner.execute("CREATE TABLE memory.default.near AS SELECT orderkey AS k FROM tpch.tiny.orders WHERE orderkey BETWEEN 20000 AND 20100");
        queryRunner.execute("CREATE TABLE memory.default.one AS SELECT BIGINT '20000' AS k");
        queryRunner.execute("CREATE TABLE memory.default.scattered AS SELECT orderkey AS k FROM tpch.tiny.orders WHERE orderkey % 1000 = 1");
        queryRunner.execute("CREATE TABLE memory.default.many AS SELECT orderkey AS k FROM tpch.tiny.orders WHERE orderkey % 8 <> 1");
        queryRunner.execute("CREATE TABLE memory.default.nothing AS SELECT BIGINT '1' AS k WHERE random() > 2");
        queryRunner.execute("CREATE TABLE memory.default.only_null AS SELECT CAST(NULL AS bigint) AS k");
        return queryRunner;
    }

    @ParameterizedTest
    @FieldSource("LAYOUTS")
    void testRowGroupsSegmentsAndRows(String layout)
    {
        ScanStatistics one = assertJoin(layout, "one");
        assertThat(one.split("Albis row groups selected")).isEqualTo(1);
        assertThat(one.split("Albis row groups pruned")).isEqualTo(9);
        assertThat(one.scanned("Albis row groups")).isEqualTo(1);
        assertThat(one.scanned("Albis segments")).isEqualTo(1);
        assertThat(one.scanned("Albis segments skipped")).isPositive();
        assertThat(one.scanned("Albis rows skipped")).isEqualTo(one.scanned("Albis rows") - 1);

        ScanStatistics near = assertJoin(layout, "near");
        assertThat(near.split("Albis row groups pruned")).isEqualTo(9);
        assertThat(near.scanned("Albis segments skipped")).isPositive();

        // A few matches in each row group
        ScanStatistics scattered = assertJoin(layout, "scattered");
        assertThat(scattered.split("Albis row groups pruned")).isZero();
        assertThat(scattered.scanned("Albis segments skipped")).isPositive();
        assertThat(scattered.scanned("Albis rows skipped")).isPositive();
    }

    @ParameterizedTest
    @FieldSource("LAYOUTS")
    void testManyValues(String layout)
    {
        assertThat((long) computeScalar("SELECT count(*) FROM memory.default.many")).isGreaterThan(10_000);
        assertThat(assertJoin(layout, "many").scanned("Albis rows skipped")).isPositive();
    }

    static List<Arguments> layoutsAndEmptyTables()
    {
        return withLayouts(List.of("nothing", "only_null"));
    }

    @ParameterizedTest
    @MethodSource("layoutsAndEmptyTables")
    void testNothing(String layout, String table)
    {
        ScanStatistics statistics = assertJoin(layout, table);
        assertThat(statistics.scanned("Albis row groups")).isZero();

        // The splits are created, and their scans end immediately
        String join = join(layout, table);
        MaterializedResultWithPlan result = execute(off(off(filtering(BROADCAST), ROW_GROUP_PRUNING), SEGMENT_PRUNING), join);
        assertThat(result.result().getRowCount()).isZero();
        statistics = ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
        assertThat(statistics.split("Albis row groups selected")).isEqualTo(10);
        assertThat(statistics.rows()).isZero();
        assertThat(statistics.scanned("Albis bytes read")).isZero();
    }

    /**
     * Asserts that the reader returns exactly the rows that the join keeps.
     */
    private ScanStatistics assertJoin(String layout, String table)
    {
        @Language("SQL") String join = join(layout, table);
        MaterializedResult expected = computeActual(withoutDynamicFilters(), join);
        MaterializedResultWithPlan result = execute(filtering(BROADCAST), join);
        assertEqualsIgnoreOrder(result.result(), expected, join);
        ScanStatistics statistics = ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
        assertThat(statistics.rows()).isEqualTo(expected.getRowCount());

        assertEqualsIgnoreOrder(computeActual(filtering(PARTITIONED), join), expected, join);
        // The filter may arrive at any time, even after the scan
        assertEqualsIgnoreOrder(computeActual(notWaiting(), join), expected, join);

        MaterializedResultWithPlan unfiltered = execute(off(filtering(BROADCAST), DYNAMIC_ROW_FILTERING), join);
        assertEqualsIgnoreOrder(unfiltered.result(), expected, join);
        if (statistics.scanned("Albis rows skipped") > 0) {
            assertThat(ScanStatistics.of(getDistributedQueryRunner(), unfiltered.queryId()).rows()).isGreaterThan(statistics.rows());
        }
        return statistics;
    }

    private static String join(String layout, String table)
    {
        return "SELECT o.orderkey, o.clerk, o.totalprice FROM orders_%s o JOIN memory.default.%s t ON o.orderkey = t.k".formatted(layout, table);
    }

    static List<Arguments> layoutsAndTypes()
    {
        return withLayouts(TYPES);
    }

    private static List<Arguments> withLayouts(List<?> cases)
    {
        return LAYOUTS.stream()
                .flatMap(layout -> cases.stream().map(value -> Arguments.of(layout, value)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("layoutsAndTypes")
    void testEveryType(String layout, TypeValues type)
    {
        assertTypes("SELECT p.id, t.id FROM types_%1$s p JOIN memory.default.types t ON p.%2$s = t.%2$s AND t.id < 2".formatted(layout, type.column()), "(1, 1), (3, 1)", 2);
    }

    @ParameterizedTest
    @FieldSource("TYPES")
    void testNulls(TypeValues type)
    {
        // The engine creates no filter if NaN is possible
        boolean hasNan = type.type().equals("real") || type.type().equals("double");
        assertTypes("SELECT p.id, t.id FROM types_block p JOIN memory.default.types t ON p.%1$s IS NOT DISTINCT FROM t.%1$s AND t.id = 0".formatted(type.column()), "(0, 0)", hasNan ? 4 : 1);
    }

    @ParameterizedTest
    @FieldSource("LAYOUTS")
    void testNullsBesidesFilteredValues(String layout)
    {
        assertTypes("SELECT p.id, t.id FROM types_%s p JOIN memory.default.types t ON p.value_3 IS NOT DISTINCT FROM t.value_3 AND t.id = 2".formatted(layout), "(2, 2)", 2);
    }

    @ParameterizedTest
    @FieldSource("TYPES")
    void testRanges(TypeValues type)
    {
        @Language("SQL") String sql = "SELECT p.id FROM types_block p, memory.default.types t WHERE p.%1$s > t.%1$s AND t.id = 1".formatted(type.column());
        MaterializedResult expected = computeActual("SELECT id FROM memory.default.types WHERE %s > CAST(%s AS %s)".formatted(type.column(), type.first(), type.type()));
        MaterializedResultWithPlan result = execute(filtering(BROADCAST), sql);
        assertEqualsIgnoreOrder(result.result(), expected, sql);
        assertThat(ScanStatistics.of(getDistributedQueryRunner(), result.queryId()).rows()).as(sql).isEqualTo(expected.getRowCount());
    }

    static List<Arguments> layoutsAndTypesWithNan()
    {
        return withLayouts(List.of("real", "double"));
    }

    @ParameterizedTest
    @MethodSource("layoutsAndTypesWithNan")
    void testNotANumber(String layout, String type)
    {
        String table = "nan_%s_%s".formatted(layout, type);
        String values = "SELECT id, CAST(value AS %s) AS value FROM (VALUES (1, nan()), (2, -0e0), (3, 0e0), (4, 1e0), (5, NULL)) AS t (id, value)".formatted(type);
        assertUpdate("CREATE TABLE %s WITH (layout = '%s') AS %s".formatted(table, layout, values), 5);
        assertUpdate("CREATE TABLE memory.default.%s AS %s".formatted(table, values), 5);
        assertTypes("SELECT p.id, t.id FROM %1$s p JOIN memory.default.%1$s t ON p.value = t.value".formatted(table), "(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)", 3);
        assertTypes("SELECT p.id, t.id FROM %1$s p JOIN memory.default.%1$s t ON p.value = t.value AND t.id = 3".formatted(table), "(2, 3), (3, 3)", 2);
        assertTypes("SELECT p.id, t.id FROM %1$s p JOIN memory.default.%1$s t ON p.value = t.value AND t.id = 1".formatted(table), "(NULL, NULL)", 0);
        assertUpdate("DROP TABLE " + table);
        assertUpdate("DROP TABLE memory.default." + table);
    }

    /**
     * @param expected pairs of ids; a pair of nulls means an empty result
     */
    private void assertTypes(@Language("SQL") String sql, String expected, int expectedScanned)
    {
        MaterializedResultWithPlan result = execute(filtering(BROADCAST), sql);
        assertEqualsIgnoreOrder(result.result(), computeActual("SELECT * FROM (VALUES " + expected + ") AS t (p, t) WHERE p IS NOT NULL"), sql);
        assertThat(ScanStatistics.of(getDistributedQueryRunner(), result.queryId()).rows()).as(sql).isEqualTo(expectedScanned);
    }

    private MaterializedResultWithPlan execute(Session session, @Language("SQL") String sql)
    {
        return getDistributedQueryRunner().executeWithPlan(session, sql);
    }

    private Session filtering(JoinDistributionType distribution)
    {
        return Session.builder(noJoinReordering(distribution))
                // The engine's own row filter loses -0.0 of type real, and would hide rows that the reader returns by
                // mistake
                .setSystemProperty(ENABLE_DYNAMIC_ROW_FILTERING, "false")
                .setCatalogSessionProperty(CATALOG, DYNAMIC_FILTERING_WAIT_TIMEOUT, "1h")
                .build();
    }

    private Session notWaiting()
    {
        return Session.builder(filtering(PARTITIONED))
                .setCatalogSessionProperty(CATALOG, DYNAMIC_FILTERING_WAIT_TIMEOUT, "0s")
                .build();
    }

    private Session withoutDynamicFilters()
    {
        return Session.builder(noJoinReordering(BROADCAST))
                .setSystemProperty(ENABLE_DYNAMIC_FILTERING, "false")
                .build();
    }

    private static Session off(Session session, String property)
    {
        return Session.builder(session)
                .setCatalogSessionProperty(CATALOG, property, "false")
                .build();
    }
}
