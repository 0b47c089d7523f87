package io.albis.trino;

import com.google.inject.Module;
import io.trino.operator.RetryPolicy;
import io.trino.testing.ExtendedFailureRecoveryTest;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Trino's own tests of queries whose tasks fail, do not answer or answer too late.
 */
abstract class BaseAlbisFailureRecoveryTest
        extends ExtendedFailureRecoveryTest
{
    @TempDir
    static Path exchangeFolder;

    protected BaseAlbisFailureRecoveryTest(RetryPolicy retryPolicy)
    {
        super(retryPolicy);
    }

    @Override
    protected QueryRunner createQueryRunner(
            List<TpchTable<?>> requiredTpchTables,
            Map<String, String> configProperties,
            Map<String, String> coordinatorProperties,
            Module failureInjectionModule)
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setExtraProperties(configProperties)
                .setCoordinatorProperties(coordinatorProperties)
                .setAdditionalModule(failureInjectionModule)
                .withExchange("filesystem", Map.of("exchange.base-directories", exchangeFolder.toUri().toString()))
                // the tests find tables by the names of those of tpch
                .setInitialTables(requiredTpchTables)
                .build();
    }

    @Override
    protected boolean areWriteRetriesSupported()
    {
        return true;
    }

    @Override
    protected void createPartitionedLineitemTable(String tableName, List<String> columns, String partitionColumn)
    {
        // no partitions: row groups that hold few suppliers each are what a dynamic filter leaves out
        getQueryRunner().execute("CREATE TABLE %s WITH (row_group_rows = 5000) AS SELECT %s FROM tpch.tiny.lineitem ORDER BY %s".formatted(
                tableName,
                String.join(", ", columns),
                partitionColumn));
    }

    @Test
    @Override
    protected void testDelete()
    {
        assertThatThrownBy(super::testDelete).hasMessageContaining("This connector does not support modifying table rows");
    }

    @Test
    @Override
    protected void testDeleteWithSubquery()
    {
        assertThatThrownBy(super::testDeleteWithSubquery).hasMessageContaining("This connector does not support modifying table rows");
    }

    @Test
    @Override
    protected void testUpdate()
    {
        assertThatThrownBy(super::testUpdate).hasMessageContaining("This connector does not support modifying table rows");
    }

    @Test
    @Override
    protected void testUpdateWithSubquery()
    {
        assertThatThrownBy(super::testUpdateWithSubquery).hasMessageContaining("This connector does not support modifying table rows");
    }

    @Test
    @Override
    protected void testMerge()
    {
        assertThatThrownBy(super::testMerge).hasMessageContaining("This connector does not support modifying table rows");
    }

    @Test
    @Override
    protected void testAnalyzeTable()
    {
        assertThatThrownBy(super::testAnalyzeTable).hasMessageMatching("This connector does not support analyze");
    }

    @Test
    @Override
    protected void testRefreshMaterializedView()
    {
        assertThatThrownBy(super::testRefreshMaterializedView).hasMessageContaining("This connector does not support creating materialized views");
    }
}
