package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import io.trino.testing.assertions.TrinoExceptionAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_SCHEMA_PROPERTY;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * The procedures register_table, unregister_table, and vacuum, and the functions that show tables without a name, on a
 * local file system.
 */
@Execution(SAME_THREAD)
final class TestAlbisVacuum
        extends AbstractTestQueryFramework
{
    // all but upper-case letters and control characters, and, for tables, the dollar sign
    private static final String NAME = "ü/ %.📊'\"";

    private String catalog;
    private Session session;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .addAlbisProperty("albis.register-table-procedure.enabled", "true")
                .addAlbisProperty("albis.allowed-locations", "local:///elsewhere")
                .build();
    }

    @BeforeAll
    void setUp()
    {
        catalog = getSession().getCatalog().orElseThrow();
        session = Session.builder(getSession())
                .setCatalogSessionProperty(catalog, "vacuum_min_retention", "0s")
                .build();
    }

    @Test
    void testRegisterTable()
    {
        assertUpdate("CREATE SCHEMA registered");
        assertUpdate("CREATE TABLE registered.numbers AS SELECT 1 n", 1);
        String location = location("registered.numbers");
        assertUpdate("CALL system.unregister_table('registered', 'numbers')");
        assertQueryFails("TABLE registered.numbers", ".*Table .*registered.numbers' does not exist");
        assertQuery(
                "SELECT schema_name, table_name, state, snapshot_id, row_count FROM TABLE(system.find_lost_tables()) WHERE location = '%s'".formatted(location),
                "VALUES ('registered', 'numbers', 'unregistered', 2, 1)");
        assertThat(computeScalar("SELECT total_bytes FROM TABLE(system.find_lost_tables()) WHERE location = '%s'".formatted(location))).isInstanceOfSatisfying(Long.class, bytes -> assertThat(bytes).isPositive());
        assertThat(computeScalar("SELECT last_changed_at FROM TABLE(system.find_lost_tables()) WHERE location = '%s'".formatted(location))).isInstanceOf(ZonedDateTime.class);

        assertUpdate("CALL system.register_table(schema_name => 'registered', table_name => 'digits', table_location => '%s')".formatted(location));
        assertQuery("TABLE registered.digits", "VALUES 1");
        assertQuery("SELECT operation FROM registered.\"digits$snapshots\"", "VALUES 'create', 'unregister', 'register'");
        assertUpdate("INSERT INTO registered.digits VALUES 2", 1);
        assertQuery("TABLE registered.digits", "VALUES 1, 2");
        assertQueryReturnsEmptyResult("SELECT * FROM TABLE(system.find_lost_tables()) WHERE schema_name = 'registered'");

        assertQueryFails("CALL system.register_table('registered', 'again', '%s')".formatted(location), ".*already has the name 'registered.digits'");
        assertQueryFails("CALL system.unregister_table('registered', 'numbers')", ".*registered.numbers' not found");
        assertQueryFails("CALL system.unregister_table('none', 'numbers')", ".*none.* not found");
        assertQueryFails("CALL system.register_table('none', 'numbers', '%s')".formatted(location), "Schema 'none' does not exist");
        assertUpdate("DROP TABLE registered.digits");
        assertQueryFails("CALL system.register_table('registered', 'again', '%s')".formatted(location), "The table at .* was dropped, so it cannot be registered");
        assertQueryFails("CALL system.register_table('registered', 'again', 'local:///secret/t-94c2e6dc-9939-488d-976a-83e567e9238a')", "Location .* is not allowed.*");
        assertQueryFails("CALL system.register_table('registered', 'again', 'local:///warehouse/registered')", ".* is not the folder of a table.*");
        assertQueryFails("CALL system.register_table('registered', '', '%s')".formatted(location), "table_name cannot be null or empty");
        assertUpdate("DROP SCHEMA registered");
    }

    @Test
    void testVacuum()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA vacuumed");
        assertUpdate("CREATE TABLE vacuumed.kept AS SELECT 1 n", 1);
        assertUpdate("CREATE TABLE vacuumed.dropped AS SELECT 1 n", 1);
        String location = location("vacuumed.dropped");
        Path folder = storage().resolve(location.substring("local:///".length()));
        assertUpdate("DROP TABLE vacuumed.dropped");
        assertThat(dataFiles(folder)).isPositive();
        assertUpdate("CALL system.vacuum()");
        assertUpdate("CALL system.vacuum(retention_threshold => '7d', dry_run => false)");
        assertThat(dataFiles(folder)).isPositive();
        assertQueryReturnsEmptyResult("SELECT * FROM TABLE(system.vacuum_candidates()) WHERE schema_name = 'vacuumed'");

        assertUpdate(session, "CALL system.vacuum(retention_threshold => '0s', dry_run => true)");
        assertThat(dataFiles(folder)).isPositive();
        assertQuery(
                session,
                "SELECT location, table_name, reason FROM TABLE(system.vacuum_candidates(retention_threshold => '0s')) WHERE schema_name = 'vacuumed'",
                "VALUES ('%s', 'dropped', 'dropped table')".formatted(location));
        assertThat((Long) computeScalar(session, "SELECT file_count FROM TABLE(system.vacuum_candidates('0s')) WHERE schema_name = 'vacuumed'")).isGreaterThan(2);
        assertThat((Long) computeScalar(session, "SELECT total_bytes FROM TABLE(system.vacuum_candidates('0s')) WHERE schema_name = 'vacuumed'")).isPositive();

        assertUpdate(session, "CALL system.vacuum(retention_threshold => '0s')");
        assertThat(folder.resolve("versions")).isDirectory();
        try (Stream<Path> files = Files.list(folder)) {
            // no empty folders remain
            assertThat(files.collect(toImmutableList())).containsExactly(folder.resolve("versions"));
        }
        assertQueryReturnsEmptyResult(session, "SELECT * FROM TABLE(system.vacuum_candidates('0s')) WHERE schema_name = 'vacuumed'");
        assertQuery("TABLE vacuumed.kept", "VALUES 1");
        assertUpdate("CREATE TABLE vacuumed.dropped AS SELECT 2 n", 1);
        assertQuery("TABLE vacuumed.dropped", "VALUES 2");
        assertUpdate("DROP SCHEMA vacuumed CASCADE");
    }

    @Test
    void testVacuumOfALocation()
    {
        assertUpdate("CREATE SCHEMA located");
        assertUpdate("CREATE TABLE located.dropped WITH (location = 'local:///elsewhere/tables') AS SELECT 1 n", 1);
        String location = location("located.dropped");
        Path folder = storage().resolve(location.substring("local:///".length()));
        assertUpdate("DROP TABLE located.dropped");
        assertUpdate(session, "CALL system.vacuum(retention_threshold => '0s')");
        assertThat(folder.resolve("manifests")).exists();
        assertQuery("SELECT location, state FROM TABLE(system.find_lost_tables(location => 'local:///elsewhere/tables'))", "VALUES ('%s', 'dropped')".formatted(location));
        assertQuery(session, "SELECT location FROM TABLE(system.vacuum_candidates('0s', 'local:///elsewhere/tables'))", "VALUES '%s'".formatted(location));
        assertUpdate(session, "CALL system.vacuum(retention_threshold => '0s', location => 'local:///elsewhere/tables')");
        assertThat(folder.resolve("manifests")).doesNotExist();
        assertQueryFails(session, "CALL system.vacuum(retention_threshold => '0s', location => 'local:///secret')", "Location .* is not allowed.*");
        assertQueryFails("SELECT * FROM TABLE(system.find_lost_tables('local:///secret'))", "Location .* is not allowed.*");
        assertUpdate("DROP SCHEMA located");
    }

    @Test
    void testLocationWithoutAFileSystem()
    {
        String message = "Location 's3://other/bucket' is not valid: No factory for location: s3://other/bucket. It must be a folder on a file system of the catalog, such as local:///warehouse/folder";
        assertThatLocationIsRefused(INVALID_PROCEDURE_ARGUMENT, "CALL system.vacuum(location => 's3://other/bucket')", message);
        assertThatLocationIsRefused(INVALID_PROCEDURE_ARGUMENT, "CALL system.register_table('%s', 't', 's3://other/bucket')".formatted(getSession().getSchema().orElseThrow()), message);
        assertThatLocationIsRefused(INVALID_FUNCTION_ARGUMENT, "SELECT * FROM TABLE(system.find_lost_tables('s3://other/bucket'))", message);
        assertThatLocationIsRefused(INVALID_FUNCTION_ARGUMENT, "SELECT * FROM TABLE(system.vacuum_candidates(location => 's3://other/bucket'))", message);
        assertThatLocationIsRefused(INVALID_TABLE_PROPERTY, "CREATE TABLE refused (n integer) WITH (location = 's3://other/bucket')", message);
        assertThatLocationIsRefused(INVALID_SCHEMA_PROPERTY, "CREATE SCHEMA refused WITH (location = 's3://other/bucket')", message);
    }

    private void assertThatLocationIsRefused(ErrorCodeSupplier code, String statement, String message)
    {
        assertTrinoExceptionThrownBy(() -> getQueryRunner().execute(statement))
                .hasErrorCode(code)
                .hasMessage(message);
    }

    @Test
    @Tag("slow")
    void testNamesWithAnyCharacter()
            throws IOException
    {
        assertUpdate(named("CREATE SCHEMA <name>"));
        assertUpdate(named("CREATE TABLE <name>.<name> (<name> bigint, v varchar) WITH (column_groups = ARRAY[ARRAY['v'], ARRAY[<text>]], partitioned_by = ARRAY['bucket(<column>, 2)'], sorted_by = ARRAY['<column>'], indexed_by = ARRAY[<text>])"));
        assertUpdate(named("INSERT INTO <name>.<name> VALUES (1, 'a'), (2, 'b'), (3, 'c')"), 3);
        assertUpdate(named("UPDATE <name>.<name> SET <name> = 4 WHERE <name> = 3"), 1);
        assertUpdate(named("DELETE FROM <name>.<name> WHERE <name> = 2"), 1);
        assertUpdate(
                named(
                        """
                        MERGE INTO <name>.<name> t USING (VALUES (1, 'x'), (5, 'y')) s (k, w) ON t.<name> = s.k
                        WHEN MATCHED THEN UPDATE SET v = w
                        WHEN NOT MATCHED THEN INSERT (<name>, v) VALUES (k, w)
                        """),
                2);
        assertUpdate(named("ALTER TABLE <name>.<name> EXECUTE create_tag(name => <text>)"));
        assertUpdate(named("INSERT INTO <name>.<name> VALUES (6, 'z')"), 1);
        assertQuery(named("SELECT <name>, v FROM <name>.<name> FOR VERSION AS OF <text>"), "VALUES (1, 'x'), (4, 'c'), (5, 'y')");
        assertQuery(named("SELECT v FROM <name>.<name> WHERE <name> IN (4, 6)"), "VALUES 'c', 'z'");
        assertQuery(named("SELECT <name> FROM TABLE(system.table_changes(schema_name => <text>, table_name => <text>, start_snapshot_id => 1, end_snapshot_id => 2))"), "VALUES 1, 2, 3");

        assertThat(computeActual(named("SHOW TABLES FROM <name>")).getOnlyColumnAsSet()).containsExactly(NAME);
        assertThat(computeActual(named("SELECT column_name FROM information_schema.columns WHERE table_schema = <text> AND table_name = <text>")).getOnlyColumnAsSet()).containsExactlyInAnyOrder(NAME, "v");
        assertThat(computeActual(named("SELECT name FROM <name>.\"<quoted>$refs\"")).getOnlyColumnAsSet()).containsExactlyInAnyOrder("main", NAME);
        assertQuery(named("SELECT sum(record_count - deleted_record_count) FROM <name>.\"<quoted>$files\""), "VALUES 4");
        assertQuery(named("SELECT sum(record_count) FROM <name>.\"<quoted>$partitions\""), "VALUES 4");
        for (String systemTable : ImmutableList.of("snapshots", "history", "manifests", "properties", "usage")) {
            assertThat(computeActual(named("TABLE <name>.\"<quoted>$%s\"".formatted(systemTable))).getRowCount()).as(systemTable).isPositive();
        }

        String created = (String) computeScalar(named("SHOW CREATE TABLE <name>.<name>"));
        assertUpdate(named("ALTER TABLE <name>.<name> RENAME TO <name>.\"<quoted>2\""));
        assertUpdate(created);
        assertThat(computeScalar(named("SHOW CREATE TABLE <name>.<name>"))).isEqualTo(created);
        assertUpdate(named("DROP TABLE <name>.<name>"));

        computeActual(named("ALTER TABLE <name>.\"<quoted>2\" EXECUTE optimize"));
        computeActual(named("ALTER TABLE <name>.\"<quoted>2\" EXECUTE regroup(column_groups => ARRAY[ARRAY[<text>, 'v']])"));
        computeActual(named("ALTER TABLE <name>.\"<quoted>2\" EXECUTE drop_index(columns => ARRAY[<text>])"));
        computeActual(named("ALTER TABLE <name>.\"<quoted>2\" EXECUTE expire_snapshots"));
        computeActual(named("ALTER TABLE <name>.\"<quoted>2\" EXECUTE remove_orphan_files"));
        assertUpdate(named("ALTER TABLE <name>.\"<quoted>2\" EXECUTE drop_tag(name => <text>)"));
        assertUpdate(named("ALTER TABLE <name>.\"<quoted>2\" RENAME COLUMN v TO \"<quoted>v\""));
        assertUpdate(named("COMMENT ON COLUMN <name>.\"<quoted>2\".<name> IS <text>"));
        assertUpdate(named("CREATE VIEW <name>.\"<quoted>view\" AS SELECT <name> n FROM <name>.\"<quoted>2\""));
        assertQuery(named("SELECT n FROM <name>.\"<quoted>view\""), "VALUES 1, 4, 5, 6");

        String location = location(named("<name>.\"<quoted>2\""));
        assertUpdate(named("CALL system.unregister_table(<text>, concat(<text>, '2'))"));
        assertThat(computeScalar("SELECT table_name FROM TABLE(system.find_lost_tables()) WHERE location = '%s'".formatted(location))).isEqualTo(NAME + "2");
        assertUpdate(named("CALL system.register_table(<text>, <text>, '%s')".formatted(location)));
        assertQuery(named("SELECT <name>, \"<quoted>v\" FROM <name>.<name>"), "VALUES (1, 'x'), (4, 'c'), (5, 'y'), (6, 'z')");
        assertUpdate(session, "CALL system.vacuum(retention_threshold => '0s')");
        assertQuery(named("SELECT count(*) FROM <name>.<name> WHERE \"<quoted>v\" > 'x'"), "VALUES 2");

        Path folder = storage().resolve(location.substring("local:///".length()));
        assertThat(dataFiles(folder)).isPositive();
        assertUpdate(named("DROP SCHEMA <name> CASCADE"));
        assertUpdate(session, "CALL system.vacuum(retention_threshold => '0s')");
        assertThat(dataFiles(folder)).isZero();
    }

    /**
     * Inserts the name with any character into a statement: as an identifier, inside of quotes, in a list of columns
     * of a table property, or as a text.
     */
    private static String named(String sql)
    {
        String quoted = NAME.replace("\"", "\"\"");
        String text = NAME.replace("'", "''");
        return sql.replace("<name>", "\"" + quoted + "\"")
                .replace("<quoted>", quoted)
                .replace("<column>", "\"" + quoted.replace("'", "''") + "\"")
                .replace("<text>", "'" + text + "'");
    }

    @Test
    void testRetention()
    {
        String tooShort = "\\QRetention specified (33.00s) is shorter than the minimum retention configured in the system (7.00d). Minimum retention can be changed with albis.vacuum.min-retention configuration property or vacuum_min_retention session property of the catalog";
        assertQueryFails("CALL system.vacuum(retention_threshold => '33s')", tooShort);
        assertQueryFails("SELECT * FROM TABLE(system.vacuum_candidates('33s'))", tooShort);
        String tooLong = "Retention specified (1000000000000.00d) is too long";
        assertErrorCode("CALL system.vacuum(retention_threshold => '1000000000000d')", INVALID_PROCEDURE_ARGUMENT).hasMessage(tooLong);
        assertErrorCode("SELECT * FROM TABLE(system.vacuum_candidates('1000000000000d'))", INVALID_FUNCTION_ARGUMENT).hasMessage(tooLong);
        String noDuration = "retention_threshold 'long' is not a duration such as '7d'";
        assertErrorCode("CALL system.vacuum(retention_threshold => 'long')", INVALID_PROCEDURE_ARGUMENT).hasMessage(noDuration);
        assertErrorCode("SELECT * FROM TABLE(system.vacuum_candidates('long'))", INVALID_FUNCTION_ARGUMENT).hasMessage(noDuration);
        assertErrorCode("CALL system.vacuum(retention_threshold => NULL)", INVALID_PROCEDURE_ARGUMENT).hasMessage("retention_threshold cannot be null");
        assertErrorCode("SELECT * FROM TABLE(system.vacuum_candidates(CAST(NULL AS varchar)))", INVALID_FUNCTION_ARGUMENT).hasMessage("retention_threshold cannot be null");
        assertQueryFails("CALL system.vacuum(dry_run => NULL)", ".*cannot be null.*");
    }

    @Test
    void testLocationIsNotValid()
    {
        String message = ".*Location 'local:///a//b' has the invalid segment ''.*";
        assertErrorCode("CALL system.vacuum(location => 'local:///a//b')", INVALID_PROCEDURE_ARGUMENT).hasMessageMatching(message);
        assertErrorCode("SELECT * FROM TABLE(system.find_lost_tables('local:///a//b'))", INVALID_FUNCTION_ARGUMENT).hasMessageMatching(message);
        assertErrorCode("SELECT * FROM TABLE(system.vacuum_candidates('7d', 'local:///a//b'))", INVALID_FUNCTION_ARGUMENT).hasMessageMatching(message);
    }

    private TrinoExceptionAssert assertErrorCode(String sql, ErrorCodeSupplier errorCode)
    {
        return assertTrinoExceptionThrownBy(() -> computeActual(sql)).hasErrorCode(errorCode);
    }

    private String location(String table)
    {
        String path = (String) computeScalar("SELECT \"$path\" FROM %s LIMIT 1".formatted(table));
        return path.replaceFirst("/[0-9a-f]{2}/rg-.*", "");
    }

    private static long dataFiles(Path folder)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith("data")).count();
        }
    }

    private Path storage()
    {
        return ((DistributedQueryRunner) getQueryRunner()).getCoordinator().getBaseDataDir().resolve("albis");
    }
}
