package io.albis.trino.engine;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestOrderByQueries;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Tag;

/**
 * Runs Trino's own tests of ORDER BY on indexed, sorted, and bucketed Albis tables.
 */
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
                .setWorkerCount(0)
                .build();
    }
}
