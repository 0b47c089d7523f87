package io.albis.trino.recovery;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.TestTier;
import io.albis.filesystem.CountingFileSystem;
import io.albis.table.HookedFileSystem;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ReclaimedSpace;
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
import org.junit.jupiter.params.provider.MethodSource;

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
 * which, unless it says that the outcome is unknown. In the end, the files that the statements have left can be
 * removed.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
@Timeout(3600)
final class TestAlbisStatementFaults
{
    private static final String SEED_PROPERTY = "faults.seed";
    private static final long SEED = Long.getLong(SEED_PROPERTY, System.nanoTime());
    // Random operations of each statement at which the storage fails. More than the statement has are all of them
    private static final int OPERATIONS = Integer.getInteger("faults.operations", TestTier.isComplete() ? 2 : 1);
    // Of how many statements one is tried if not all of them are
    private static final int STATEMENTS_DIVISOR = 4;
    // Of how many failed statements one is repeated
    private static final int REPEATED = 8;
    private static final int LEAST_OPERATIONS = 1;
    private static final int MOST_OPERATIONS = 10_000;

    private final StorageFault fault = new StorageFault();
    private Path folder;
    private TrinoFileSystem storage;
    private DistributedQueryRunner queryRunner;
    private ReclaimedSpace reclaimedSpace;

