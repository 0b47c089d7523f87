package io.albis.trino.view;

import io.albis.table.path.NumberedFiles;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.ConcurrentStatements;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.spi.StandardErrorCode.TABLE_ALREADY_EXISTS;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Statements on views, in addition to those of Trino's own tests of connectors.
 */
final class TestAlbisViews
        extends AbstractTestQueryFramework
{
    private Path warehouse;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperty("albis.register-table-procedure.enabled", "true")
                .setWorkerCount(0)
                .build();
        warehouse = AlbisQueryRunner.warehouse(queryRunner);
        return queryRunner;
    }

    /**
     * Tables, views, and materialized views are found under the new name of their schema. The text of views does not
     * change.
     */
    @Test
    void testRenameOfSchema()
    {
        assertUpdate("CREATE SCHEMA \"old schema\" WITH (location = 'local:///warehouse/a folder')");
        assertUpdate("CREATE TABLE \"old schema\".\"a table\" AS SELECT * FROM (VALUES 1, 2) t (n)", 2);
        assertUpdate("CREATE VIEW \"old schema\".v AS SELECT n FROM albis.\"old schema\".\"a table\"");
        assertUpdate("CREATE VIEW \"old schema\".constant AS SELECT 7 AS n");
        assertUpdate("CREATE MATERIALIZED VIEW \"old schema\".m GRACE PERIOD INTERVAL '0' SECOND WHEN STALE FAIL AS SELECT n FROM albis.\"old schema\".\"a table\"");
        assertUpdate("REFRESH MATERIALIZED VIEW \"old schema\".m", 2);
        assertThat(query("TABLE \"old schema\".m")).matches("VALUES 1, 2");
        String folder = (String) computeScalar("SELECT DISTINCT regexp_replace(\"$path\", '-.*') FROM \"old schema\".\"a table\"");

        assertQueryFails("ALTER SCHEMA \"old schema\" RENAME TO \"NEW schema\"", "The name of a schema cannot contain upper-case letters: 'NEW schema'.*");
        assertUpdate("ALTER SCHEMA \"old schema\" RENAME TO \"new schema\"");

        assertThat(query("SHOW TABLES FROM \"new schema\"")).matches("VALUES VARCHAR 'a table', 'v', 'constant', 'm'");
        assertThat((String) computeScalar("SHOW CREATE SCHEMA \"new schema\"")).contains("CREATE SCHEMA albis.\"new schema\"", "location = 'local:///warehouse/a folder'");
        assertThat(query("SHOW SCHEMAS LIKE '% schema'")).matches("VALUES VARCHAR 'new schema'");
        assertQueryFails("TABLE \"old schema\".\"a table\"", ".*Schema 'old schema' does not exist");
        assertThat(query("SELECT table_name FROM information_schema.views WHERE table_schema = 'new schema'")).matches("VALUES VARCHAR 'v', 'constant'");
        assertThat(query("TABLE \"new schema\".constant")).matches("VALUES 7");
        assertThat((String) computeScalar("SHOW CREATE VIEW \"new schema\".v")).contains("albis.\"old schema\".\"a table\"");
        assertQueryFails("TABLE \"new schema\".v", ".*Failed analyzing stored view 'albis.\"new schema\".v': .*Schema 'old schema' does not exist");
        // The materialized view looks for its table under the old name
        assertThat(computeScalar("SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = 'new schema'")).isEqualTo("STALE");
        assertThat(query("TABLE \"new schema\".\"m$storage\"")).matches("VALUES 1, 2");
        assertUpdate("CREATE OR REPLACE VIEW \"new schema\".v AS SELECT n FROM albis.\"new schema\".\"a table\"");
        assertUpdate("CREATE OR REPLACE MATERIALIZED VIEW \"new schema\".m AS SELECT n FROM albis.\"new schema\".\"a table\"");
        assertUpdate("INSERT INTO \"new schema\".\"a table\" VALUES 3", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW \"new schema\".m", 3);
        assertThat(query("TABLE \"new schema\".v")).matches("VALUES 1, 2, 3");
        // No file was moved, and new tables have their folders in the same location
        assertThat(computeScalar("SELECT DISTINCT regexp_replace(\"$path\", '-.*') FROM \"new schema\".\"a table\"")).isEqualTo(folder);

        assertUpdate("CREATE SCHEMA \"old schema\"");
        assertUpdate("CREATE TABLE \"old schema\".\"a table\" AS SELECT 4 n", 1);
        assertThat(query("TABLE \"old schema\".\"a table\"")).matches("VALUES 4");
        assertQueryFails("ALTER SCHEMA \"new schema\" RENAME TO \"old schema\"", ".*Target schema 'albis.old schema' already exists");
        assertUpdate("DROP SCHEMA \"old schema\" CASCADE");
        assertThat(query("TABLE \"new schema\".\"a table\"")).matches("VALUES 1, 2, 3");
        assertUpdate("DROP SCHEMA \"new schema\" CASCADE");
    }

    @Test
    void testStatements()
    {
        assertUpdate("CREATE SCHEMA statements");
        assertUpdate("CREATE TABLE statements.numbers AS SELECT * FROM (VALUES 1, 2, 3) t (n)", 3);
        assertUpdate("CREATE VIEW statements.v COMMENT 'small numbers' AS SELECT n, ARRAY[n] AS a FROM albis.statements.numbers WHERE n < 3");
        assertThat(query("TABLE statements.v")).matches("VALUES (1, ARRAY[1]), (2, ARRAY[2])");
        assertThat(computeScalar("SHOW CREATE VIEW statements.v")).isEqualTo(
                """
                CREATE VIEW albis.statements.v COMMENT 'small numbers' SECURITY DEFINER AS
                SELECT
                  n
                , ARRAY[n] a
                FROM
                  albis.statements.numbers
                WHERE (n < 3)""");
        assertThat(query("SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'statements'"))
                .matches("VALUES (VARCHAR 'numbers', VARCHAR 'BASE TABLE'), ('v', 'VIEW')");
        assertThat(query("SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'statements'"))
                .matches("VALUES (VARCHAR 'numbers', VARCHAR 'n', VARCHAR 'integer'), ('v', 'n', 'integer'), ('v', 'a', 'array(integer)')");
        assertThat(query("SELECT table_name FROM information_schema.views WHERE table_schema = 'statements'")).matches("VALUES VARCHAR 'v'");
        assertThat(query("SELECT table_name, comment FROM system.metadata.table_comments WHERE catalog_name = 'albis' AND schema_name = 'statements'"))
                .matches("VALUES (VARCHAR 'numbers', CAST(NULL AS varchar)), ('v', 'small numbers')");
        assertThat(query("SHOW TABLES FROM statements")).matches("VALUES VARCHAR 'numbers', 'v'");

        assertUpdate("COMMENT ON VIEW statements.v IS 'numbers'");
        assertUpdate("COMMENT ON COLUMN statements.v.a IS 'in an array'");
        assertUpdate("ALTER VIEW statements.v RENAME TO statements.w");
        assertThat(query("SELECT column_name, comment FROM information_schema.columns WHERE table_schema = 'statements' AND table_name = 'w'"))
                .matches("VALUES (VARCHAR 'n', CAST(NULL AS varchar)), ('a', 'in an array')");
        assertUpdate("CREATE OR REPLACE VIEW statements.w AS SELECT max(n) AS greatest FROM albis.statements.numbers");
        assertThat(query("TABLE statements.w")).matches("VALUES 3");
        assertThat((String) computeScalar("SHOW CREATE VIEW statements.w")).doesNotContain("COMMENT");
        assertQueryFails("TABLE statements.v", ".*'albis.statements.v' does not exist");

        assertQueryFails("DROP SCHEMA statements", ".*Cannot drop non-empty schema 'statements'");
        assertUpdate("DROP TABLE statements.numbers");
        assertQueryFails("DROP SCHEMA statements", ".*Cannot drop non-empty schema 'statements'");
        assertUpdate("CREATE VIEW statements.v AS SELECT 1 AS n");
        assertUpdate("DROP SCHEMA statements CASCADE");
        assertUpdate("CREATE SCHEMA statements");
        assertThat(computeActual("SHOW TABLES FROM statements").getRowCount()).isZero();
        assertUpdate("DROP SCHEMA statements");
    }

    @Test
    void testTablesAndViewsShareNoName()
    {
        assertUpdate("CREATE SCHEMA names");
        assertUpdate("CREATE TABLE names.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE VIEW names.v AS SELECT 2 AS n");
        for (String sql : new String[] {"CREATE VIEW names.t AS SELECT 3 AS n", "CREATE OR REPLACE VIEW names.t AS SELECT 3 AS n", "CREATE VIEW names.v AS SELECT 3 AS n"}) {
            assertTrinoExceptionThrownBy(() -> computeActual(sql)).as(sql).hasErrorCode(TABLE_ALREADY_EXISTS);
        }
        for (String sql : new String[] {
                "CREATE TABLE names.v (n bigint)",
                "CREATE TABLE IF NOT EXISTS names.v (n bigint)",
                "CREATE OR REPLACE TABLE names.v (n bigint)",
                "CREATE TABLE names.v AS SELECT 3 AS n",
                "CREATE TABLE IF NOT EXISTS names.v AS SELECT 3 AS n",
                "CREATE OR REPLACE TABLE names.v AS SELECT 3 AS n",
        }) {
            assertTrinoExceptionThrownBy(() -> computeActual(sql)).as(sql).hasErrorCode(TABLE_ALREADY_EXISTS).hasMessage("View 'names.v' already exists");
        }
        assertQueryFails("ALTER TABLE names.t RENAME TO names.v", ".*'albis.names.v' does not exist, but a view with that name exists.*");
        assertQueryFails("ALTER VIEW names.v RENAME TO names.t", ".*'albis.names.t' does not exist, but a table with that name exists.*");
        assertQueryFails("DROP TABLE names.v", ".*a view with that name exists.*");
        assertQueryFails("DROP VIEW names.t", ".*a table with that name exists.*");
        assertQueryFails("TABLE names.\"v$files\"", ".*'albis.names.\"v\\$files\"' does not exist");
        assertQueryFails("INSERT INTO names.v VALUES 3", ".*Inserting into views is not supported");
        assertQueryFails("ALTER TABLE names.v EXECUTE drop_tag('x')", ".*(does not exist|view).*");
        assertQueryFails("CALL system.unregister_table('names', 'v')", "'names.v' is a view, and only a table can be unregistered");
        assertThat(query("TABLE names.t")).matches("VALUES 1");
        assertThat(query("TABLE names.v")).matches("VALUES 2");
    }

    /**
     * Clients create, replace, and drop a view and a table with the same name at the same time.
     */
    @Test
    @Timeout(300)
    void testConcurrentStatements()
            throws Exception
    {
        assertUpdate("CREATE SCHEMA raced");
        List<String> statements = List.of(
                "CREATE OR REPLACE VIEW raced.x AS SELECT 'view' AS kind",
                "CREATE VIEW raced.x AS SELECT 'view' AS kind",
                "CREATE TABLE raced.x AS SELECT 'table' AS kind",
                "DROP VIEW raced.x",
                "DROP TABLE raced.x",
                "TABLE raced.x");
        ConcurrentStatements.run(getQueryRunner(), statements, 20, "(?s).*(already exists|does not exist|a (table|view) with that name exists|was dropped|The table was dropped|Retry the statement).*");
        boolean view = computeActual("SELECT 1 FROM information_schema.views WHERE table_schema = 'raced'").getRowCount() == 1;
        boolean table = computeActual("SELECT 1 FROM information_schema.tables WHERE table_schema = 'raced' AND table_type = 'BASE TABLE'").getRowCount() == 1;
        assertThat(view && table).isFalse();
        if (view || table) {
            assertThat(computeScalar("TABLE raced.x")).isEqualTo(view ? "view" : "table");
        }
        assertUpdate("DROP SCHEMA raced CASCADE");
    }

    @Test
    void testDamagedView()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA damaged");
        assertUpdate("CREATE TABLE damaged.t AS SELECT 1 AS n", 1);
        for (String statement : new String[] {"DROP VIEW damaged.v", "DROP SCHEMA damaged CASCADE"}) {
            assertUpdate("CREATE VIEW damaged.v AS SELECT 1 AS n");
            Path version = version("damaged", "v");
            Files.write(version, new byte[1]);
            assertTrinoExceptionThrownBy(() -> computeActual("TABLE damaged.v")).hasErrorCode(ALBIS_BAD_DATA);
            assertTrinoExceptionThrownBy(() -> computeActual("COMMENT ON VIEW damaged.v IS 'x'")).hasErrorCode(ALBIS_BAD_DATA);
            assertThat(query("SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'damaged'"))
                    .matches("VALUES (VARCHAR 't', VARCHAR 'BASE TABLE'), ('v', 'VIEW')");
            assertThat(query("SELECT table_name FROM information_schema.columns WHERE table_schema = 'damaged'")).matches("VALUES VARCHAR 't'");
            assertThat(computeActual("SELECT * FROM information_schema.views WHERE table_schema = 'damaged'").getRowCount()).isZero();
            assertUpdate(statement);
        }
        assertThat(computeActual("SHOW SCHEMAS LIKE 'damaged'").getRowCount()).isZero();
    }

    @Test
    void testOwner()
    {
        assertUpdate("CREATE SCHEMA owned");
        Session alice = Session.builder(getSession()).setIdentity(Identity.ofUser("alice")).build();
        assertUpdate(alice, "CREATE VIEW owned.v AS SELECT current_user AS name");
        assertThat(computeScalar("SHOW CREATE VIEW owned.v")).asString().contains("SECURITY DEFINER");
        assertThat(version("owned", "v")).content().contains("\"owner\":\"alice\"");
        assertUpdate(alice, "ALTER VIEW owned.v SET AUTHORIZATION bob");
        assertThat(computeScalar("SELECT name FROM owned.v")).isEqualTo(getSession().getUser());
        assertThat(computeActual("SELECT name FROM owned.v").getRowCount()).isEqualTo(1);
        assertUpdate("CREATE VIEW owned.invoked SECURITY INVOKER AS SELECT 1 AS n");
        assertQueryFails("ALTER VIEW owned.invoked SET AUTHORIZATION bob", "A view with SECURITY INVOKER has no owner.*");
        assertThat((String) computeScalar("SHOW CREATE VIEW owned.invoked")).contains("SECURITY INVOKER");
        assertQueryFails("ALTER VIEW owned.v SET AUTHORIZATION ROLE admins", ".*(Role|role).*");
    }

    /**
     * A view that has lost its name gets one as a table does.
     */
    @Test
    void testLostView()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA lost");
        assertUpdate("CREATE VIEW lost.v AS SELECT 1 AS n");
        Files.delete(warehouse.resolve("lost/tables/v").resolve(NumberedFiles.fileName(1)));
        assertQueryFails("TABLE lost.v", ".*'albis.lost.v' does not exist");
        String location = (String) computeScalar("SELECT location FROM TABLE(albis.system.find_lost_tables()) WHERE schema_name = 'lost'");
        assertUpdate("CALL system.register_table('lost', 'w', '%s')".formatted(location));
        assertThat(query("TABLE lost.w")).matches("VALUES 1");
        assertThat(query("SHOW TABLES FROM lost")).matches("VALUES VARCHAR 'w'");
        assertThat(query("SELECT table_type FROM information_schema.tables WHERE table_schema = 'lost'")).matches("VALUES VARCHAR 'VIEW'");
    }

    private Path version(String schema, String view)
    {
        String entry = NumberedFiles.fileName(1);
        try (Stream<Path> folders = Files.list(warehouse.resolve(schema))) {
            List<Path> versions = folders.filter(path -> path.getFileName().toString().startsWith(view + "-"))
                    .map(path -> path.resolve("versions").resolve(entry))
                    .toList();
            for (Path version : versions) {
                // Another one is that of a damaged view
                if (Files.size(version) > 1) {
                    return version;
                }
            }
            throw new AssertionError("no sound view in " + versions);
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
