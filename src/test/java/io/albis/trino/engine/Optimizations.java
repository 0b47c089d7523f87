package io.albis.trino.engine;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMultiset;
import io.albis.trino.IndexSearches;
import io.albis.trino.ScanStatistics;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import static io.albis.trino.AlbisQueryRunner.CATALOG;
import static io.albis.trino.config.AlbisSessionProperties.BUCKET_EXECUTION_ENABLED;
import static io.albis.trino.config.AlbisSessionProperties.DYNAMIC_FILTERING_WAIT_TIMEOUT;
import static io.albis.trino.config.AlbisSessionProperties.INDEX_ENABLED;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asserts that the connector takes part in queries on {@link OptimizedTables}, because Trino's suites would also pass
 * if it scanned whole tables.
 */
final class Optimizations
{
    private final DistributedQueryRunner queryRunner;

    Optimizations(DistributedQueryRunner queryRunner)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
    }

    /**
     * Asserts that indexes exclude rows in a session of the suite, and that the result is that of a scan.
     */
    void assertIndexSearched(String query)
    {
        // a dynamic filter that comes too late changes no result
        Session searching = Session.builder(queryRunner.getDefaultSession())
                .setCatalogSessionProperty(CATALOG, DYNAMIC_FILTERING_WAIT_TIMEOUT, "20s")
                .build();
        MaterializedResultWithPlan searched = queryRunner.executeWithPlan(searching, query);
        MaterializedResultWithPlan scanned = queryRunner.executeWithPlan(without(searching, INDEX_ENABLED), query);
        assertThat(ImmutableMultiset.copyOf(searched.result().getMaterializedRows())).as(query)
                .isNotEmpty()
                .isEqualTo(ImmutableMultiset.copyOf(scanned.result().getMaterializedRows()));
        assertThat(IndexSearches.excludedRows(queryRunner, searched.queryId())).as(query).isPositive();
        assertThat(IndexSearches.excludedRows(queryRunner, scanned.queryId())).as(query).isZero();
    }

    /**
     * Asserts that bounds exclude rows by a column that only the order of the rows makes selective. Each supplier has a
     * hundredth of the rows of each bucket.
     */
    void assertSorted()
    {
        String query = "SELECT count(partkey) FROM %s WHERE suppkey = 50";
        MaterializedResultWithPlan result = queryRunner.executeWithPlan(without(queryRunner.getDefaultSession(), INDEX_ENABLED), query.formatted("lineitem"));
        assertThat(result.result().getOnlyValue()).isEqualTo(queryRunner.execute(query.formatted("tpch.tiny.lineitem")).getOnlyValue());
        ScanStatistics statistics = ScanStatistics.of(queryRunner, result.queryId());
        assertThat(statistics.split("Albis row groups selected")).isPositive();
        assertThat(statistics.split("Albis row groups pruned")).isPositive();
    }

    /**
     * Asserts that buckets save exchanges of rows.
     */
    void assertBuckets(String query, int savedExchanges)
    {
        Session session = Session.builder(queryRunner.getDefaultSession())
                .setSystemProperty("join_distribution_type", "PARTITIONED")
                .build();
        assertThat(exchanges(without(session, BUCKET_EXECUTION_ENABLED), query) - exchanges(session, query)).as(query).isEqualTo(savedExchanges);
    }

    void assertTopN(String query)
    {
        assertThat((String) queryRunner.execute("EXPLAIN " + query).getOnlyValue()).contains("topN=");
    }

    private int exchanges(Session session, String query)
    {
        String plan = (String) queryRunner.execute(session, "EXPLAIN (TYPE DISTRIBUTED) " + query).getOnlyValue();
        return Splitter.on("RemoteSource").splitToList(plan).size() - 1;
    }

    private static Session without(Session session, String property)
    {
        return Session.builder(session)
                .setCatalogSessionProperty(CATALOG, property, "false")
                .build();
    }
}
