package io.albis.trino.engine;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestWindowQueries;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Tag;

/**
 * Runs Trino's own tests of window functions on indexed, sorted, and bucketed Albis tables.
 */
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
                .setWorkerCount(0)
                .build();
    }
}
