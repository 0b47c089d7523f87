package io.albis.trino.engine;

import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestJoinQueries;
import io.trino.testing.QueryRunner;

/**
 * Trino's own tests of joins, on Albis tables.
 */
final class TestAlbisJoinQueries
        extends AbstractTestJoinQueries
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(REQUIRED_TPCH_TABLES)
                // a node besides the coordinator shows what differs among nodes, and more nodes only repeat it
                .setWorkerCount(1)
                .build();
    }
}
