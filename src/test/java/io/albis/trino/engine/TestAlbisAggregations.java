package io.albis.trino.engine;

import com.google.common.collect.ImmutableList;
import io.albis.RandomPart;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexThresholds;
import io.trino.testing.AbstractTestAggregations;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a sixth of Trino's own tests of aggregations on indexed, sorted, and bucketed Albis tables.
 */
@RandomPart(divisor = 6)
@Tag("slow")
final class TestAlbisAggregations
        extends AbstractTestAggregations
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.copyOf(REQUIRED_TPCH_TABLES))
                .setTableProperties(OptimizedTables::properties)
                .amendSession(IndexThresholds::lowest)
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testOptimizations()
    {
        Optimizations optimizations = new Optimizations(getDistributedQueryRunner());
        optimizations.assertIndexSearched("SELECT orderstatus, count(*), max(totalprice) FROM orders WHERE custkey = 1234 GROUP BY orderstatus");
        optimizations.assertIndexSearched("SELECT returnflag, count(DISTINCT orderkey) FROM lineitem WHERE partkey < 50 AND shipmode = 'AIR' OR suppkey = 3 GROUP BY returnflag");
        optimizations.assertBuckets("SELECT orderkey, sum(quantity) FROM lineitem GROUP BY orderkey", 1);
        optimizations.assertSorted();
    }
}
