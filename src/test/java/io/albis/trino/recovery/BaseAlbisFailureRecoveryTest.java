package io.albis.trino.recovery;

import com.google.inject.Module;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.SortedLoad;
import io.trino.Session;
import io.trino.operator.RetryPolicy;
import io.trino.spi.ErrorType;
import io.trino.testing.ExtendedFailureRecoveryTest;
import io.trino.testing.QueryRunner;
import io.trino.tpch.TpchTable;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import static io.trino.execution.FailureInjector.FAILURE_INJECTION_MESSAGE;
import static io.trino.execution.FailureInjector.InjectedFailureType.TASK_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs Trino's own tests of queries whose tasks fail, do not respond, or respond too late.
 */
abstract class BaseAlbisFailureRecoveryTest
        extends ExtendedFailureRecoveryTest
{
    private static final int ROW_GROUP_ROWS = 5000;
    private static final Pattern PRUNED = Pattern.compile("'Albis row groups pruned' = LongCount\\{total=(\\d+)\\}");

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
                // The tests use the table names of tpch
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
        // Albis has no partitions. The dynamic filter skips row groups, which are sorted by supplier
        getQueryRunner().execute(
                SortedLoad.session(getQueryRunner().getDefaultSession()),
                "CREATE TABLE %s WITH (row_group_rows = %s) AS SELECT %s FROM tpch.tiny.lineitem ORDER BY %s".formatted(
                        tableName,
                        ROW_GROUP_ROWS,
                        String.join(", ", columns),
                        partitionColumn));
    }

    /**
     * The inherited tests of dynamic filters are meaningful for Albis only if the filter skips row groups.
     */
    @Test
    void testDynamicFilterLeavesOutRowGroups()
    {
        Session session = Session.builder(getQueryRunner().getDefaultSession())
                .setSystemProperty("join_reordering_strategy", "NONE")
                .setSystemProperty("join_distribution_type", "PARTITIONED")
                .setCatalogSessionProperty(AlbisQueryRunner.CATALOG, "dynamic_filtering_wait_timeout", "1h")
                .build();
        long rows = (long) getQueryRunner().execute("SELECT count(*) FROM partitioned_lineitem").getOnlyValue();
        String plan = (String) getQueryRunner().execute(
                session,
                """
                EXPLAIN ANALYZE VERBOSE
                SELECT * FROM partitioned_lineitem JOIN supplier ON partitioned_lineitem.suppkey = supplier.suppkey AND supplier.name = 'Supplier#000000001'
                """).getOnlyValue();
        long pruned = PRUNED.matcher(plan).results().mapToLong(match -> Long.parseLong(match.group(1))).sum();
        // The first supplier is in the first row group only
        assertThat(pruned).as(plan).isEqualTo((rows - 1) / ROW_GROUP_ROWS);
    }

    @Test
    void testReplaceTable()
    {
        testTableModification(
                Optional.of("CREATE TABLE <table> AS SELECT orderkey FROM orders"),
                "CREATE OR REPLACE TABLE <table> AS SELECT * FROM orders",
                Optional.of("DROP TABLE <table>"));
    }

    /**
     * The engine does not retry a DELETE of whole row groups, because only the coordinator runs it.
     */
    @Test
    void testDeleteOfWholeRowGroups()
    {
        FailureRecoveryAssert delete = assertThatQuery("DELETE FROM <table>")
                .withSetupQuery(Optional.of("CREATE TABLE <table> AS SELECT * FROM orders"))
                .withCleanupQuery(Optional.of("DROP TABLE <table>"));
        delete.isCoordinatorOnly();
        delete.experiencing(TASK_FAILURE, Optional.of(ErrorType.INTERNAL_ERROR))
                .at(rootStage())
                .failsAlways(failure -> failure.hasMessageContaining(FAILURE_INJECTION_MESSAGE));
    }

    @Test
    @Override
    protected void testAnalyzeTable()
    {
        assertNotSupported(super::testAnalyzeTable, "analyze");
    }

    private static void assertNotSupported(ThrowingCallable test, String what)
    {
        assertThatThrownBy(test).hasMessageContaining("This connector does not support " + what);
    }
}
