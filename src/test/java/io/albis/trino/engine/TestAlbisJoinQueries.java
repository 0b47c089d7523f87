package io.albis.trino.engine;

import io.albis.RandomPart;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexThresholds;
import io.trino.testing.AbstractTestJoinQueries;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a sixth of Trino's own tests of joins on indexed, sorted, and bucketed Albis tables.
 */
@RandomPart(divisor = 6)
@Tag("slow")
final class TestAlbisJoinQueries
        extends AbstractTestJoinQueries
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .setTableProperties(OptimizedTables::properties)
                .amendSession(IndexThresholds::lowest)
                .build();
    }

    @Test
    void testOptimizations()
    {
        Optimizations optimizations = new Optimizations(getDistributedQueryRunner());
        optimizations.assertIndexSearched("SELECT l.linenumber, o.clerk FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey WHERE o.custkey = 1234");
        // a dynamic filter
        optimizations.assertIndexSearched("SELECT l.orderkey, l.linenumber FROM lineitem l JOIN (VALUES 7, 1616) v (k) ON l.partkey = v.k");
        optimizations.assertBuckets("SELECT count(*) FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey", 2);
        optimizations.assertSorted();
    }
}
