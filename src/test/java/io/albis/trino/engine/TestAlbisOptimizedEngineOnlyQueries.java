package io.albis.trino.engine;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestEngineOnlyQueries;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;

import static io.airlift.testing.Closeables.closeAllSuppress;

/**
 * Runs Trino's own tests of engine features on indexed, sorted, and bucketed Albis tables. Most of them read no table
 * or a small one.
 */
@Tag("slow")
final class TestAlbisOptimizedEngineOnlyQueries
        extends AbstractTestEngineOnlyQueries
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .setTableProperties(OptimizedTables::properties)
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
}
