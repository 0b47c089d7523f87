package io.albis.trino;

import com.google.inject.Module;
import io.trino.operator.RetryPolicy;
import io.trino.testing.ExtendedFailureRecoveryTest;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        assertNotSupported(super::testDelete, "modifying table rows");
    }

    @Test
    @Override
    protected void testDeleteWithSubquery()
    {
        assertNotSupported(super::testDeleteWithSubquery, "modifying table rows");
    }

    @Test
    @Override
    protected void testUpdate()
    {
        assertNotSupported(super::testUpdate, "modifying table rows");
    }

    @Test
    @Override
    protected void testUpdateWithSubquery()
    {
        assertNotSupported(super::testUpdateWithSubquery, "modifying table rows");
    }

    @Test
    @Override
    protected void testMerge()
    {
        assertNotSupported(super::testMerge, "modifying table rows");
    }

    @Test
    @Override
    protected void testAnalyzeTable()
    {
        assertNotSupported(super::testAnalyzeTable, "analyze");
    }

    @Test
    @Override
    protected void testRefreshMaterializedView()
    {
        assertNotSupported(super::testRefreshMaterializedView, "creating materialized views");
    }

    private static void assertNotSupported(ThrowingCallable test, String what)
    {
        assertThatThrownBy(test).hasMessageContaining("This connector does not support " + what);
    }
}
