package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * A client that deletes rows to claim them relies on the number that DELETE returns. Each row counts in one statement.
 */
@Execution(SAME_THREAD)
final class TestAlbisConcurrentDeletes
        extends AbstractTestQueryFramework
{
    private static final String DELETE = "DELETE FROM %s WHERE id %% 7 = 0";
    // the bounds of row groups decide it
    private static final String DELETE_GROUPS = "DELETE FROM %s WHERE id <= 1000";
    private static final int MATCHING = 142;

    // runs after a statement has read which version of the table is the newest one
    private final InterposedStatement concurrent = new InterposedStatement();

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setSystemAccessControl(concurrent)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM %s WHERE id <= 14", DELETE_GROUPS})
    void testRowsThatOthersHaveDeleted(String first)
    {
        try (TestTable table = createTable("SERIALIZABLE")) {
            assertTrinoExceptionThrownBy(() -> run(table, first, DELETE)).hasErrorCode(TRANSACTION_CONFLICT);
            assertThat(countOf("SELECT count(*) FROM \"%s$snapshots\"", table)).isEqualTo(2);
        }
    }

    @Test
    void testRowsThatOthersHaveNotDeleted()
    {
        try (TestTable table = createTable("SERIALIZABLE")) {
            assertThat(run(table, "DELETE FROM %s WHERE id %% 7 = 1", DELETE)).isEqualTo(MATCHING);
            assertThat(run(table, "INSERT INTO %s VALUES -1", DELETE.replace("7 = 0", "7 = 2 AND id > 0"))).isEqualTo(143);
        }
    }

    /**
     * The DELETE could have run before the TRUNCATE.
     */
    @Test
    void testTruncation()
    {
        try (TestTable table = createTable("SERIALIZABLE")) {
            assertThat(run(table, "TRUNCATE TABLE %s", DELETE)).isEqualTo(MATCHING);
            assertThat(countOf("SELECT count(*) FROM \"%s$snapshots\"", table)).isEqualTo(2);
        }
    }

    /**
     * If no rows need to be read, the commit counts them, so there is no conflict.
     */
    @ParameterizedTest
    @ValueSource(strings = {"SERIALIZABLE", "SNAPSHOT"})
    void testCountOfRowGroups(String isolation)
    {
        try (TestTable table = createTable(isolation)) {
            assertThat(run(table, DELETE, DELETE_GROUPS)).isEqualTo(1000 - MATCHING);
            assertThat(countOf("SELECT count(*) FROM %s", table)).isEqualTo(0);
        }
        try (TestTable table = createTable(isolation)) {
            assertThat(run(table, DELETE_GROUPS, DELETE_GROUPS)).isEqualTo(0);
            assertThat(countOf("SELECT count(*) FROM \"%s$snapshots\"", table)).isEqualTo(2);
        }
    }

    /**
     * With snapshot isolation, the number is that of the version that the DELETE has read.
     */
    @Test
    void testSnapshotIsolation()
    {
        try (TestTable table = createTable("SNAPSHOT")) {
            assertThat(run(table, DELETE, DELETE)).isEqualTo(MATCHING);
            assertThat(countOf("SELECT count(*) FROM %s", table)).isEqualTo(1000 - MATCHING);
        }
    }

    /**
     * However the statements overlap, each row is in the number of one of them.
     */
    @Test
    void testConcurrentStatements()
            throws Exception
    {
        int clients = 3;
        try (TestTable table = createTable("SERIALIZABLE"); ExecutorService executor = Executors.newFixedThreadPool(clients)) {
            List<Future<Long>> deleted = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                deleted.add(executor.submit(() -> deleteUnlessConflict(table)));
            }
            ImmutableList.Builder<Long> counts = ImmutableList.builder();
            for (Future<Long> count : deleted) {
                counts.add(count.get());
            }
            assertThat(counts.build()).containsExactlyInAnyOrder((long) MATCHING, 0L, 0L);
            assertThat(countOf("SELECT count(*) FROM \"%s$snapshots\" WHERE operation = 'delete'", table)).isEqualTo(1);
        }
    }

    private long deleteUnlessConflict(TestTable table)
    {
        try {
            return execute(table, DELETE);
        }
        catch (QueryFailedException e) {
            assertTrinoExceptionThrownBy(() -> {
                throw e;
            }).hasErrorCode(TRANSACTION_CONFLICT);
            return 0;
        }
    }

    private TestTable createTable(String isolation)
    {
        return newTrinoTable("concurrent_deletes", "WITH (isolation_level = '%s') AS SELECT n id FROM UNNEST(sequence(1, 1000)) t (n)".formatted(isolation));
    }

    /**
     * @return the number of rows that the second statement has reported
     */
    private long run(TestTable table, String first, String second)
    {
        concurrent.set(() -> execute(table, first));
        long count = execute(table, second);
        assertThat(concurrent.isPending()).isFalse();
        return count;
    }

    private long execute(TestTable table, String sql)
    {
        return getQueryRunner().execute(sql.formatted(table.getName())).getUpdateCount().orElse(0);
    }

    private long countOf(String sql, TestTable table)
    {
        return (long) computeScalar(sql.formatted(table.getName()));
    }
}
