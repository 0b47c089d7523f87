package io.albis.trino.engine;

import io.albis.RandomPart;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexThresholds;
import io.trino.testing.AbstractTestWindowQueries;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a sixth of Trino's own tests of window functions on indexed, sorted, and bucketed Albis tables.
 */
@RandomPart(divisor = 6)
@Tag("slow")
final class TestAlbisWindowQueries
        extends AbstractTestWindowQueries
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(TpchTable.getTables())
                .setTableProperties(OptimizedTables::properties)
                .amendSession(IndexThresholds::lowest)
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testOptimizations()
    {
        Optimizations optimizations = new Optimizations(getDistributedQueryRunner());
        optimizations.assertIndexSearched("SELECT orderkey, rank() OVER (PARTITION BY orderpriority ORDER BY totalprice) FROM orders WHERE custkey BETWEEN 100 AND 120");
        optimizations.assertIndexSearched("SELECT linenumber, sum(quantity) OVER (ORDER BY orderkey, linenumber) FROM lineitem WHERE shipmode IN ('AIR', 'RAIL') AND partkey < 50");
        optimizations.assertBuckets("SELECT orderkey, linenumber, row_number() OVER (PARTITION BY orderkey ORDER BY linenumber) FROM lineitem", 1);
        optimizations.assertSorted();
    }
}
