package io.albis.trino.recovery;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.TestTier;
import io.albis.filesystem.CountingFileSystem;
import io.albis.table.HookedFileSystem;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.StoragePlugin;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.ErrorCode;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.spi.StandardErrorCode.TABLE_NOT_FOUND;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static io.trino.testing.assertions.Assert.assertEventually;
import static java.lang.Math.min;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * The storage fails at single operations of a whole statement that the engine runs, including each read, before or
 * after the operation took effect. Afterward, the table is as before the statement or as after it, and the error says
 * which, unless it says that the outcome is unknown.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
@Timeout(3600)
final class TestAlbisStatementFaults
{
    private static final String SEED = "faults.seed";
    // Random operations of each statement at which the storage fails. More than the statement has are all of them
    private static final int OPERATIONS = Integer.getInteger("faults.operations", TestTier.isComplete() ? 20 : 1);
    // Of how many failed statements one is repeated
    private static final int REPEATED = 8;
    private static final int LEAST_OPERATIONS = 5;
    private static final int MOST_OPERATIONS = 10_000;

    private final StorageFault fault = new StorageFault();
    private Path folder;
    private TrinoFileSystem storage;
    private DistributedQueryRunner queryRunner;

    enum Statement
    {
        CREATE("CREATE TABLE created (id bigint, name varchar)", "created", "SELECT id, name FROM t WHERE false"),
        CREATE_AS("CREATE TABLE created WITH (row_group_rows = 20) AS SELECT * FROM t WHERE id > 10", "created", "SELECT * FROM t WHERE id > 10"),
        DROP("DROP TABLE t", "t", ""),
        INSERT("INSERT INTO t SELECT id + 1000, name FROM t WHERE id % 2 = 0", "t", "SELECT * FROM t UNION ALL SELECT id + 1000, name FROM t WHERE id % 2 = 0"),
        INSERT_INTO_PARTITIONS("INSERT INTO partitioned SELECT id + 100, name FROM t", "partitioned", "SELECT * FROM partitioned UNION ALL SELECT id + 100, name FROM t"),
        DELETE("DELETE FROM t WHERE name LIKE '%3'", "t", "SELECT * FROM t WHERE name NOT LIKE '%3'"),
        DELETE_ROW_GROUPS("DELETE FROM t WHERE id <= 20", "t", "SELECT * FROM t WHERE id > 20"),
        TRUNCATE("TRUNCATE TABLE t", "t", "SELECT * FROM t WHERE false"),
        UPDATE("UPDATE t SET name = 'updated' WHERE id = 7", "t", "SELECT id, if(id = 7, 'updated', name) FROM t"),
        UPDATE_IN_PLACE("UPDATE t SET name = name || 'x' WHERE id <= 40", "t", "SELECT id, if(id <= 40, name || 'x', name) FROM t"),
        MERGE("MERGE INTO t USING (VALUES 1, 2, 33, -1) s (k) ON id = k WHEN MATCHED AND id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET name = 'merged' WHEN NOT MATCHED THEN INSERT VALUES (k, 'new')",
                "t",
                "SELECT id, if(id IN (1, 33), 'merged', name) FROM t WHERE id <> 2 UNION ALL SELECT -1, 'new'"),
        REPLACE("CREATE OR REPLACE TABLE t AS SELECT * FROM t WHERE id > 30", "t", "SELECT * FROM t WHERE id > 30"),
        ADD_COLUMN("ALTER TABLE t ADD COLUMN added bigint DEFAULT 7", "t", "SELECT *, 7 FROM t"),
        OPTIMIZE("ALTER TABLE t EXECUTE optimize(row_group_size => '1MB')", "t", "SELECT * FROM t"),
        REGROUP("ALTER TABLE t EXECUTE regroup(column_groups => ARRAY[ARRAY['name', 'id']])", "t", "SELECT * FROM t"),
        ADD_INDEX("ALTER TABLE t EXECUTE add_index(columns => ARRAY['name'])", "t", "SELECT * FROM t"),
        /**/;

