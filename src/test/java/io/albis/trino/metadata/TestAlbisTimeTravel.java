package io.albis.trino.metadata;

import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.spi.type.TimeZoneKey;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.testing.TestingNames.randomNameSuffix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * FOR VERSION AS OF and FOR TIMESTAMP AS OF.
 */
final class TestAlbisTimeTravel
        extends AbstractTestQueryFramework
{
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().build();
    }

    /**
     * Creates a table with the versions 1 (no row), 2 (1), 3 (1, 2), 4 (2), and 5 (no row).
     */
    private TestTable newChangedTable()
    {
        TestTable table = newTrinoTable("changed", "(a bigint)");
        assertUpdate("INSERT INTO %s VALUES 1".formatted(table.getName()), 1);
        assertUpdate("INSERT INTO %s VALUES 2".formatted(table.getName()), 1);
        assertUpdate("DELETE FROM %s WHERE a = 1".formatted(table.getName()), 1);
        assertUpdate("TRUNCATE TABLE " + table.getName());
        return table;
    }

    private List<Instant> commitTimes(String name)
    {
        return computeActual("SELECT committed_at FROM \"%s$snapshots\" ORDER BY snapshot_id".formatted(name)).getOnlyColumn()
                .map(time -> ((ZonedDateTime) time).toInstant())
                .collect(toImmutableList());
    }

    /**
     * The queries of a transaction read the same version.
     */
    @Test
    void testTransaction()
    {
        try (TestTable table = newTrinoTable("read_twice", "AS SELECT 1 a")) {
            String count = "SELECT count(*) FROM " + table.getName();
            newTransaction().readOnly().execute(getSession(), session -> {
                assertThat(getQueryRunner().execute(session, count).getOnlyValue()).isEqualTo(1L);
                assertUpdate("INSERT INTO %s VALUES 2".formatted(table.getName()), 1);
                assertThat(getQueryRunner().execute(session, count).getOnlyValue()).isEqualTo(1L);
            });
            assertQuery(count, "VALUES 2");
        }
    }

    /**
     * The engine does not check the procedures that the coordinator alone runs.
     */
    @Test
    void testProceduresInTransactions()
    {
        try (TestTable table = newTrinoTable("not_changed", "AS SELECT 1 a")) {
            assertUpdate("INSERT INTO %s VALUES 2".formatted(table.getName()), 1);
            for (String procedure : List.of("rollback_to_snapshot(1)", "create_tag('first', 1)", "set_not_null('a')", "expire_snapshots", "remove_orphan_files", "optimize")) {
                String sql = "ALTER TABLE %s EXECUTE %s".formatted(table.getName(), procedure);
                assertThatThrownBy(() -> newTransaction().execute(getSession(), session -> {
                    getQueryRunner().execute(session, sql);
                })).as(sql)
                        .hasMessageContaining("Catalog only supports writes using autocommit");
                assertThatThrownBy(() -> newTransaction().readOnly().execute(getSession(), session -> {
                    getQueryRunner().execute(session, sql);
                })).as(sql)
                        .hasMessageContaining("Cannot execute write in a read-only transaction");
            }
            assertQuery("SELECT max(snapshot_id), count(*) FROM \"%s$snapshots\"".formatted(table.getName()), "VALUES (2, 2)");
        }
    }

    /**
     * The rows are read again after each statement of other sessions. Expiry and vacuum have their default retention.
     */
    @Test
    void testTransactionBesideOtherStatements()
    {
        String name = "read_again_" + randomNameSuffix();
        assertUpdate("CREATE TABLE %s WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']]) AS SELECT n a, 10 * n b FROM UNNEST(sequence(1, 100)) t (n)".formatted(name), 100);
        String rows = "SELECT * FROM %s WHERE b > 500".formatted(name);
        newTransaction().readOnly().execute(getSession(), session -> {
            List<MaterializedRow> expected = getQueryRunner().execute(session, rows).getMaterializedRows();
            assertThat(expected).hasSize(50);
            for (String statement : List.of(
                    // in place
                    "UPDATE %s SET b = 7",
                    "DELETE FROM %s WHERE mod(a, 2) = 0",
                    "ALTER TABLE %s EXECUTE optimize",
                    "ALTER TABLE %s EXECUTE regroup(column_groups => ARRAY[ARRAY['a', 'b']])",
                    "ALTER TABLE %s EXECUTE expire_snapshots",
                    "ALTER TABLE %s EXECUTE remove_orphan_files",
                    "TRUNCATE TABLE %s",
                    "CREATE OR REPLACE TABLE %s AS SELECT 'x' c",
                    "ALTER TABLE %1$s RENAME TO %1$s_renamed",
                    "CREATE TABLE %s (b date)",
                    "DROP TABLE %s",
                    "DROP TABLE %s_renamed",
                    "CALL system.vacuum()")) {
                getQueryRunner().execute(statement.formatted(name));
                assertThat(getQueryRunner().execute(session, rows).getMaterializedRows()).as(statement).containsExactlyInAnyOrderElementsOf(expected);
            }
        });
        assertQueryFails(rows, ".* does not exist");
    }

    @Test
    void testSystemTables()
    {
        try (TestTable table = newChangedTable()) {
            assertQueryFails("SELECT * FROM \"%s$files\" FOR VERSION AS OF 2".formatted(table.getName()), "(?s).*version.*");
        }
    }

    @Test
    void testVersion()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            assertQueryReturnsEmptyResult("SELECT * FROM %s FOR VERSION AS OF 1".formatted(name));
            assertQuery("SELECT * FROM %s FOR VERSION AS OF TINYINT '2'".formatted(name), "VALUES 1");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF SMALLINT '3'".formatted(name), "VALUES 1, 2");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF BIGINT '4'".formatted(name), "VALUES 2");
            assertQueryReturnsEmptyResult("SELECT * FROM %s FOR VERSION AS OF 5".formatted(name));
            assertQueryReturnsEmptyResult("SELECT * FROM " + name);

            // several versions in one query, with predicates, hidden columns, and statistics
            assertQuery("SELECT (SELECT count(*) FROM %1$s), (SELECT sum(a) FROM %1$s FOR VERSION AS OF 3), (SELECT sum(a) FROM %1$s FOR VERSION AS OF 2)".formatted(name), "VALUES (0, 3, 1)");
            assertQuery("SELECT n.a FROM %1$s FOR VERSION AS OF 3 n LEFT JOIN %1$s FOR VERSION AS OF 4 o ON n.a = o.a WHERE o.a IS NULL".formatted(name), "VALUES 1");
            assertQuery("SELECT a FROM %s FOR VERSION AS OF 3 WHERE a > 1".formatted(name), "VALUES 2");
            assertQuery("SELECT \"$row_position\" FROM %s FOR VERSION AS OF 4".formatted(name), "VALUES 0");
            assertQuery("SHOW STATS FOR (SELECT * FROM %s FOR VERSION AS OF 3)".formatted(name), "VALUES ('a', NULL, 2.0, 0.0, NULL, '1', '2'), (NULL, NULL, NULL, NULL, 2.0, NULL, NULL)");
            assertQuery("SHOW STATS FOR (SELECT * FROM %s FOR VERSION AS OF 2)".formatted(name), "VALUES ('a', NULL, 1.0, 0.0, NULL, '1', '1'), (NULL, NULL, NULL, NULL, 1.0, NULL, NULL)");

            for (String version : List.of("0", "-1", "6", "BIGINT '9223372036854775807'")) {
                assertQueryFails("SELECT * FROM %s FOR VERSION AS OF %s".formatted(name, version), "Table 'tpch.%s' has no version -?\\d+. Its versions are between 1 and 5".formatted(name));
            }
            assertQueryFails("SELECT * FROM %s FOR VERSION AS OF 'x'".formatted(name), "Table 'tpch.%s' has no tag 'x'. It has no tags".formatted(name));
            assertQueryFails("SELECT * FROM %s FOR VERSION AS OF 1e0".formatted(name), "Unsupported type for table version: double.*");
            assertQueryFails("SELECT * FROM no_such_table FOR VERSION AS OF 1", ".* Table 'albis.tpch.no_such_table' does not exist");
        }
    }

    @Test
    void testTimestamp()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            List<Instant> times = commitTimes(name);
            List<String> sums = List.of("NULL", "1", "3", "2", "NULL");
            for (String zone : List.of("UTC", "America/New_York", "Asia/Kolkata")) {
                Session session = Session.builder(getSession()).setTimeZoneKey(TimeZoneKey.getTimeZoneKey(zone)).build();
                for (int i = 0; i < times.size(); i++) {
                    String expected = "VALUES CAST(%s AS bigint)".formatted(sums.get(i));
                    // the boundary belongs to the version
                    LocalDateTime local = LocalDateTime.ofInstant(times.get(i), ZoneId.of(zone));
                    for (String fraction : List.of("", "999")) {
                        String text = MILLIS.format(local) + fraction;
                        assertQuery(session, "SELECT sum(a) FROM %s FOR TIMESTAMP AS OF TIMESTAMP '%s'".formatted(name, text), expected);
                        assertQuery(session, "SELECT sum(a) FROM %s FOR TIMESTAMP AS OF TIMESTAMP '%s %s'".formatted(name, text, zone), expected);
                    }
                }
                String before = MILLIS.format(LocalDateTime.ofInstant(times.getFirst().minusMillis(1), ZoneId.of(zone)));
                assertQueryFails(session, "SELECT * FROM %s FOR TIMESTAMP AS OF TIMESTAMP '%s'".formatted(name, before), "Table 'tpch.%s' has no version of .* or before. The oldest is version 1 of %s".formatted(name, times.getFirst()));
                assertQueryFails(session, "SELECT * FROM %s FOR TIMESTAMP AS OF DATE '2020-01-01'".formatted(name), ".*The oldest is version 1 of .*");
            }
            for (int i = 1; i < times.size(); i++) {
                String before = MILLIS.format(LocalDateTime.ofInstant(times.get(i).minusMillis(1), ZoneId.of("UTC")));
                assertQuery("SELECT sum(a) FROM %s FOR TIMESTAMP AS OF TIMESTAMP '%s UTC'".formatted(name, before), "VALUES CAST(%s AS bigint)".formatted(sums.get(i - 1)));
            }
        }
    }

    /**
     * After old versions have expired, an error names the oldest that remains. A version that a tag keeps is found by
     * its tag or number only, because it is unknown until when it was the newest.
     */
    @Test
    void testExpiredVersions()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s EXECUTE create_tag(name => 'kept', snapshot_id => 2)".formatted(name));
            List<Instant> times = commitTimes(name);
            expireAll(name);
            assertQuery("SELECT snapshot_id FROM \"%s$snapshots\"".formatted(name), "VALUES 2, 6, 7");
            assertQuery("SELECT snapshot_id FROM \"%s$history\"".formatted(name), "VALUES 2, 6, 7");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 2".formatted(name), "VALUES 1");
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 'kept'".formatted(name), "VALUES 1");
            assertQueryReturnsEmptyResult("SELECT * FROM %s FOR TIMESTAMP AS OF TIMESTAMP '%s UTC'".formatted(name, utc(times.get(5))));
            assertQueryFails("SELECT * FROM %s FOR TIMESTAMP AS OF TIMESTAMP '%s UTC'".formatted(name, utc(times.get(2))), ".* The oldest is version 6 of %s. Earlier versions have expired, .*".formatted(times.get(5)));
            String expired = "Table 'tpch.%s' has no version 3 any more, because it has expired. Its versions are 2 and those between 6 and 7".formatted(name);
            assertQueryFails("SELECT * FROM %s FOR VERSION AS OF 3".formatted(name), expired);
            assertQueryFails("ALTER TABLE %s EXECUTE rollback_to_snapshot(3)".formatted(name), expired);
            assertQueryFails("ALTER TABLE %s EXECUTE create_tag(name => 'x', snapshot_id => 3)".formatted(name), expired);

            assertUpdate("ALTER TABLE %s EXECUTE drop_tag(name => 'kept')".formatted(name));
            expireAll(name);
            assertQueryFails("SELECT * FROM %s FOR VERSION AS OF 2".formatted(name), "Table 'tpch.%s' has no version 2 any more, .*".formatted(name));
            assertUpdate("INSERT INTO %s VALUES 7".formatted(name), 1);
            assertQuery("SELECT * FROM " + name, "VALUES 7");
        }
    }

    private void expireAll(String name)
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(getSession().getCatalog().orElseThrow(), "expire_snapshots_min_retention", "0s")
                .build();
        computeActual(session, "ALTER TABLE %s EXECUTE expire_snapshots(retention_threshold => '0s')".formatted(name));
    }

    @Test
    void testPreparedStatementAndSelfInsert()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            Session session = Session.builder(getSession())
                    .addPreparedStatement("old", "SELECT * FROM %s FOR VERSION AS OF 3 WHERE a > ?".formatted(name))
                    .build();
            assertQuery(session, "EXECUTE old USING 1", "VALUES 2");
            assertUpdate("CREATE VIEW memory.default.%s AS SELECT * FROM albis.tpch.%s FOR VERSION AS OF 3".formatted(name, name));
            assertQuery("SELECT * FROM memory.default." + name, "VALUES 1, 2");
            assertUpdate("DROP VIEW memory.default." + name);
            assertUpdate("INSERT INTO %1$s SELECT a FROM %1$s FOR VERSION AS OF 3".formatted(name), 2);
            assertQuery("SELECT * FROM " + name, "VALUES 1, 2");
            assertQuery("DESCRIBE " + name, "VALUES ('a', 'bigint', '', '')");
            assertUpdate("DELETE FROM %1$s WHERE a IN (SELECT a FROM %1$s FOR VERSION AS OF 2)".formatted(name), 1);
            assertQuery("SELECT * FROM " + name, "VALUES 2");
            assertUpdate("CREATE TABLE %1$s_copy AS SELECT * FROM %1$s FOR VERSION AS OF 3".formatted(name), 2);
            assertUpdate("DROP TABLE %s_copy".formatted(name));
        }
    }

    /**
     * The old versions belong to the table whatever its name is, and a new table of the name has none of them.
     */
    @Test
    void testRenameAndDrop()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %1$s RENAME TO %1$s_renamed".formatted(name));
            assertQuery("SELECT * FROM %s_renamed FOR VERSION AS OF 3".formatted(name), "VALUES 1, 2");
            assertUpdate("CREATE TABLE %s (b varchar)".formatted(name));
            assertQueryFails("SELECT * FROM %s FOR VERSION AS OF 3".formatted(name), "Table 'tpch.%s' has no version 3. It has only version 1".formatted(name));
            assertUpdate("DROP TABLE %s_renamed".formatted(name));
            assertQueryFails("SELECT * FROM %s_renamed FOR VERSION AS OF 3".formatted(name), ".* does not exist");
        }
    }

    @Test
    void testRollback()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => 3)".formatted(name));
            assertQuery("SELECT * FROM " + name, "VALUES 1, 2");
            assertUpdate("INSERT INTO %s VALUES 3".formatted(name), 1);
            assertQuery("SELECT * FROM " + name, "VALUES 1, 2, 3");
            // the versions in between are still there, and a rollback can be taken back
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 4".formatted(name), "VALUES 2");
            assertQuery("SELECT snapshot_id, parent_id, operation, element_at(summary, 'restored-version') FROM \"%s$snapshots\" WHERE snapshot_id > 4".formatted(name),
                    "VALUES (5, 4, 'truncate', NULL), (6, 3, 'rollback', '3'), (7, 6, 'append', NULL)");
            assertQuery("SELECT snapshot_id, is_current_ancestor FROM \"%s$history\"".formatted(name),
                    "VALUES (1, true), (2, true), (3, true), (4, false), (5, false), (6, true), (7, true)");
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => 5)".formatted(name));
            assertQueryReturnsEmptyResult("SELECT * FROM " + name);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(7)".formatted(name));
            assertQuery("SELECT * FROM " + name, "VALUES 1, 2, 3");
            assertUpdate("DELETE FROM %s WHERE a >= 2".formatted(name), 2);
            assertQuery("SELECT * FROM " + name, "VALUES 1");

            assertQueryFails("ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => 99)".formatted(name), "Table 'tpch.%s' has no version 99. Its versions are between 1 and 10".formatted(name));
            assertQueryFails("ALTER TABLE %s EXECUTE rollback_to_snapshot".formatted(name), ".*Required procedure argument 'snapshot_id' is missing");
            assertQueryFails("ALTER TABLE %s EXECUTE no_such_procedure".formatted(name), ".*Table procedure not registered: NO_SUCH_PROCEDURE");
            // a rollback to the newest version changes nothing
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(snapshot_id => 10)".formatted(name));
            assertQuery("SELECT max(snapshot_id) FROM \"%s$snapshots\"".formatted(name), "VALUES 10");
        }
    }

    @Test
    void testTags()
    {
        try (TestTable table = newChangedTable()) {
            String name = table.getName();
            assertUpdate("ALTER TABLE %s EXECUTE create_tag(name => 'both', snapshot_id => 3)".formatted(name));
            assertUpdate("ALTER TABLE %s EXECUTE create_tag('Now')".formatted(name));
            assertQuery("SELECT * FROM %s FOR VERSION AS OF 'both'".formatted(name), "VALUES 1, 2");
            assertQueryReturnsEmptyResult("SELECT * FROM %s FOR VERSION AS OF 'Now'".formatted(name));
            assertQueryReturnsEmptyResult("SELECT * FROM %s FOR VERSION AS OF 'main'".formatted(name));
            assertQuery("SELECT name, type, snapshot_id FROM \"%s$refs\"".formatted(name), "VALUES ('main', 'BRANCH', 7), ('both', 'TAG', 3), ('Now', 'TAG', 6)");

            // every kind of change keeps the tags
            assertUpdate("INSERT INTO %s VALUES 5".formatted(name), 1);
            assertUpdate("UPDATE %s SET a = 6".formatted(name), 1);
            assertUpdate("COMMENT ON TABLE %s IS 'x'".formatted(name));
            assertUpdate("TRUNCATE TABLE " + name);
            assertUpdate("ALTER TABLE %s EXECUTE rollback_to_snapshot(1)".formatted(name));
            assertUpdate("CREATE OR REPLACE TABLE %s AS SELECT 'x' b".formatted(name), 1);
            assertUpdate("ALTER TABLE %1$s RENAME TO %1$s_2".formatted(name));
            assertUpdate("ALTER TABLE %1$s_2 RENAME TO %1$s".formatted(name));
            assertQuery("SELECT a FROM %s FOR VERSION AS OF 'both'".formatted(name), "VALUES 1, 2");

            assertQueryFails("ALTER TABLE %s EXECUTE create_tag(name => 'both', snapshot_id => 2)".formatted(name), "The table already has a tag 'both', of version 3. .*");
            assertQueryFails("ALTER TABLE %s EXECUTE create_tag(name => 'none', snapshot_id => 99)".formatted(name), "Table 'tpch.%s' has no version 99. .*".formatted(name));
            assertQueryFails("ALTER TABLE %s EXECUTE create_tag(name => 'main')".formatted(name), "A tag cannot have the name 'main'. .*");
            assertQueryFails("ALTER TABLE %s EXECUTE create_tag(name => ' ')".formatted(name), "A tag cannot have the name ' '. .*");
            assertQueryFails("ALTER TABLE %s EXECUTE create_tag(snapshot_id => 2)".formatted(name), "Required procedure argument 'name' is missing");
            assertQueryFails("ALTER TABLE %s EXECUTE drop_tag(name => 'none')".formatted(name), "The table has no tag 'none'");
            assertUpdate("ALTER TABLE %s EXECUTE drop_tag(name => 'both')".formatted(name));
            assertQueryFails("SELECT * FROM %s FOR VERSION AS OF 'both'".formatted(name), "Table 'tpch.%s' has no tag 'both'. Its tags are: Now".formatted(name));
            assertQuery("SELECT name FROM \"%s$refs\"".formatted(name), "VALUES 'main', 'Now'");
        }
    }

    private static String utc(Instant time)
    {
        return MILLIS.format(LocalDateTime.ofInstant(time, ZoneId.of("UTC")));
    }
}
