package io.albis.trino.engine;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestJoinQueries;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;

/**
 * Runs Trino's own tests of joins on indexed, sorted, and bucketed Albis tables.
 */
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
                .build();
    }
}
