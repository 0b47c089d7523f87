package io.albis.trino.engine;

import io.albis.RandomPart;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexThresholds;
import io.trino.testing.AbstractTestOrderByQueries;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs a sixth of Trino's own tests of ORDER BY on indexed, sorted, and bucketed Albis tables.
 */
@RandomPart(divisor = 6)
@Tag("slow")
final class TestAlbisOrderByQueries
        extends AbstractTestOrderByQueries
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
        optimizations.assertIndexSearched("SELECT orderkey, comment FROM orders WHERE clerk = 'Clerk#000000880' ORDER BY totalprice DESC, orderkey");
        optimizations.assertIndexSearched("SELECT comment FROM lineitem WHERE partkey BETWEEN 100 AND 200 ORDER BY orderkey, linenumber LIMIT 5");
        optimizations.assertTopN("SELECT * FROM lineitem ORDER BY extendedprice LIMIT 10");
        optimizations.assertSorted();
    }
}
