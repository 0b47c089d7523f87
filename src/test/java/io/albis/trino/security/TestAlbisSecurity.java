package io.albis.trino.security;

import com.google.common.collect.ImmutableMap;
import io.albis.trino.AlbisConnectorFactory;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.procedure.TableProcedures;
import io.trino.Session;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.security.Identity;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.albis.trino.security.AlbisSecurity.ALLOW_ALL;
import static io.albis.trino.security.AlbisSecurity.READ_ONLY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Catalogs of the same warehouse, each with a different {@code albis.security}.
 */
final class TestAlbisSecurity
        extends AbstractTestQueryFramework
{
    private Path folder;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .build();
        folder = queryRunner.getCoordinator().getBaseDataDir().resolve("albis");
        for (String security : new String[] {"allow-all", "read-only", "file", "system"}) {
            queryRunner.createCatalog("albis_" + security.replace("-", "_"), AlbisConnectorFactory.CONNECTOR_NAME, properties(security));
        }
        return queryRunner;
    }

    private Map<String, String> properties(String security)
            throws IOException
    {
        ImmutableMap.Builder<String, String> properties = ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                .put("albis.security", security);
        if (!security.equals("allow-all")) {
            properties.put("albis.register-table-procedure.enabled", "true");
        }
        if (security.equals("file")) {
            Path rules = folder.resolve("rules.json");
            Files.writeString(
                    rules,
                    """
                    {
                      "schemas": [{"user": "alice", "owner": true}, {"user": "frank", "schema": "(?!secret).*", "owner": true}],
                      "tables": [
                        {"user": "alice", "privileges": ["OWNERSHIP", "SELECT", "INSERT", "GRANT_SELECT"]},
                        {"user": "eve", "schema": "viewed", "table": "definer|invoker", "privileges": ["SELECT"]},
                        {"user": "eve", "schema": "stored", "table": "m", "privileges": ["SELECT"], "columns": [{"name": "b", "allow": false}]},
                        {"user": "eve", "schema": "followed", "table": "numbers", "privileges": ["SELECT"], "columns": [{"name": "b", "allow": false}]},
                        {"user": "bob", "privileges": ["SELECT"], "filter": "n > 1"},
                        {"user": "dave", "privileges": ["SELECT", "INSERT", "DELETE", "UPDATE"]}
                      ],
                      "procedures": [
                        {"user": "alice|dave", "schema": "system", "procedure": ".*register_table", "privileges": ["EXECUTE"]},
                        {"user": "alice", "schema": "system", "procedure": "vacuum|flush_metadata_cache", "privileges": ["EXECUTE"]}
                      ],
                      "functions": [
                        {"user": "alice", "schema": "system", "function": "find_lost_tables|vacuum_candidates", "privileges": ["EXECUTE"]},
                        {"user": "alice|bob|dave|eve|grace", "schema": "system", "function": "table_changes", "privileges": ["EXECUTE"]}
                      ]
                    }
                    """);
            properties.put("security.config-file", rules.toString());
        }
        return properties.buildOrThrow();
    }

    @Test
    void test()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.secured");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.secured.numbers AS SELECT * FROM (VALUES 1, 2) t (n)", 2);
        for (String catalog : new String[] {"albis", "albis_allow_all", "albis_system"}) {
            assertUpdate(user("carol"), "INSERT INTO %s.secured.numbers VALUES 3".formatted(catalog), 1);
        }

        assertThat(computeScalar(user("carol"), "SELECT count(*) FROM albis_read_only.secured.numbers")).isEqualTo(5L);
        assertDenied("carol", "INSERT INTO albis_read_only.secured.numbers VALUES 3", "Cannot insert into table secured.numbers");
        assertDenied("carol", "CREATE TABLE albis_read_only.secured.others (n integer)", "Cannot create table secured.others");
        assertDenied("carol", "DROP TABLE albis_read_only.secured.numbers", "Cannot drop table secured.numbers");
        assertDenied("carol", "COMMENT ON TABLE albis_read_only.secured.numbers IS 'x'", "Cannot comment table to secured.numbers");

        assertUpdate(user("alice"), "INSERT INTO albis_file.secured.numbers VALUES 4", 1);
        assertThat(computeScalar(user("alice"), "SELECT count(*) FROM albis_file.secured.numbers")).isEqualTo(6L);
        assertThat(computeScalar(user("bob"), "SELECT count(*) FROM albis_file.secured.numbers")).isEqualTo(5L);
        assertDenied("bob", "INSERT INTO albis_file.secured.numbers VALUES 4", "Cannot insert into table secured.numbers");
        assertDenied("carol", "SELECT * FROM albis_file.secured.numbers", "Cannot select from table secured.numbers");
        assertDenied("bob", "CREATE SCHEMA albis_file.others", "Cannot create schema others");
    }

    /**
     * The engine passes the new name to access control and to the connector as the statement has it, so a name in upper
     * case passes a rule for the name in lower case.
     */
    @Test
    void testRenameSchema()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.moving");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.moving.numbers AS SELECT 1 n", 1);
        assertDenied("carol", "ALTER SCHEMA albis_read_only.moving RENAME TO moved", "Cannot rename schema from moving to moved");
        assertDenied("bob", "ALTER SCHEMA albis_file.moving RENAME TO moved", "Cannot rename schema from moving to moved");
        assertDenied("frank", "ALTER SCHEMA albis_file.moving RENAME TO secret", "Cannot rename schema from moving to secret");
        for (String name : new String[] {"SECRET", "\"Secret\""}) {
            assertQueryFails(user("frank"), "ALTER SCHEMA albis_file.moving RENAME TO " + name, "The name of a schema cannot contain upper-case letters: '(?i)secret'.*");
        }
        assertThat(computeActual(user("alice"), "SHOW SCHEMAS FROM albis_allow_all").getOnlyColumnAsSet()).contains("moving").doesNotContain("secret");
        assertUpdate(user("frank"), "ALTER SCHEMA albis_file.moving RENAME TO moved");
        assertThat(computeScalar(user("alice"), "SELECT n FROM albis_file.moved.numbers")).isEqualTo(1);
        assertUpdate(user("alice"), "DROP SCHEMA albis_file.moved CASCADE");
    }

    /**
     * A user who cannot read a table cannot read its system tables, and a user with a row filter cannot read the bounds
     * of row groups.
     */
    @Test
    void testSystemTables()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.described");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.described.numbers AS SELECT * FROM (VALUES 1, 2) t (n)", 2);
        assertThat(computeScalar(user("alice"), "SELECT record_count FROM albis_file.described.\"numbers$files\"")).isEqualTo(2L);
        assertThat(computeScalar(user("bob"), "SELECT snapshot_id FROM albis_file.described.\"numbers$snapshots\"")).isEqualTo(1L);
        assertDenied("bob", "SELECT * FROM albis_file.described.\"numbers$files\"", "Cannot select from table described.numbers$files: Rows of table described.numbers are filtered");
        assertThat(computeScalar(user("carol"), "SELECT sum(n) FROM albis_read_only.described.numbers")).isEqualTo(3L);
        for (String suffix : new String[] {"files", "history", "manifests", "partitions", "properties", "refs", "snapshots", "usage"}) {
            assertDenied("carol", "SELECT * FROM albis_file.described.\"numbers$%s\"".formatted(suffix), "Cannot select from table described.numbers");
            assertThat(computeActual(user("carol"), "SELECT * FROM albis_read_only.described.\"numbers$%s\"".formatted(suffix)).getRowCount()).isPositive();
        }
    }

    @Test
    void testRowChanges()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.changed");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.changed.numbers AS SELECT * FROM (VALUES 1, 2, 3, 4) t (n)", 4);
        // alice has the ownership of the table, but may neither delete nor update rows
        for (String[] denied : new String[][] {{"carol", "albis_read_only"}, {"carol", "albis_file"}, {"alice", "albis_file"}}) {
            String table = denied[1] + ".changed.numbers";
            assertDenied(denied[0], "DELETE FROM %s WHERE n = 1".formatted(table), "Cannot delete from table changed.numbers");
            assertDenied(denied[0], "DELETE FROM " + table, "Cannot delete from table changed.numbers");
            assertDenied(denied[0], "UPDATE %s SET n = 5".formatted(table), "Cannot update columns [n] in table changed.numbers");
            assertDenied(denied[0], "MERGE INTO %s t USING (VALUES 1) s (k) ON t.n = s.k WHEN MATCHED THEN DELETE".formatted(table), "Cannot delete from table changed.numbers");
            assertDenied(denied[0], "MERGE INTO %s t USING (VALUES 1) s (k) ON t.n = s.k WHEN MATCHED THEN UPDATE SET n = 5".formatted(table), "Cannot update columns [n] in table changed.numbers");
            assertDenied(denied[0], "TRUNCATE TABLE " + table, "Cannot truncate table changed.numbers");
        }
        assertUpdate(user("dave"), "DELETE FROM albis_file.changed.numbers WHERE n = 1", 1);
        assertUpdate(user("dave"), "UPDATE albis_file.changed.numbers SET n = 5 WHERE n = 2", 1);
        assertUpdate(user("dave"), "MERGE INTO albis_file.changed.numbers t USING (VALUES 3) s (k) ON t.n = s.k WHEN MATCHED THEN UPDATE SET n = 6", 1);
        assertQuery(user("dave"), "TABLE albis_file.changed.numbers", "VALUES 4, 5, 6");
        assertUpdate(user("dave"), "TRUNCATE TABLE albis_file.changed.numbers");
        assertThat(computeScalar(user("dave"), "SELECT count(*) FROM albis_file.changed.numbers")).isEqualTo(0L);

        assertDenied("carol", "CREATE OR REPLACE TABLE albis_read_only.changed.numbers (n integer)", "Cannot create table changed.numbers");
        assertDenied("dave", "CREATE OR REPLACE TABLE albis_file.changed.numbers (n integer)", "Cannot create table changed.numbers");
        assertUpdate(user("alice"), "CREATE OR REPLACE TABLE albis_file.changed.numbers (n integer)");
    }

    /**
     * A procedure changes the table or its versions without the privileges of DELETE or INSERT, so it needs the
     * ownership.
     */
    @Test
    void testTableProcedures()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.restored");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.restored.numbers AS SELECT * FROM (VALUES 1, 2) t (n)", 2);
        assertUpdate(user("alice"), "INSERT INTO albis_allow_all.restored.numbers VALUES 3", 1);
        Map<String, String> procedures = ImmutableMap.of(
                "ROLLBACK_TO_SNAPSHOT", "rollback_to_snapshot(snapshot_id => 1)",
                "CREATE_TAG", "create_tag(name => 'kept')",
                "DROP_TAG", "drop_tag(name => 'kept')",
                "EXPIRE_SNAPSHOTS", "expire_snapshots(retention_threshold => '7d')",
                "REMOVE_ORPHAN_FILES", "remove_orphan_files(retention_threshold => '7d')",
                "SET_NOT_NULL", "set_not_null(column_name => 'n')",
                "OPTIMIZE", "optimize",
                "REGROUP", "regroup(column_groups => ARRAY[ARRAY['n']])",
                "ADD_INDEX", "add_index(columns => ARRAY['n'])",
                "DROP_INDEX", "drop_index(columns => ARRAY['n'])");
        assertThat(procedures.keySet()).isEqualTo(TableProcedures.all().stream()
                .map(TableProcedureMetadata::getName)
                .collect(toImmutableSet()));
        procedures.forEach((name, call) -> {
            String message = "Cannot execute table procedure %s on restored.numbers".formatted(name);
            assertDenied("carol", "ALTER TABLE albis_read_only.restored.numbers EXECUTE " + call, message);
            for (String user : new String[] {"dave", "carol", "bob"}) {
                assertDenied(user, "ALTER TABLE albis_file.restored.numbers EXECUTE " + call, message);
            }
        });
        assertThat(computeScalar(user("dave"), "SELECT count(*) FROM albis_file.restored.numbers")).isEqualTo(3L);
        assertUpdate(user("alice"), "ALTER TABLE albis_file.restored.numbers EXECUTE rollback_to_snapshot(snapshot_id => 1)");
        assertThat(computeScalar(user("dave"), "SELECT count(*) FROM albis_file.restored.numbers")).isEqualTo(2L);
    }

    /**
     * A procedure needs a rule of its own, and register_table and unregister_table also need what CREATE TABLE and DROP
     * TABLE need.
     */
    @Test
    void testProceduresAndFunctions()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.called");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.called.numbers AS SELECT 1 n", 1);
        String location = ((String) computeScalar(user("alice"), "SELECT \"$path\" FROM albis_allow_all.called.numbers")).replaceFirst("/[0-9a-f]{2}/rg-.*", "");
        for (String[] denied : new String[][] {{"carol", "albis_read_only"}, {"bob", "albis_file"}}) {
            assertDenied(denied[0], "CALL %s.system.vacuum()".formatted(denied[1]), "Cannot execute procedure");
            assertDenied(denied[0], "CALL %s.system.unregister_table('called', 'numbers')".formatted(denied[1]), "Cannot execute procedure");
            assertDenied(denied[0], "CALL %s.system.register_table('called', 'numbers', '%s')".formatted(denied[1], location), "Cannot execute procedure");
            assertDenied(denied[0], "SELECT * FROM TABLE(%s.system.find_lost_tables())".formatted(denied[1]), "Cannot execute function");
            assertDenied(denied[0], "SELECT * FROM TABLE(%s.system.vacuum_candidates())".formatted(denied[1]), "Cannot execute function");
        }
        assertDenied("dave", "CALL albis_file.system.vacuum()", "Cannot execute procedure");
        assertDenied("dave", "CALL albis_file.system.flush_metadata_cache()", "Cannot execute procedure");
        assertUpdate(user("alice"), "CALL albis_file.system.flush_metadata_cache()");
        assertDenied("dave", "CALL albis_file.system.unregister_table('called', 'numbers')", "Cannot drop table called.numbers");
        assertUpdate(user("alice"), "CALL albis_file.system.unregister_table('called', 'numbers')");
        assertDenied("dave", "CALL albis_file.system.register_table('called', 'numbers', '%s')".formatted(location), "Cannot create table called.numbers");
        assertThat(computeScalar(user("alice"), "SELECT state FROM TABLE(albis_file.system.find_lost_tables()) WHERE location = '%s'".formatted(location))).isEqualTo("unregistered");
        assertUpdate(user("alice"), "CALL albis_file.system.vacuum()");
        assertUpdate(user("alice"), "CALL albis_file.system.register_table('called', 'numbers', '%s')".formatted(location));
        assertThat(computeScalar(user("alice"), "SELECT count(*) FROM albis_file.called.numbers")).isEqualTo(1L);
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(user("alice"), "CALL albis_allow_all.system.register_table('called', 'numbers', '%s')".formatted(location)))
                .hasMessageContaining("register_table procedure is disabled");
    }

    /**
     * The rules for a materialized view apply to its storage table.
     */
    @Test
    void testStorageTable()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.stored");
        assertUpdate(user("alice"), "CREATE MATERIALIZED VIEW albis_file.stored.m AS SELECT 1 AS a, 2 AS b");
        assertUpdate(user("alice"), "REFRESH MATERIALIZED VIEW albis_allow_all.stored.m", 1);
        for (String table : new String[] {"albis_file.stored.m", "albis_file.stored.\"m$storage\""}) {
            assertThat(computeActual(user("eve"), "DESCRIBE " + table)).as(table).extracting(row -> row.getField(0)).doesNotContain("b");
            assertQuery(user("eve"), "SELECT a FROM " + table, "VALUES 1");
            assertThatThrownBy(() -> getQueryRunner().execute(user("eve"), "SELECT b FROM " + table)).as(table).hasMessageContaining("Cannot select from");
            assertQuery(user("alice"), "TABLE " + table, "VALUES (1, 2)");
        }
        assertThat((String) computeScalar(user("alice"), "SHOW CREATE TABLE albis_file.stored.\"m$storage\"")).contains("b integer");
        assertThatThrownBy(() -> getQueryRunner().execute(user("carol"), "SHOW CREATE TABLE albis_file.stored.\"m$storage\"")).hasMessageContaining("Cannot show create table");
    }

    /**
     * The changes of a table are shown to users who may read all of it.
     */
    @Test
    void testTableChanges()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.followed");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.followed.numbers AS SELECT 1 n, 2 b", 1);
        assertUpdate(user("alice"), "INSERT INTO albis_allow_all.followed.numbers VALUES (3, 4)", 1);
        String query = "SELECT n FROM TABLE(%s.system.table_changes('followed', 'numbers', 1, 2))";
        assertQuery(user("carol"), query.formatted("albis_allow_all"), "VALUES 3");
        assertQuery(user("alice"), query.formatted("albis_file"), "VALUES 3");
        assertQuery(user("dave"), query.formatted("albis_file"), "VALUES 3");
        assertDenied("carol", query.formatted("albis_file"), "Cannot execute function");
        assertDenied("eve", query.formatted("albis_file"), "Cannot select from");
        // the message that there is no such version would say which ones the table has
        assertDenied("grace", query.formatted("albis_file").replace("1, 2)", "1, 9)"), "Cannot select from");
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(user("bob"), query.formatted("albis_file")))
                .hasMessageContaining("Row filtering not supported");
    }

    /**
     * A view reads tables with the privileges of its owner, or with those of its user.
     */
    @Test
    void testViews()
    {
        assertUpdate(user("alice"), "CREATE SCHEMA albis_allow_all.viewed");
        assertUpdate(user("alice"), "CREATE TABLE albis_allow_all.viewed.numbers AS SELECT 1 n", 1);
        for (String catalog : new String[] {"albis_read_only", "albis_file"}) {
            assertDenied("bob", "CREATE VIEW %s.viewed.others AS SELECT 1 n".formatted(catalog), "Cannot create view viewed.others");
        }
        assertUpdate(user("alice"), "CREATE VIEW albis_file.viewed.definer SECURITY DEFINER AS SELECT n FROM albis_file.viewed.numbers");
        assertUpdate(user("alice"), "CREATE VIEW albis_file.viewed.invoker SECURITY INVOKER AS SELECT n FROM albis_file.viewed.numbers");
        for (String view : new String[] {"definer", "invoker"}) {
            assertThat(computeScalar(user("alice"), "SELECT n FROM albis_file.viewed." + view)).isEqualTo(1);
            assertDenied("carol", "SELECT n FROM albis_file.viewed." + view, "Cannot select from");
            for (String statement : new String[] {"DROP VIEW %s", "ALTER VIEW %s RENAME TO albis_file.viewed.others", "COMMENT ON VIEW %s IS 'x'", "CREATE OR REPLACE VIEW %s AS SELECT 2 n"}) {
                assertDenied("eve", statement.formatted("albis_file.viewed." + view), "Cannot ");
            }
        }
        assertDenied("eve", "SELECT n FROM albis_file.viewed.numbers", "Cannot select from");
        assertThat(computeScalar(user("eve"), "SELECT n FROM albis_file.viewed.definer")).isEqualTo(1);
        assertDenied("eve", "SELECT n FROM albis_file.viewed.invoker", "Cannot select from");
        assertThat((String) computeScalar(user("alice"), "SHOW CREATE VIEW albis_file.viewed.invoker")).contains("SECURITY INVOKER");

        // The server has no access control in this test, so the owner of the view decides nothing more
        assertUpdate(user("alice"), "CREATE VIEW albis_system.viewed.served AS SELECT n FROM albis_system.viewed.numbers");
        assertThat(computeScalar(user("carol"), "SELECT n FROM albis_system.viewed.served")).isEqualTo(1);
        assertThat(computeScalar(user("carol"), "SELECT n FROM albis_read_only.viewed.served")).isEqualTo(1);
        assertDenied("carol", "DROP VIEW albis_read_only.viewed.served", "Cannot drop view viewed.served");
        assertDenied("carol", "DROP SCHEMA albis_read_only.viewed CASCADE", "Cannot drop schema viewed");
    }

    @Test
    void testConfig()
    {
        assertRecordedDefaults(recordDefaults(AlbisSecurityConfig.class).setSecurity(ALLOW_ALL));
        assertFullMapping(ImmutableMap.of("albis.security", "read-only"), new AlbisSecurityConfig().setSecurity(READ_ONLY));
    }

    @Test
    void testSystemHasNoAccessControlOfItsOwn()
            throws IOException
    {
        Connector connector = create(properties("system"));
        assertThatThrownBy(connector::getAccessControl).isInstanceOf(UnsupportedOperationException.class);
        connector.shutdown();
    }

    @Test
    void testBadValues()
            throws IOException
    {
        assertThatThrownBy(() -> create(properties("sql-standard")))
                .hasMessageContaining("Invalid value 'sql-standard' for type AlbisSecurity (property 'albis.security')");
        ImmutableMap<String, String> withoutRules = ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                .put("albis.security", "file")
                .put("security.config-file", folder.resolve("none").toString())
                .buildOrThrow();
        assertThatThrownBy(() -> create(withoutRules)).hasMessageContaining("Config file does not exist");
    }

    private static Connector create(Map<String, String> properties)
    {
        return new AlbisConnectorFactory().create("test", ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("bootstrap.quiet", "true")
                .buildOrThrow(), new TestingConnectorContext());
    }

    private Session user(String name)
    {
        return Session.builder(getSession())
                .setIdentity(Identity.ofUser(name))
                .build();
    }

    private void assertDenied(String user, String sql, String message)
    {
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(user(user), sql)).as(sql)
                .hasMessageContaining("Access Denied: " + message);
    }
}