    @BeforeAll
    void start()
            throws Exception
    {
        System.out.println("Faults of storage by seed -D%s=%s".formatted(SEED_PROPERTY, SEED));
        folder = Files.createTempDirectory("albis-statement-faults");
        storage = new LocalFileSystem(folder);
        TrinoFileSystemFactory fileSystems = _ -> new CountingFileSystem(new HookedFileSystem(storage, fault, false), fault.reads());
        queryRunner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("albis").setSchema("s").build())
                .setWorkerCount(1)
                .build();
        queryRunner.installPlugin(new StoragePlugin(fileSystems));
        queryRunner.createCatalog("albis", "albis", ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                .put("albis.expire-snapshots.min-retention", "0s")
                .put("albis.remove-orphan-files.min-retention", "0s")
                .put("albis.vacuum.min-retention", "0s")
                .put("albis.register-table-procedure.enabled", "true")
                // Each statement reads all files again
                .put("albis.metadata-cache.max-size", "0B")
                .put("albis.manifest-cache.max-size", "0B")
                .buildOrThrow());
        reclaimedSpace = new ReclaimedSpace(queryRunner, "albis", folder);
        queryRunner.execute("CREATE SCHEMA s");
    }

    @AfterAll
    void stop()
            throws IOException
    {
        queryRunner.close();
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    static List<FaultyStatement> statements()
    {
        List<FaultyStatement> statements = new ArrayList<>(List.of(FaultyStatement.values()));
        if (OPERATIONS > 1) {
            return statements;
        }
        Collections.shuffle(statements, new Random(SEED));
        return ImmutableList.sortedCopyOf(statements.subList(0, statements.size() / STATEMENTS_DIVISOR));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void testBeforeOperation(FaultyStatement statement)
            throws IOException
    {
        check(statement, false);
    }

    @ParameterizedTest
    @MethodSource("statements")
    void testAfterOperation(FaultyStatement statement)
            throws IOException
    {
        check(statement, true);
    }

    private void check(FaultyStatement statement, boolean afterwards)
            throws IOException
    {
        Prepared prepared = prepare(statement);
        fault.arm(Integer.MAX_VALUE, false);
        queryRunner.execute(prepared.sql());
        int operations = fault.disarm();
        assertThat(operations).as(statement.toString()).isBetween(LEAST_OPERATIONS, MOST_OPERATIONS);
        State after = state(statement);
        assertThat(after.equals(prepared.before())).as("%s has no effect", statement).isEqualTo(statement.keepsRows());
        prepared.observedAfter().ifPresent(expected -> assertThat(after.observed()).as(statement.toString()).contains(expected));

        boolean asBefore = false;
        List<String> faults = new ArrayList<>();
        for (int position : positions(operations)) {
            if (!asBefore) {
                prepared = prepare(statement);
            }
            asBefore = checkFault(statement, prepared, after, position, afterwards);
            faults.add(fault.toString());
        }
        State remaining = state(statement);
        // The tasks of a statement that failed may still write or remove files
        assertEventually(() -> reclaimedSpace.check("%s, %s".formatted(statement, faults)));
        assertThat(state(statement)).as("%s, after files were removed", statement).isEqualTo(remaining);
    }

    /**
     * @param observed what the query of the statement returns; empty if its table does not exist
     * @param table the rows of the table {@code t}; empty if it does not exist
     */
    private record State(Optional<List<String>> observed, Optional<List<String>> table) {}

    private State state(FaultyStatement statement)
    {
        // In this order, because the first use of the new name completes a RENAME
        return new State(rows(statement.observed()), rows("SELECT * FROM t"));
    }

    /**
     * @param sql the statement
     * @param observedAfter what its query returns after it, as far as this is known before
     */
    private record Prepared(String sql, State before, Optional<List<String>> observedAfter) {}

    private static List<Integer> positions(int operations)
    {
        List<Integer> positions = new ArrayList<>();
        for (int position = 0; position < operations; position++) {
            positions.add(position);
        }
        Collections.shuffle(positions, new Random(SEED));
        // In their order, so that statements that succeed, after which the tables are created again, are the last ones
        return ImmutableList.sortedCopyOf(positions.subList(0, min(OPERATIONS, operations)));
    }

    /**
     * @return whether the tables are as before
     */
    private boolean checkFault(FaultyStatement statement, Prepared prepared, State after, int position, boolean afterwards)
            throws IOException
    {
        Set<String> filesBefore = files();
        fault.arm(position, afterwards);
        Optional<ErrorCode> error = execute(prepared.sql());
        fault.disarm();
        String description = "%s, %s, %s".formatted(statement, fault, error);
        assertEventually(() -> assertThat(fault.reads().open()).as(description).isEmpty());
        State state = state(statement);
        if (error.isEmpty()) {
            assertThat(state).as(description).isEqualTo(after);
            return false;
        }
        if (error.get().equals(ALBIS_COMMIT_ERROR.toErrorCode())) {
            assertThat(state).as(description).isIn(prepared.before(), after);
            return false;
        }
        assertThat(error).as(description).contains(ALBIS_FILESYSTEM_ERROR.toErrorCode());
        assertThat(state).as(description).isEqualTo(prepared.before());
        if (statement.removesFiles() && fault.isStruck() && !fault.isAtDelete()) {
            // The tasks may still be removing their files
            assertEventually(() -> assertThat(files()).as(description).isEqualTo(filesBefore));
        }
        if (position % REPEATED != 0) {
            return true;
        }
        queryRunner.execute(prepared.sql());
        assertThat(state(statement)).as(description + ", and again").isEqualTo(after);
        return false;
    }

    /**
     * Creates the tables as they are before each statement: three row groups, two of them with deleted rows.
     */
    private Prepared prepare(FaultyStatement statement)
    {
        queryRunner.execute("DROP MATERIALIZED VIEW IF EXISTS m");
        queryRunner.execute("DROP VIEW IF EXISTS v");
        queryRunner.execute("DROP VIEW IF EXISTS w");
        queryRunner.execute("DROP SCHEMA IF EXISTS other");
        for (String table : ImmutableList.of("t", "created", "renamed", "registered", "partitioned")) {
            queryRunner.execute("DROP TABLE IF EXISTS " + table);
        }
        queryRunner.execute("CREATE TABLE t WITH (row_group_rows = 20, column_groups = ARRAY[ARRAY['id'], ARRAY['name']]) AS SELECT id, 'name ' || cast(id AS varchar) name FROM UNNEST(sequence(1, 60)) n (id)");
        queryRunner.execute("DELETE FROM t WHERE id IN (5, 25)");
        String location = (String) queryRunner.execute("SELECT value FROM \"t$properties\" WHERE key = 'location'").getOnlyValue();
        statement.setup().forEach(queryRunner::execute);
        return new Prepared(statement.sql(location), state(statement), statement.observedAfter().map(this::query));
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
     * Returns the rows of a query in an order that is always the same, or nothing if its table does not exist.
     */
    private Optional<List<String>> rows(String sql)
    {
        try {
            return Optional.of(query(sql));
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
