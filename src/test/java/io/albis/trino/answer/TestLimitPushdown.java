package io.albis.trino.answer;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ScanStatistics;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.LIMIT_PUSHDOWN_ENABLED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query with LIMIT gets splits of as many row groups as it needs. The table has ten row groups with ten rows each.
 */
final class TestLimitPushdown
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        QueryRunner queryRunner = AlbisQueryRunner.builder().build();
        for (String table : new String[] {"numbers", "changed"}) {
            queryRunner.execute(
                    SortedLoad.session(queryRunner.getDefaultSession()),
                    "CREATE TABLE %s WITH (row_group_rows = 10) AS SELECT k, IF(k %% 10 = 0, NULL, k) n FROM UNNEST(sequence(1, 100)) t (k) ORDER BY k".formatted(table));
        }
        return queryRunner;
    }

    @Test
    void testWholeTable()
    {
        assertRowGroups("SELECT * FROM numbers LIMIT 1", 1, 1);
        assertRowGroups("SELECT * FROM numbers LIMIT 10", 10, 1);
        assertRowGroups("SELECT k FROM numbers LIMIT 11", 11, 2);
        assertRowGroups("SELECT k + 1 FROM numbers LIMIT 99", 99, 10);
        assertRowGroups("SELECT 1 FROM numbers LIMIT 25", 25, 3);
        assertRowGroups("SELECT * FROM numbers LIMIT 1000", 100, 10);
        assertRowGroups("SELECT \"$row_position\" FROM numbers LIMIT 3", 3, 1);
        assertRowGroups("SELECT * FROM numbers FETCH FIRST 3 ROWS ONLY", 3, 1);
        assertRowGroups("SELECT * FROM numbers OFFSET 5 LIMIT 5", 5, 1);
    }

    @Test
    void testDecidedFilter()
    {
        assertRowGroups("SELECT * FROM numbers WHERE k > 50 LIMIT 10", 10, 1);
        assertRowGroups("SELECT * FROM numbers WHERE k > 50 LIMIT 60", 50, 5);
        // no row group is known to have three such rows
        assertRowGroups("SELECT * FROM numbers WHERE n IS NULL LIMIT 3", 3, 10);
        // only the first row group is not decided, so the others come before it
        assertRowGroups("SELECT * FROM numbers WHERE k > 55 LIMIT 10", 10, 1);
        assertRowGroups("SELECT * FROM numbers WHERE k > 55 LIMIT 41", 41, 5);
    }

    @Test
    void testOtherFilters()
    {
        assertRowGroups("SELECT * FROM numbers WHERE k % 10 = 7 LIMIT 5", 5, 10);
        assertRowGroups("SELECT * FROM numbers WHERE k % 10 = 7 AND k > 50 LIMIT 4", 4, 5);
        assertRowGroups("SELECT * FROM numbers WHERE \"$row_position\" = 3 LIMIT 7", 7, 10);
    }

    @Test
    void testOtherPlans()
    {
        assertThat(computeActual("SELECT * FROM numbers ORDER BY k DESC LIMIT 3").getMaterializedRows())
                .isEqualTo(computeActual("VALUES (BIGINT '100', CAST(NULL AS bigint)), (99, 99), (98, 98)").getMaterializedRows());
        assertThat(computeScalar("SELECT count(*) FROM (SELECT * FROM numbers LIMIT 42)")).isEqualTo(42L);
        assertThat(computeScalar("SELECT count(*) FROM (SELECT * FROM (SELECT * FROM numbers LIMIT 42) LIMIT 13)")).isEqualTo(13L);
        assertThat(computeScalar("SELECT count(*) FROM (SELECT * FROM numbers LIMIT 42) WHERE k > 0")).isEqualTo(42L);
        // the filter applies to the limited rows, in whatever order they come
        assertThat((long) computeScalar("SELECT count(*) FROM (SELECT * FROM numbers LIMIT 10) WHERE k > 50")).isLessThanOrEqualTo(10);
        assertThat(computeActual("SELECT a.k FROM numbers a JOIN numbers b ON a.k = b.k WHERE b.n > 95 LIMIT 4").getRowCount()).isEqualTo(4);
        assertThat(computeActual("SELECT k FROM numbers WHERE k IN (SELECT n FROM numbers WHERE k > 95) LIMIT 4").getRowCount()).isEqualTo(4);
        assertThat(computeActual("(SELECT k FROM numbers LIMIT 60) UNION ALL (SELECT k FROM numbers LIMIT 70)").getRowCount()).isEqualTo(130);
        assertThat(computeActual("SELECT DISTINCT n FROM numbers LIMIT 91").getRowCount()).isEqualTo(91);
    }

    @Test
    void testDeletedRows()
    {
        assertUpdate("DELETE FROM changed WHERE k % 10 < 8", 80);
        assertRowGroups("SELECT * FROM changed LIMIT 2", 2, 1);
        assertRowGroups("SELECT * FROM changed LIMIT 3", 3, 2);
        assertRowGroups("SELECT * FROM changed LIMIT 20", 20, 10);
        assertRowGroups("SELECT * FROM changed FOR VERSION AS OF 1 LIMIT 20", 20, 2);
    }

    @Test
    void testPlan()
    {
        assertThat((String) computeScalar("EXPLAIN SELECT * FROM numbers LIMIT 7")).contains("limit=7");
        Session without = Session.builder(getSession())
                .setCatalogSessionProperty(CATALOG, LIMIT_PUSHDOWN_ENABLED, "false")
                .build();
        assertThat((String) computeScalar(without, "EXPLAIN SELECT * FROM numbers LIMIT 7")).doesNotContain("limit=7");
        assertThat(computeActual(without, "SELECT * FROM numbers LIMIT 7").getRowCount()).isEqualTo(7);
    }

    private void assertRowGroups(String query, int rows, long rowGroups)
    {
        MaterializedResultWithPlan result = getDistributedQueryRunner().executeWithPlan(getSession(), query);
        assertThat(result.result().getRowCount()).as(query).isEqualTo(rows);
        // a query may finish before the last splits are created
        assertThat(ScanStatistics.of(getDistributedQueryRunner(), result.queryId()).split("Albis row groups selected")).as("row groups of %s", query).isLessThanOrEqualTo(rowGroups);
    }
}