        private final String sql;
        private final String table;
        private final String rowsAfter;

        /**
         * @param table the table that the statement changes
         * @param rowsAfter a query of the rows that the table has after the statement, which runs before it; empty if
         *         the table does not exist after it
         */
        Statement(String sql, String table, String rowsAfter)
        {
            this.sql = sql;
            this.table = table;
            this.rowsAfter = rowsAfter;
        }
    }

    @BeforeAll
    void start()
            throws Exception
    {
        folder = Files.createTempDirectory("albis-statement-faults");
        storage = new LocalFileSystem(folder);
        TrinoFileSystemFactory fileSystems = _ -> new CountingFileSystem(new HookedFileSystem(storage, fault, false), fault.reads());
        queryRunner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("albis").setSchema("s").build())
                .setWorkerCount(1)
                .build();
        queryRunner.installPlugin(new StoragePlugin(fileSystems));
        queryRunner.createCatalog("albis", "albis", ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                // Each statement reads all files again
                .put("albis.metadata-cache.max-size", "0B")
                .put("albis.manifest-cache.max-size", "0B")
                .buildOrThrow());
        queryRunner.execute("CREATE SCHEMA s");
    }

    @AfterAll
    void stop()
            throws IOException
    {
        queryRunner.close();
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    @ParameterizedTest
    @EnumSource
    void testBeforeOperation(Statement statement)
            throws IOException
    {
        check(statement, false);
    }

    @ParameterizedTest
    @EnumSource
    void testAfterOperation(Statement statement)
            throws IOException
    {
        check(statement, true);
    }

    private void check(Statement statement, boolean afterwards)
            throws IOException
    {
        int operations = countOperations(statement);
        assertThat(operations).isBetween(LEAST_OPERATIONS, MOST_OPERATIONS);
        Optional<Tables> tables = Optional.empty();
        for (int position : positions(operations)) {
            if (tables.isEmpty()) {
                tables = Optional.of(prepare(statement));
            }
            if (!checkFault(statement, tables.get(), position, afterwards)) {
                tables = Optional.empty();
            }
        }
    }

    /**
     * @param before the rows of the table of the statement; empty if it does not exist
     * @param after the same after the statement
     */
    private record Tables(Optional<List<String>> before, Optional<List<String>> after) {}

    private Tables prepare(Statement statement)
    {
        prepare();
        return new Tables(rows(statement.table), statement.rowsAfter.isEmpty() ? Optional.empty() : Optional.of(query(statement.rowsAfter)));
    }

    private int countOperations(Statement statement)
    {
        prepare();
        fault.arm(Integer.MAX_VALUE, false);
        queryRunner.execute(statement.sql);
        return fault.disarm();
    }

    private static List<Integer> positions(int operations)
    {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.println("Faults of storage by seed -D%s=%s".formatted(SEED, seed));
        List<Integer> positions = new ArrayList<>();
        for (int position = 0; position < operations; position++) {
            positions.add(position);
        }
        Collections.shuffle(positions, new Random(seed));
        // In their order, so that statements that succeed, after which the tables are created again, are the last ones
        return ImmutableList.sortedCopyOf(positions.subList(0, min(OPERATIONS, operations)));
    }

    /**
     * @return whether the tables are as before
     */
    private boolean checkFault(Statement statement, Tables tables, int position, boolean afterwards)
            throws IOException
    {
        Set<String> filesBefore = files();
        fault.arm(position, afterwards);
        Optional<ErrorCode> error = execute(statement.sql);
        fault.disarm();
        String description = "%s, %s, %s".formatted(statement, fault, error);
        assertEventually(() -> assertThat(fault.reads().open()).as(description).isEmpty());
        Optional<List<String>> rows = rows(statement.table);
        if (error.isEmpty()) {
            assertThat(rows).as(description).isEqualTo(tables.after());
            return false;
        }
        if (error.get().equals(ALBIS_COMMIT_ERROR.toErrorCode())) {
            assertThat(rows).as(description).isIn(tables.before(), tables.after());
            return false;
        }
        assertThat(error).as(description).contains(ALBIS_FILESYSTEM_ERROR.toErrorCode());
        assertThat(rows).as(description).isEqualTo(tables.before());
        if (isLoad(statement) && fault.isStruck() && !fault.isAtDelete()) {
            // The tasks may still be removing their files
            assertEventually(() -> assertThat(files()).as(description).isEqualTo(filesBefore));
        }
        if (position % REPEATED != 0) {
            return true;
        }
        queryRunner.execute(statement.sql);
        assertThat(rows(statement.table)).as(description + ", and again").isEqualTo(tables.after());
        return false;
    }

    /**
     * The engine drops the writers of row-level changes if another task fails, and their files stay.
     */
    private static boolean isLoad(Statement statement)
    {
        return switch (statement) {
            case INSERT, INSERT_INTO_PARTITIONS, REPLACE -> true;
            // The folder of a table that was not created stays, because a late DELETE could harm the next attempt
            case CREATE, CREATE_AS, DROP, DELETE, DELETE_ROW_GROUPS, TRUNCATE, UPDATE, UPDATE_IN_PLACE, MERGE, ADD_COLUMN, OPTIMIZE, REGROUP, ADD_INDEX -> false;
        };
    }

    /**
     * Creates the tables as they are before each statement: three row groups, two of them with deleted rows.
     */
    private void prepare()
    {
        queryRunner.execute("DROP TABLE IF EXISTS created");
        queryRunner.execute("CREATE OR REPLACE TABLE t WITH (row_group_rows = 20, column_groups = ARRAY[ARRAY['id'], ARRAY['name']]) AS SELECT id, 'name ' || cast(id AS varchar) name FROM UNNEST(sequence(1, 60)) n (id)");
        queryRunner.execute("DELETE FROM t WHERE id IN (5, 25)");
        queryRunner.execute("CREATE OR REPLACE TABLE partitioned WITH (partitioned_by = ARRAY['bucket(id, 2)'], sorted_by = ARRAY['name'], indexed_by = ARRAY['name']) AS SELECT * FROM t WHERE id < 10");
    }

    private Optional<ErrorCode> execute(String sql)
    {
        try {
            queryRunner.execute(sql);
            return Optional.empty();
        }
        catch (QueryFailedException e) {
            return Optional.of(queryRunner.getCoordinator().getDispatchManager().getQueryInfo(e.getQueryId()).getErrorCode());
        }
    }

    /**
     * Returns the rows of a table in an order that is always the same, or nothing if the table does not exist.
     */
    private Optional<List<String>> rows(String table)
    {
        try {
            return Optional.of(query("SELECT * FROM " + table));
        }
        catch (QueryFailedException e) {
            assertThat(queryRunner.getCoordinator().getDispatchManager().getQueryInfo(e.getQueryId()).getErrorCode()).as(e.getMessage()).isEqualTo(TABLE_NOT_FOUND.toErrorCode());
            return Optional.empty();
        }
    }

    private List<String> query(String sql)
    {
        return queryRunner.execute(sql).getMaterializedRows().stream()
                .map(row -> row.getFields().toString())
                .sorted()
                .collect(toImmutableList());
    }

    /**
     * Returns all files but hints, which say where to look first.
     */
    private Set<String> files()
            throws IOException
    {
        ImmutableSet.Builder<String> files = ImmutableSet.builder();
        FileIterator iterator = storage.listFiles(Location.of("local:///"));
        while (iterator.hasNext()) {
            String file = iterator.next().location().toString();
            if (!file.endsWith("/hint")) {
                files.add(file);
            }
        }
        return files.build();
    }
}
