package io.albis.trino.engine;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.AbstractTestAggregations;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;

/**
 * Runs Trino's own tests of aggregations on indexed, sorted, and bucketed Albis tables.
 */
@Tag("slow")
final class TestAlbisAggregations
        extends AbstractTestAggregations
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.copyOf(REQUIRED_TPCH_TABLES))
                .setTableProperties(OptimizedTables::properties)
                .setWorkerCount(0)
                .build();
    }
}
