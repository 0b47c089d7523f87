package io.albis.trino.pushdown;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.AbstractTestDynamicRowFiltering;
import io.trino.testing.QueryRunner;

/**
 * The engine's own row filtering, which sees all rows only while the reader leaves none out.
 */
final class TestAlbisDynamicRowFiltering
        extends AbstractTestDynamicRowFiltering
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                // of several, one may begin to scan before it has built its own copy of a broadcast table
                .setWorkerCount(0)
                // or else the join with an unknown part of nation would be turned around
                .addExtraProperty("optimizer.default-filter-factor-enabled", "true")
                .addAlbisProperty("albis.dynamic-row-filtering", "false")
                .addAlbisProperty("albis.dynamic-filtering.wait-timeout", "1h")
                .setInitialTables(REQUIRED_TPCH_TABLES)
                .build();
    }

    @Override
    protected SchemaTableName getSchemaTableName(ConnectorTableHandle table)
    {
        return ((AlbisTableHandle) table).schemaTableName();
    }
}
