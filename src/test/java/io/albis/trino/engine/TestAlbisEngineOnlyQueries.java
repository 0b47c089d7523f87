package io.albis.trino.engine;

import com.google.common.collect.ImmutableMap;
import io.albis.RandomPart;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.IndexThresholds;
import io.trino.testing.AbstractTestEngineOnlyQueries;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.airlift.testing.Closeables.closeAllSuppress;

/**
 * Runs a sixth of Trino's own tests of engine features on indexed, sorted, and bucketed Albis tables. Most of them read
 * no table or a small one.
 */
@RandomPart(divisor = 6)
@Tag("slow")
final class TestAlbisEngineOnlyQueries
        extends AbstractTestEngineOnlyQueries
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .setTableProperties(OptimizedTables::properties)
                .amendSession(IndexThresholds::lowest)
                .build();
        try {
            queryRunner.getSessionPropertyManager().addSystemSessionProperties(TEST_SYSTEM_PROPERTIES);
            queryRunner.installPlugin(new SessionPropertiesPlugin(TEST_CATALOG_PROPERTIES));
            queryRunner.createCatalog(TESTING_CATALOG, SessionPropertiesPlugin.CONNECTOR_NAME, ImmutableMap.of());
            return queryRunner;
        }
        catch (Throwable e) {
            closeAllSuppress(e, queryRunner);
            throw e;
        }
    }

    @Test
    void testOptimizations()
    {
        Optimizations optimizations = new Optimizations(getDistributedQueryRunner());
        optimizations.assertIndexSearched("SELECT orderkey, clerk FROM orders WHERE custkey = 1234 OR orderkey IN (7, 1000)");
        optimizations.assertBuckets("SELECT DISTINCT orderkey FROM lineitem", 1);
        optimizations.assertSorted();
    }
}
