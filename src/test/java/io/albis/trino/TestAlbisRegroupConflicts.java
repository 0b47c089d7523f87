package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.MaterializedResult;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.stream.Stream;

import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * ALTER TABLE EXECUTE regroup while other statements commit, and the other way round.
 */
@Execution(SAME_THREAD)
final class TestAlbisRegroupConflicts
        extends BaseRegroupTest
{
    TestAlbisRegroupConflicts()
    {
        super(1);
    }

    @Test
    @Tag("slow")
    void testOtherStatementsDuringRegroup()
    {
        assertCommutes("INSERT INTO %s VALUES (100, 0, 0)", REGROUP);
        assertCommutes("DELETE FROM %s WHERE id = 25", REGROUP);
        // a single row is updated by a delete and an insert
        assertCommutes("UPDATE %s SET b = 7 WHERE id = 25", REGROUP);
        // updates in place
        assertConflicts("UPDATE %s SET b = 7", REGROUP);
        assertConflicts("ALTER TABLE %s ADD COLUMN d bigint", REGROUP);
    }

    @Test
    @Tag("slow")
    void testMoreStatementsDuringRegroup()
    {
        assertCommutes("DELETE FROM %s WHERE id <= 10", REGROUP);
        assertCommutes("DELETE FROM %s", REGROUP);
        assertCommutes("TRUNCATE TABLE %s", REGROUP);
        assertCommutes("MERGE INTO %s t USING (VALUES 7) s (v) ON id = v WHEN MATCHED THEN DELETE", REGROUP);
        assertCommutes("ALTER TABLE %s EXECUTE optimize", REGROUP);
        assertCommutes("ALTER TABLE %s RENAME COLUMN a TO z", REGROUP);
        assertCommutes("COMMENT ON TABLE %s IS 'x'", REGROUP);
        assertCommutes(REGROUP, REGROUP);
        assertCommutes("UPDATE %s SET b = 7 WHERE id > 20", REGROUP + " WHERE id < 20");
        assertConflicts(GROUPS + "ARRAY['a', 'b', 'id']])", REGROUP);
        assertConflicts("CREATE OR REPLACE TABLE %s AS SELECT 1 id, 2 a, 3 b", REGROUP);
        assertConflicts("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)", REGROUP);
    }

    /**
     * The new row groups of an optimize that began before have the old column groups.
     */
    @Test
    void testRegroupDuringOptimize()
    {
        assertConflicts(REGROUP, "ALTER TABLE %s EXECUTE optimize");
    }

    /**
     * The commits of the INSERT statements write the manifests again, without the files of the dropped column.
     */
    @Test
    void testInsertsDuringOptimizeAfterADroppedColumn()
    {
        try (TestTable table = createTable("'SERIALIZABLE'")) {
            assertUpdate("ALTER TABLE %s DROP COLUMN b".formatted(table.getName()));
            concurrent.set(() -> {
                for (int i = 0; i < 8; i++) {
                    getQueryRunner().execute("INSERT INTO %s VALUES (100, 0)".formatted(table.getName()));
                }
            });
            getQueryRunner().execute("ALTER TABLE %s EXECUTE optimize".formatted(table.getName()));
            assertThat(concurrent.isPending()).isFalse();
            assertThat(query("SELECT count(*), sum(id) FROM " + table.getName())).matches("VALUES (BIGINT '38', BIGINT '1265')");
            assertThat(rowGroups(table)).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "INSERT INTO %s VALUES (100, 0, 0)",
            "INSERT INTO %1$s SELECT id + 100, a, b FROM %1$s WHERE id = 7",
            "DELETE FROM %s WHERE id = 25",
            "DELETE FROM %s WHERE mod(id, 10) = 1",
            "DELETE FROM %s WHERE id <= 10",
            "UPDATE %s SET b = 7 WHERE id = 25",
            "UPDATE %s SET b = 7",
            "UPDATE %s SET b = id, a = -1 WHERE mod(id, 3) <> 0",
            "MERGE INTO %s t USING (VALUES 7, 70) s (v) ON id = v WHEN MATCHED THEN UPDATE SET b = v WHEN NOT MATCHED THEN INSERT VALUES (v, v, v)",
    })
    void testRegroupDuringOtherStatements(String statement)
    {
        assertCommutes(REGROUP, statement);
    }

    /**
     * With this isolation level, too, no change is lost.
     */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM %s WHERE id = 25", "DELETE FROM %s WHERE id <= 10", "UPDATE %s SET b = 7"})
    void testSnapshotIsolation(String statement)
    {
        try (TestTable table = createTable("'SNAPSHOT'"); TestTable expected = createTable("'SNAPSHOT'")) {
            run(table, REGROUP, statement);
            getQueryRunner().execute(statement.formatted(expected.getName()));
            assertSameRows(table, expected);
        }
    }

    /**
     * A statement that began before a regrouping and an update in place is still refused, with the one after the other
     * in both orders.
     */
    @Test
    @Tag("slow")
    void testRegroupAndUpdateDuringOtherStatements()
    {
        for (boolean regroupFirst : new boolean[] {false, true}) {
            for (String statement : ImmutableList.of("UPDATE %s SET b = b + 1", "DELETE FROM %s WHERE b = 0 AND id <= 15", "INSERT INTO %1$s SELECT id + 100, a, b FROM %1$s")) {
                try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
                    String update = "UPDATE %s SET b = b + 1";
                    concurrent.set(() -> {
                        getQueryRunner().execute((regroupFirst ? REGROUP : update).formatted(table.getName()));
                        getQueryRunner().execute((regroupFirst ? update : REGROUP).formatted(table.getName()));
                    });
                    assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(statement.formatted(table.getName()))).as("%s %s", regroupFirst, statement)
                            .hasErrorCode(TRANSACTION_CONFLICT);
                    getQueryRunner().execute(update.formatted(expected.getName()));
                    assertSameRows(table, expected);
                }
            }
        }
    }

    /**
     * Two regroupings and a delete between the begin and the end of a statement. The versions between them expire, so
     * it is not known any more that the values are the same.
     */
    @Test
    void testVersionsBetween()
    {
        for (boolean expire : new boolean[] {false, true}) {
            try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
                getQueryRunner().execute("DELETE FROM %s WHERE id = 25".formatted(expected.getName()));
                concurrent.set(() -> {
                    if (expire) {
                        getQueryRunner().execute("ALTER TABLE %s EXECUTE create_tag(name => 'base')".formatted(table.getName()));
                    }
                    getQueryRunner().execute((GROUPS + "ARRAY['a', 'b', 'id']])").formatted(table.getName()));
                    getQueryRunner().execute("DELETE FROM %s WHERE id = 25".formatted(table.getName()));
                    getQueryRunner().execute(REGROUP.formatted(table.getName()));
                    if (expire) {
                        getQueryRunner().execute("ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(table.getName()));
                    }
                });
                String statement = "DELETE FROM %s WHERE mod(id, 10) = 1";
                if (expire) {
                    assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(statement.formatted(table.getName()))).hasErrorCode(TRANSACTION_CONFLICT);
                }
                else {
                    getQueryRunner().execute(statement.formatted(table.getName()));
                    getQueryRunner().execute(statement.formatted(expected.getName()));
                }
                assertSameRows(table, expected);
            }
        }
    }

    /**
     * Each statement that has succeeded is counted once in the rows, whatever ran at the same time.
     */
    @Test
    @Timeout(300)
    void testConcurrentStatements()
            throws Exception
    {
        try (TestTable table = createTable("'SERIALIZABLE'")) {
            List<String> statements = Stream.of(
                            "UPDATE %s SET b = b + 1 WHERE id = 7",
                            "UPDATE %s SET b = b + 1 WHERE id IN (11, 12, 13, 14, 15, 16, 17, 18) AND id = 12",
                            "MERGE INTO %s t USING (VALUES 17) s (v) ON id = v WHEN MATCHED THEN UPDATE SET b = b + 1",
                            "INSERT INTO %s VALUES (100, 0, 0)",
                            "ALTER TABLE %s EXECUTE optimize WHERE id < 10",
                            GROUPS + "ARRAY['a', 'b', 'id']])",
                            REGROUP)
                    .map(sql -> sql.formatted(table.getName()))
                    .toList();
            ConcurrentStatements.run(getQueryRunner(), statements, 6, "(?s).*Retry the statement.*");
            MaterializedResult expected = computeActual("SELECT 28 + count_if(operation = 'append'), BIGINT '31', count_if(operation = 'overwrite') FROM \"%s$snapshots\"".formatted(table.getName()));
            assertThat(computeActual("SELECT count(*), count(DISTINCT id), sum(b) FROM " + table.getName()).getMaterializedRows()).isEqualTo(expected.getMaterializedRows());
            assertThat((long) computeScalar("SELECT count_if(operation = 'regroup') FROM \"%s$snapshots\"".formatted(table.getName()))).isPositive();
        }
    }

    private void assertCommutes(String first, String second)
    {
        try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
            try {
                run(table, first, second);
            }
            catch (RuntimeException e) {
                throw new AssertionError("%s during %s".formatted(first, second), e);
            }
            for (String statement : ImmutableList.of(first, second)) {
                if (!statement.contains("EXECUTE")) {
                    getQueryRunner().execute(statement.formatted(expected.getName()));
                }
            }
            assertSameRows(table, expected);
            // both have changed the table
            assertThat((String) computeScalar("SHOW CREATE TABLE " + table.getName())).contains("ARRAY[ARRAY['b','id']");
            assertThat(regroup(table, REGROUP.replace("'a'", first.contains("RENAME") || second.contains("RENAME") ? "'z'" : "'a'"))).containsEntry("too_large_row_groups_count", 0L);
            assertSameRows(table, expected);
        }
    }

    private void assertConflicts(String first, String second)
    {
        try (TestTable table = createTable("'SERIALIZABLE'"); TestTable expected = createTable("'SERIALIZABLE'")) {
            long before = version(table);
            assertTrinoExceptionThrownBy(() -> run(table, first, second)).as("%s, %s", first, second)
                    .hasErrorCode(TRANSACTION_CONFLICT)
                    .hasMessageContaining("Retry the statement");
            assertThat(version(table)).isEqualTo(before + 1);
            if (!first.contains("regroup")) {
                getQueryRunner().execute(first.formatted(expected.getName()));
            }
            assertSameRows(table, expected);
        }
    }
}
