package io.albis.trino.statistics;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.SortedLoad;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

final class TestAlbisStatistics
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(TpchTable.getTables())
                .setWorkerCount(0)
                .build();
    }

    @Test
    @Tag("slow")
    void testTpch()
    {
        for (TpchTable<?> table : TpchTable.getTables()) {
            assertStatistics(table.getTableName());
        }
    }

    @Test
    @Tag("slow")
    void testManyInserts()
    {
        try (TestTable table = newTrinoTable("test_inserts", "AS SELECT * FROM tpch.tiny.orders WHERE orderkey % 11 = 0")) {
            for (int part = 1; part < 11; part++) {
                assertUpdate("INSERT INTO %s SELECT * FROM tpch.tiny.orders WHERE orderkey %% 11 = %s".formatted(table.getName(), part), "SELECT count(*) FROM orders WHERE orderkey %% 11 = %s".formatted(part));
            }
            assertStatistics(table.getName());
        }
    }

    @Test
    void testNulls()
    {
        try (TestTable table = newTrinoTable("test_nulls", "AS SELECT if(orderkey % 4 > 0, clerk) some, CAST(NULL AS varchar) none, CAST(NULL AS bigint) no_number, if(orderkey % 2 = 0, totalprice) price FROM tpch.tiny.orders")) {
            assertStatistics(table.getName());
            assertThat(statistics(table.getName()).get("none").distinctValues()).contains(0.0);
            assertThat(statistics(table.getName()).get("no_number").distinctValues()).contains(0.0);
        }
    }

    @Test
    void testTypes()
    {
        try (TestTable table = newTrinoTable(
                "test_types",
                """
                AS SELECT
                    orderkey % 2 = 0 a_boolean,
                    CAST(orderkey % 100 AS tinyint) a_tinyint,
                    CAST(orderkey % 1000 AS smallint) a_smallint,
                    CAST(orderkey AS integer) an_integer,
                    CAST(orderkey AS real) a_real,
                    CAST(orderkey AS decimal(12, 2)) a_decimal,
                    CAST(orderkey AS decimal(38, 2)) a_long_decimal,
                    date_add('day', orderkey % 5000, DATE '2000-01-01') a_date,
                    CAST(date_add('second', orderkey, TIME '00:00:00') AS time(3)) a_time,
                    CAST(date_add('second', orderkey, TIME '00:00:00') AS time(12) with time zone) a_time_with_time_zone,
                    CAST(from_unixtime(orderkey) AS timestamp(6)) a_timestamp,
                    CAST(from_unixtime(orderkey) AS timestamp(9)) a_long_timestamp,
                    CAST(from_unixtime(orderkey / 2, IF(orderkey % 2 = 0, 'UTC', 'Asia/Tokyo')) AS timestamp(3) with time zone) a_timestamp_with_time_zone,
                    CAST(from_unixtime(orderkey / 2, IF(orderkey % 2 = 0, 'UTC', 'Asia/Tokyo')) AS timestamp(12) with time zone) a_long_timestamp_with_time_zone,
                    CAST(rpad(CAST(orderkey AS varchar), CAST(orderkey % 20 AS integer), ' ') AS char(20)) a_char,
                    CAST(orderkey AS varchar) a_varchar,
                    to_utf8(comment) a_varbinary,
                    CAST(md5(to_utf8(CAST(orderkey / 3 AS varchar))) AS uuid) a_uuid,
                    CAST(CAST(to_big_endian_32(CAST(orderkey AS integer)) AS varbinary) AS ipaddress) an_ipaddress
                FROM tpch.tiny.orders
                """)) {
            assertStatistics(table.getName());
        }
        try (TestTable table = newTrinoTable("test_json", "AS SELECT CAST(ARRAY[orderkey] AS json) value FROM tpch.tiny.orders")) {
            assertThat(statistics(table.getName()).get("value").distinctValues().orElseThrow()).isCloseTo(15000, withPercentage(10));
        }
    }

    @Test
    void testPrunedRowGroups()
    {
        try (TestTable table = sortedTable("test_pruned", "WITH (row_group_rows = 1000) AS SELECT * FROM tpch.tiny.orders ORDER BY orderkey")) {
            Statistics few = statistics("(SELECT * FROM %s WHERE orderkey < 100)".formatted(table.getName())).get("clerk");
            // About 30 of 15000 rows
            assertThat(few.distinctValues().orElseThrow()).isBetween(1.0, 300.0);
        }
    }

    @Test
    void testDataSize()
    {
        try (TestTable table = newTrinoTable("test_data_size", "AS SELECT rpad('', 49, 'a') shorter, rpad('', 51, 'a') longer, if(orderkey % 2 = 0, rpad('', 60, 'b')) half FROM tpch.tiny.orders")) {
            Map<String, Statistics> statistics = statistics(table.getName());
            // The optimizer's default size applies to short values
            assertThat(statistics.get("shorter").dataSize()).isEmpty();
            assertThat(statistics.get("longer").dataSize()).contains(51.0 * 15000);
            long half = (long) computeScalar("SELECT count(half) FROM " + table.getName());
            assertThat(statistics.get("half").dataSize()).contains(60.0 * half);
        }
    }

    @Test
    void testFilteredRows()
    {
        try (TestTable table = sortedTable("test_filtered", "WITH (row_group_rows = 1000) AS SELECT *, if(orderkey % 8 > 0, orderkey % 3 = 0) flag FROM tpch.tiny.orders ORDER BY orderdate")) {
            // Texts are converted to numbers
            assertRows(table, "clerk > 'Clerk#000000900'", 5);
            // The bound is within a row group, whose matching rows have to be estimated
            assertRows(table, "orderdate < DATE '1995-01-01'", 2);
            assertRows(table, "orderdate BETWEEN DATE '1993-01-01' AND DATE '1993-12-31'", 5);
            assertRows(table, "orderdate > DATE '1997-01-01' AND orderkey < 20000", 10);
            assertRows(table, "orderpriority IN ('1-URGENT', '5-LOW')", 5);
            assertRows(table, "flag IS NULL", 1e-6);
            assertRows(table, "flag IS NOT NULL", 1e-6);
            // Half of the rows that are not null
            double flagged = rows(table, "flag");
            assertThat(flagged).isCloseTo(15000 * 7 / 8.0 / 2, withPercentage(1));
            assertThat(rows(table, "flag OR flag IS NULL")).isCloseTo(flagged + 15000 / 8.0, withPercentage(1));
        }
    }

    /**
     * The engine estimates predicates that Albis cannot estimate.
     */
    @Test
    void testInfinity()
    {
        try (TestTable table = newTrinoTable("test_infinity", "AS SELECT if(orderkey = 1, infinity(), totalprice) price, if(orderkey = 2, nan(), totalprice) some FROM tpch.tiny.orders")) {
            assertThat(query("SELECT count(*) FROM %s WHERE price > 0 AND some > 0".formatted(table.getName()))).matches("VALUES BIGINT '14999'");
            assertThat(query("SELECT count(*) FROM %s WHERE price IN (infinity(), 1)".formatted(table.getName()))).matches("VALUES BIGINT '1'");
        }
    }

    private void assertRows(TestTable table, String predicate, double percentage)
    {
        long truth = (long) computeScalar("SELECT count(*) FROM %s WHERE %s".formatted(table.getName(), predicate));
        assertThat(rows(table, predicate)).as(predicate).isCloseTo(truth, withPercentage(percentage));
    }

    private double rows(TestTable table, String predicate)
    {
        return (double) computeActual("SHOW STATS FOR (SELECT * FROM %s WHERE %s)".formatted(table.getName(), predicate)).getMaterializedRows().getLast().getField(4);
    }

    /**
     * The side with fewer rows becomes the build side, even if it comes first in the query.
     */
    @Test
    void testJoinOrder()
    {
        try (TestTable table = newTrinoTable("test_join", "AS SELECT *, orderkey % 3 = 0 flag FROM tpch.tiny.orders")) {
            assertProbeSide("lineitem", "SELECT count(*) FROM %s o JOIN lineitem l ON o.orderkey = l.orderkey WHERE o.flag".formatted(table.getName()));
            // 150 of the orders for 1500 customers
            assertProbeSide("customer", "SELECT count(*) FROM %s o JOIN customer c ON o.custkey = c.custkey WHERE o.clerk > 'Clerk#000000990'".formatted(table.getName()));
        }
    }

    private void assertProbeSide(String table, String query)
    {
        String plan = (String) computeScalar("EXPLAIN (FORMAT TEXT) " + query);
        Matcher matcher = Pattern.compile("table = albis:tpch\\.(\\w+)").matcher(plan);
        assertThat(matcher.find()).as(plan).isTrue();
        assertThat(matcher.group(1)).as(plan).isEqualTo(table);
    }

    @Test
    void testColumnsOfFilteredRows()
    {
        try (TestTable table = newTrinoTable("test_columns", "AS SELECT orderkey, custkey, orderstatus, orderdate FROM tpch.tiny.orders")) {
            Map<String, Statistics> few = statistics("(SELECT * FROM %s WHERE orderstatus = 'F' AND custkey IN (1, 2, 4))".formatted(table.getName()));
            assertThat(few.get("orderstatus").distinctValues()).contains(1.0);
            assertThat(few.get("custkey").distinctValues()).contains(3.0);
            assertThat(few.get("orderkey").distinctValues().orElseThrow()).isLessThan(100);
            assertThat(statistics("(SELECT * FROM %s WHERE orderdate >= DATE '1998-01-01')".formatted(table.getName())).get("orderdate").distinctValues().orElseThrow()).isBetween(150.0, 300.0);
        }
    }

    /**
     * Compares the estimated numbers of distinct values and nulls, and the data size of long values, with the actual
     * ones.
     */
    private void assertStatistics(String table)
    {
        List<String> truths = new ArrayList<>();
        for (MaterializedRow column : computeActual("DESCRIBE " + table)) {
            String name = (String) column.getField(0);
            String type = (String) column.getField(1);
            String bytes = "CAST(NULL AS bigint)";
            if (type.startsWith("char")) {
                bytes = "length(to_utf8(rtrim(CAST(%s AS varchar))))".formatted(name);
            }
            else if (type.startsWith("varchar")) {
                bytes = "length(to_utf8(%s))".formatted(name);
            }
            else if (type.equals("varbinary")) {
                bytes = "length(%s)".formatted(name);
            }
            truths.add("ROW('%1$s', CAST(count(DISTINCT %1$s) AS double), 1e0 - CAST(count(%1$s) AS double) / count(*), CAST(sum(%2$s) AS double))".formatted(name, bytes));
        }
        Map<String, Statistics> statistics = statistics(table);
        for (MaterializedRow truth : computeActual("SELECT c.* FROM (SELECT ARRAY[%s] a FROM %s), UNNEST(a) c".formatted(String.join(", ", truths), table))) {
            String name = (String) truth.getField(0);
            Statistics actual = statistics.get(name);
            double distinct = (double) truth.getField(1);
            // A sketch of few values is a list of their hashes
            if (distinct < 25) {
                assertThat(actual.distinctValues()).as(table + "." + name).contains(distinct);
            }
            else {
                assertThat(actual.distinctValues().orElseThrow()).as(table + "." + name).isCloseTo(distinct, withPercentage(10));
            }
            assertThat(actual.nullsFraction().orElseThrow()).as(table + "." + name).isCloseTo((double) truth.getField(2), offset(1e-9));
            double bytes = Optional.ofNullable((Double) truth.getField(3)).orElse(0.0);
            actual.dataSize().ifPresent(size -> assertThat(size).as(table + "." + name).isCloseTo(bytes, withPercentage(1e-6)));
        }
    }

    private record Statistics(Optional<Double> dataSize, Optional<Double> distinctValues, Optional<Double> nullsFraction) {}

    private Map<String, Statistics> statistics(String relation)
    {
        return computeActual("SHOW STATS FOR " + relation).getMaterializedRows().stream()
                // The last row describes the table
                .filter(row -> row.getField(0) != null)
                .collect(toImmutableMap(
                        row -> (String) row.getField(0),
                        row -> new Statistics(
                                Optional.ofNullable((Double) row.getField(1)),
                                Optional.ofNullable((Double) row.getField(2)),
                                Optional.ofNullable((Double) row.getField(3)))));
    }

    private TestTable sortedTable(String name, String definition)
    {
        return new TestTable(sql -> getQueryRunner().execute(SortedLoad.session(getSession()), sql), name, definition);
    }
}
