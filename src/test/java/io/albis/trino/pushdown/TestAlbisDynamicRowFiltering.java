package io.albis.trino.pushdown;

import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.AbstractTestDynamicRowFiltering;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;

/**
 * The engine's own row filter, which sees all rows only if the reader skips none.
 */
@Tag("slow")
final class TestAlbisDynamicRowFiltering
        extends AbstractTestDynamicRowFiltering
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                // Of several nodes, one may start to scan before its copy of a broadcast table is complete
                .setWorkerCount(0)
                // Otherwise the engine would swap the sides of the join with a part of nation of unknown size
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
