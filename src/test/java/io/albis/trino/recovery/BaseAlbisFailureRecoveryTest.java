package io.albis.trino.recovery;

import com.google.inject.Module;
import io.albis.trino.AlbisQueryRunner;
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
import java.util.Set;
import java.util.regex.Pattern;

import static io.trino.execution.FailureInjector.FAILURE_INJECTION_MESSAGE;
import static io.trino.execution.FailureInjector.InjectedFailureType.TASK_FAILURE;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs Trino's own tests of queries whose tasks fail, do not respond, or respond too late.
 */
abstract class BaseAlbisFailureRecoveryTest
        extends ExtendedFailureRecoveryTest
{
    private static final String ROWS = "count(*), checksum(ROW(orderkey, custkey, orderstatus, totalprice, orderdate, orderpriority, clerk, shippriority, comment))";
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
        getQueryRunner().execute("CREATE TABLE %s WITH (partitioned_by = ARRAY['%s']) AS SELECT %s FROM tpch.tiny.lineitem".formatted(
                tableName,
                partitionColumn,
                String.join(", ", columns)));
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
        // The first supplier has partitions of its own
        long others = (long) getQueryRunner().execute("SELECT count(DISTINCT \"$row_group\") FROM partitioned_lineitem WHERE suppkey <> 1").getOnlyValue();
        assertThat(others).isPositive();
        String plan = (String) getQueryRunner().execute(
                session,
                """
                EXPLAIN ANALYZE VERBOSE
                SELECT * FROM partitioned_lineitem JOIN supplier ON partitioned_lineitem.suppkey = supplier.suppkey AND supplier.name = 'Supplier#000000001'
                """).getOnlyValue();
        long pruned = PRUNED.matcher(plan).results().mapToLong(match -> Long.parseLong(match.group(1))).sum();
        assertThat(pruned).as(plan).isEqualTo(others);
    }

    @Test
    void testReplaceTable()
    {
        testTableModification(
                Optional.of("CREATE TABLE <table> AS SELECT orderkey FROM orders"),
                "CREATE OR REPLACE TABLE <table> AS SELECT * FROM orders",
                Optional.of("DROP TABLE <table>"));
    }

    @Test
    void testOptimize()
    {
        testProcedure("optimize(sorted_by => ARRAY['custkey'])", "optimize");
    }

    @Test
    void testRegroup()
    {
        testProcedure("regroup(column_groups => ARRAY[ARRAY['comment', 'orderkey'], ARRAY['custkey']])", "regroup");
    }

    @Test
    void testAddIndex()
    {
        testProcedure("add_index(columns => ARRAY['custkey'])", "regroup");
    }

    /**
     * The inherited method compares what the statements return: numbers of row groups and bytes, which are always the
     * same because the rows are sorted. The rows and the commits of each table are recorded in a table, because the
     * method does not compare them.
     */
    private void testProcedure(String procedure, String operation)
    {
        QueryRunner queryRunner = getQueryRunner();
        String records = "records_" + randomNameSuffix();
        queryRunner.execute("CREATE TABLE %s (name varchar, commits bigint, row_count bigint, row_checksum varbinary)".formatted(records));
        Optional<String> create = Optional.of("CREATE TABLE <table> WITH (row_group_rows = 1000, sorted_by = ARRAY['orderkey']) AS SELECT * FROM orders");
        String statement = "ALTER TABLE <table> EXECUTE " + procedure;
        Optional<String> record = Optional.of("INSERT INTO %s SELECT '<table>', (SELECT count(*) FROM \"<table>$snapshots\" WHERE operation = '%s'), %s FROM <table>".formatted(records, operation, ROWS));
        switch (getRetryPolicy()) {
            case TASK, NONE -> testTableModification(create, statement, record);
            // The engine runs the statement again, and then finds the splits of the first run
            case QUERY -> assertThatQuery(statement)
                    .withSetupQuery(create)
                    .withCleanupQuery(record)
                    .experiencing(TASK_FAILURE, Optional.of(ErrorType.INTERNAL_ERROR))
                    .at(leafStage())
                    .failsDespiteRetries(failure -> failure.hasMessageContaining("splitsInfo already set"));
        }
        assertThat(queryRunner.execute("SELECT DISTINCT row_count, row_checksum FROM " + records).getMaterializedRows())
                .isEqualTo(queryRunner.execute("SELECT %s FROM orders".formatted(ROWS)).getMaterializedRows());
        // Never twice, and not at all if the statement has failed
        assertThat(queryRunner.execute("SELECT DISTINCT commits FROM " + records).getOnlyColumnAsSet()).isEqualTo(Set.of(0L, 1L));
        for (Object table : queryRunner.execute("SELECT name FROM " + records).getOnlyColumnAsSet()) {
            queryRunner.execute("DROP TABLE " + table);
        }
        queryRunner.execute("DROP TABLE " + records);
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
