package io.albis.trino.sample;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.SAMPLE_PUSHDOWN_ENABLED;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A sample has all rows of some row groups. The table has 400 row groups with ten rows each.
 */
final class TestSamplePushdown
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().build();
        queryRunner.execute(
                SortedLoad.session(queryRunner.getDefaultSession()),
                "CREATE TABLE numbers WITH (row_group_rows = 10) AS SELECT k, k / 10 g FROM UNNEST(sequence(0, 3999)) t (k) ORDER BY k");
        return queryRunner;
    }

    @Test
    void testWholeRowGroups()
    {
        // the probability that a sample of a half has fewer than 100 or more than 300 row groups is less than 10^-20
        MaterializedResultWithPlan result = run("SELECT k, g FROM numbers TABLESAMPLE SYSTEM (50)");
        Map<Object, Long> rowGroups = result.result().getMaterializedRows().stream()
                .collect(groupingBy(row -> row.getField(1), counting()));
        assertThat(rowGroups.values()).containsOnly(10L);
        assertThat(rowGroups).hasSizeBetween(100, 300);
        ScanStatistics statistics = ScanStatistics.of(getDistributedQueryRunner(), result.queryId());
        assertThat(statistics.split("Albis row groups selected")).isEqualTo(rowGroups.size());
        assertThat(statistics.split("Albis row groups pruned")).isEqualTo(400 - rowGroups.size());
    }

    @Test
    void testRatios()
    {
        assertQuery("SELECT count(*) FROM numbers TABLESAMPLE SYSTEM (0)", "VALUES 0");
        assertQuery("SELECT count(*) FROM numbers TABLESAMPLE SYSTEM (100)", "VALUES 4000");
        assertThat((long) computeScalar("SELECT count(*) FROM numbers TABLESAMPLE SYSTEM (10)")).isBetween(10L, 1500L);
    }

    @Test
    void testOtherPlans()
    {
        // the metadata answers nothing about a sample
        assertThat((long) computeScalar("SELECT count(*) FROM numbers TABLESAMPLE SYSTEM (50)")).isBetween(1000L, 3000L);
        assertThat((long) computeScalar("SELECT count(*) FROM numbers TABLESAMPLE SYSTEM (50) WHERE k < 2000")).isBetween(300L, 1700L);
        // limits and orders apply to the sample
        assertThat(computeActual("SELECT * FROM numbers TABLESAMPLE SYSTEM (50) LIMIT 500").getRowCount()).isEqualTo(500);
        List<MaterializedRow> first = computeActual("SELECT k FROM numbers TABLESAMPLE SYSTEM (50) ORDER BY k DESC LIMIT 500").getMaterializedRows();
        assertThat(first).hasSize(500);
        assertThat((long) first.getLast().getField(0)).isLessThan(3490);
        // each reference is a sample of its own
        assertThat((long) computeScalar("SELECT count(*) FROM numbers a TABLESAMPLE SYSTEM (50) JOIN numbers b TABLESAMPLE SYSTEM (50) ON a.k = b.k")).isBetween(200L, 1900L);
    }

    /**
     * The engine can divide a query with several DISTINCT aggregations into subqueries, each of which would read a
     * sample of its own.
     */
    @Test
    void testDistinctAggregations()
    {
        for (int round = 0; round < 3; round++) {
            MaterializedRow counts = computeActual("SELECT count(DISTINCT k), count(DISTINCT l) FROM (SELECT k, -k l FROM numbers TABLESAMPLE SYSTEM (50))").getMaterializedRows().getFirst();
            assertThat(counts.getField(0)).isEqualTo(counts.getField(1));
        }
    }

    @Test
    void testPlan()
    {
        String query = "SELECT * FROM numbers TABLESAMPLE SYSTEM (25) WHERE k >= 0";
        assertThat((String) computeScalar("EXPLAIN " + query)).contains("sample=0.25").contains("rows: 1000").doesNotContain("Sample[");
        assertThat((String) computeScalar("EXPLAIN SELECT * FROM numbers TABLESAMPLE BERNOULLI (25)")).doesNotContain("sample=");
        Session without = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, SAMPLE_PUSHDOWN_ENABLED, "false")
                .build();
        assertThat((String) computeScalar(without, "EXPLAIN " + query)).doesNotContain("sample=");
        assertThat(computeActual(without, query).getRowCount()).isLessThan(4000);
    }

    private MaterializedResultWithPlan run(String query)
    {
        return getDistributedQueryRunner().executeWithPlan(getSession(), query);
    }
}
