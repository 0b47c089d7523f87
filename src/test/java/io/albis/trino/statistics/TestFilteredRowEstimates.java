package io.albis.trino.statistics;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static java.lang.Math.max;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures the error of the optimizer's estimates for filtered scans, over predicates like those of TPC-DS. The q-error
 * is the greater of estimate / truth and truth / estimate, both at least 1. {@code docs/benchmarks.md} contains the
 * output.
 */
@Tag("slow")
final class TestFilteredRowEstimates
        extends AbstractTestQueryFramework
{
    private static final List<Filter> FILTERS = ImmutableList.of(
            new Filter("orders", "clerk > 'Clerk#000000900'"),
            new Filter("orders", "clerk BETWEEN 'Clerk#000000100' AND 'Clerk#000000199'"),
            new Filter("orders", "orderstatus IN ('F', 'P')"),
            new Filter("orders", "orderstatus <> 'F'"),
            new Filter("orders", "orderdate >= DATE '1995-01-01' AND orderdate < DATE '1995-04-01'"),
            new Filter("orders", "orderdate < DATE '1993-01-01' AND clerk < 'Clerk#000000500'"),
            new Filter("orders", "orderpriority >= '3'"),
            new Filter("flags", "flag"),
            new Filter("flags", "NOT flag"),
            new Filter("flags", "flag IS NULL"),
            new Filter("flags", "flag IS NOT NULL"),
            new Filter("flags", "flag IS NULL OR flag"),
            new Filter("flags", "flag AND orderkey < 6000"),
            new Filter("flags", "a_time < TIME '01:00:00'"),
            new Filter("flags", "an_id < UUID '40000000-0000-0000-0000-000000000000'"),
            new Filter("customer", "c_birth_month IN (1, 2, 3)"),
            new Filter("customer", "c_birth_country = 'GREECE'"),
            new Filter("customer", "c_birth_year BETWEEN 1950 AND 1959"),
            new Filter("customer", "c_last_name IS NULL"),
            new Filter("customer", "c_last_name < 'G'"),
            new Filter("customer", "c_customer_id > 'AAAAAAAAM'"),
            new Filter("customer_address", "ca_gmt_offset = -5"),
            new Filter("customer_address", "ca_state IN ('TX', 'OH', 'GA')"),
            new Filter("customer_address", "ca_zip >= '5'"),
            new Filter("customer_address", "ca_city >= 'M'"),
            new Filter("customer_demographics", "cd_gender = 'M' AND cd_marital_status = 'S'"),
            new Filter("customer_demographics", "cd_gender = 'M' AND cd_marital_status = 'S' AND cd_education_status = 'College'"),
            new Filter("customer_demographics", "cd_dep_count > 3"),
            new Filter("date_dim", "d_year = 2000"),
            new Filter("date_dim", "d_year = 2000 AND d_moy = 11"),
            new Filter("date_dim", "d_date BETWEEN DATE '2000-02-01' AND DATE '2000-04-01'"),
            new Filter("date_dim", "d_weekend = 'Y'"),
            new Filter("date_dim", "d_month_seq BETWEEN 1200 AND 1211"),
            new Filter("date_dim", "d_day_name IN ('Monday', 'Friday')"),
            new Filter("household_demographics", "hd_buy_potential = '>10000'"),
            new Filter("household_demographics", "hd_dep_count = 4 OR hd_dep_count = 7"),
            new Filter("item", "i_category IN ('Books', 'Home')"),
            new Filter("item", "i_current_price BETWEEN 10 AND 20"),
            new Filter("item", "i_manager_id BETWEEN 20 AND 40"),
            new Filter("item", "i_category < 'E'"),
            new Filter("store_sales", "ss_quantity BETWEEN 1 AND 20"),
            new Filter("store_sales", "ss_quantity BETWEEN 1 AND 20 AND ss_wholesale_cost BETWEEN 10 AND 30"),
            new Filter("store_sales", "ss_sold_date_sk IS NULL"),
            new Filter("store_sales", "ss_store_sk = 1"),
            new Filter("store_sales", "ss_item_sk IN (1, 10, 100, 1000)"),
            new Filter("store_sales", "ss_sales_price > 100"),
            new Filter("time_dim", "t_hour = 8 AND t_minute >= 30"),
            new Filter("time_dim", "t_meal_time = 'dinner'"),
            new Filter("time_dim", "t_time BETWEEN 30000 AND 40000"));

    private record Filter(String table, String predicate) {}

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().setWorkerCount(0).build();
        queryRunner.execute("CREATE TABLE orders AS SELECT * FROM tpch.tiny.orders");
        queryRunner.execute(
                """
                CREATE TABLE flags AS SELECT
                    orderkey,
                    if(orderkey % 8 > 0, orderkey % 3 = 0) flag,
                    date_add('second', orderkey % 86400, TIME '00:00:00') a_time,
                    CAST(md5(to_utf8(CAST(orderkey AS varchar))) AS uuid) an_id
                FROM tpch.tiny.orders
                """);
        List<String> tables = FILTERS.stream().map(Filter::table).filter(table -> !table.equals("orders") && !table.equals("flags")).distinct().toList();
        for (String table : tables) {
            queryRunner.execute("CREATE TABLE %s AS SELECT * FROM tpcds.tiny.%1$s".formatted(table));
        }
        return queryRunner;
    }

    @Test
    void testErrors()
    {
        StringBuilder report = new StringBuilder();
        double[] errors = new double[FILTERS.size()];
        for (int i = 0; i < errors.length; i++) {
            Filter filter = FILTERS.get(i);
            double truth = (long) computeScalar("SELECT count(*) FROM %s WHERE %s".formatted(filter.table(), filter.predicate()));
            Optional<Double> estimate = estimate(filter);
            errors[i] = estimate.map(rows -> qError(rows, truth)).orElse(Double.POSITIVE_INFINITY);
            report.append("| `%s` | `%s` | %,.0f | %s | %.2f |%n".formatted(filter.table(), filter.predicate(), truth, estimate.map("%,.0f"::formatted).orElse("unknown"), errors[i]));
        }
        double[] sorted = errors.clone();
        Arrays.sort(sorted);
        report.append("median %.2f, 90 %% %.2f, most %.2f%n".formatted(sorted[sorted.length / 2], sorted[sorted.length * 9 / 10], sorted[sorted.length - 1]));
        System.out.println(report);

        assertThat(sorted[sorted.length / 2]).as(report.toString()).isLessThan(1.2);
        assertThat(sorted[sorted.length * 9 / 10]).as(report.toString()).isLessThan(2.5);
        assertThat(sorted[sorted.length - 1]).as(report.toString()).isLessThan(10);
    }

    private static double qError(double estimate, double truth)
    {
        double ratio = max(estimate, 1) / max(truth, 1);
        return max(ratio, 1 / ratio);
    }

    private Optional<Double> estimate(Filter filter)
    {
        return computeActual("SHOW STATS FOR (SELECT * FROM %s WHERE %s)".formatted(filter.table(), filter.predicate())).getMaterializedRows().stream()
                .filter(row -> row.getField(0) == null)
                .findFirst()
                .map(TestFilteredRowEstimates::rowCount);
    }

    private static Double rowCount(MaterializedRow table)
    {
        return (Double) table.getField(4);
    }
}
