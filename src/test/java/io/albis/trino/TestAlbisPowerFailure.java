package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.albis.table.storage.FileEvents.Event;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Acknowledged writes on a local file system survive a power failure.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
class TestAlbisPowerFailure
        extends AbstractTestQueryFramework
{
    private Path folder;
    private int copies;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        Path temporary = Files.createTempDirectory("albis-power");
        closeAfterClass(() -> deleteRecursively(temporary, ALLOW_INSECURE));
        folder = Files.createDirectory(temporary.resolve("disk"));
        return AlbisQueryRunner.builder()
                .addAlbisProperties(AlbisQueryRunner.catalogProperties(folder))
                .addAlbisProperty("albis.allowed-locations", "local:///a")
                .addAlbisProperty("albis.expire-snapshots.min-retention", "0s")
                .addAlbisProperty("albis.remove-orphan-files.min-retention", "0s")
                .addAlbisProperty("albis.vacuum.min-retention", "0s")
                .addAlbisProperty("albis.register-table-procedure.enabled", "true")
                .setWorkerCount(0)
                .build();
    }

    @Test
    void testEveryStatement()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        execute(files, "CREATE SCHEMA power");
        execute(files, "CREATE TABLE power.orders WITH (row_group_rows = 4000, column_groups = ARRAY[ARRAY['orderkey'], ARRAY['comment']]) AS SELECT orderkey, comment FROM tpch.tiny.orders");
        // Enough inserts for a merge of manifests
        for (int i = 1; i <= 9; i++) {
            String sql = "INSERT INTO power.orders VALUES (%s, 'row')".formatted(-i);
            if (i % 4 == 1) {
                execute(files, sql);
            }
            else {
                files.record(() -> getQueryRunner().execute(sql));
            }
        }
        execute(files, "CREATE TABLE power.empty (n integer)");
        execute(files, "CREATE TABLE power.placed (n) WITH (location = 'local:///a/b/placed') AS SELECT 7");
        execute(files, "ALTER TABLE power.orders RENAME TO power.renamed");
        execute(files, "COMMENT ON TABLE power.renamed IS 'a comment'");
        assertThat(query("SELECT count(*) FROM power.renamed")).matches("VALUES BIGINT '15009'");
        execute(files, "DROP TABLE power.placed");
        execute(files, "DROP TABLE power.empty");
        execute(files, "CREATE SCHEMA gone");
        execute(files, "DROP SCHEMA gone");
        execute(files, "CREATE SCHEMA gone");
        execute(files, "CREATE TABLE gone.again (n) AS SELECT 8");
    }

    @Test
    @Tag("slow")
    void testViews()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        execute(files, "CREATE SCHEMA viewed");
        execute(files, "CREATE VIEW viewed.v COMMENT 'a comment' AS SELECT 1 AS n");
        execute(files, "CREATE OR REPLACE VIEW viewed.v AS SELECT 2 AS n, 'x' AS s");
        execute(files, "COMMENT ON COLUMN viewed.v.n IS 'a number'");
        execute(files, "ALTER VIEW viewed.v RENAME TO viewed.w");
        execute(files, "CREATE TABLE viewed.t AS SELECT n FROM viewed.w");
        execute(files, "ALTER TABLE viewed.t SET PROPERTIES compression = 'zstd'");
        execute(files, "DROP VIEW viewed.w");
        execute(files, "CREATE TABLE viewed.w AS SELECT 3 AS n");
        execute(files, "DROP SCHEMA viewed CASCADE");
    }

    @Test
    @Tag("slow")
    void testDefinitions()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        execute(files, "CREATE SCHEMA defined");
        execute(files, "CREATE TABLE defined.t (a integer DEFAULT 3 NOT NULL, b varchar COMMENT 'a text') COMMENT 'a table' WITH (row_group_rows = 4000)");
        execute(files, "COMMENT ON TABLE defined.t IS NULL");
        execute(files, "COMMENT ON COLUMN defined.t.a IS 'a number'");
        execute(files, "ALTER TABLE defined.t SET PROPERTIES compression = 'zstd', isolation_level = 'SNAPSHOT'");
        execute(files, "INSERT INTO defined.t (b) VALUES 'x'");
        execute(files, "ALTER TABLE defined.t EXECUTE set_not_null(column_name => 'b')");
        execute(files, "ALTER TABLE defined.t ALTER COLUMN a DROP NOT NULL");
        execute(files, "ALTER TABLE defined.t ALTER COLUMN a SET DATA TYPE bigint");
        execute(files, "ALTER TABLE defined.t ALTER COLUMN b SET DEFAULT 'y'");
        execute(files, "ALTER TABLE defined.t ALTER COLUMN a DROP DEFAULT");
        execute(files, "ALTER TABLE defined.t EXECUTE create_tag(name => 'first', snapshot_id => 1)");
        execute(files, "ALTER TABLE defined.t EXECUTE create_tag(name => 'second')");
        execute(files, "ALTER TABLE defined.t EXECUTE drop_tag(name => 'first')");
        assertThat(StoredDefinitions.of(getQueryRunner(), "TABLE", "albis", "defined.t").orElseThrow().toString())
                .contains("a bigint COMMENT 'a number'", "b varchar DEFAULT 'y' NOT NULL COMMENT 'a text'", "compression = 'zstd'", "second")
                .doesNotContain("a table", "first");
        execute(files, "DROP TABLE defined.t");
    }

    @Test
    @Tag("slow")
    void testRowChanges()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        execute(files, "CREATE SCHEMA changes");
        execute(files, "CREATE TABLE changes.t WITH (row_group_rows = 4000) AS SELECT orderkey, custkey FROM tpch.tiny.orders");
        execute(files, "DELETE FROM changes.t WHERE orderkey % 7 = 0");
        execute(files, "DELETE FROM changes.t WHERE orderkey % 11 = 0");
        execute(files, "UPDATE changes.t SET custkey = 0 WHERE orderkey % 501 = 2");
        execute(files, "UPDATE changes.t SET custkey = custkey + 1");
        execute(files, "MERGE INTO changes.t USING (VALUES 1, -1) s (k) ON orderkey = k WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (k, k)");
        execute(files, "ALTER TABLE changes.t EXECUTE create_tag(name => 'merged')");
        execute(files, "TRUNCATE TABLE changes.t");
        execute(files, "ALTER TABLE changes.t EXECUTE expire_snapshots(retention_threshold => '0s')");
        execute(files, "ALTER TABLE changes.t EXECUTE rollback_to_snapshot(6)");
        execute(files, "CREATE OR REPLACE TABLE changes.t AS SELECT custkey FROM changes.t WHERE orderkey % 5 = 0");
        execute(files, "ALTER TABLE changes.t EXECUTE drop_tag('merged')");
        execute(files, "ALTER TABLE changes.t EXECUTE expire_snapshots(retention_threshold => '0s')");
        assertThat((long) computeScalar("SELECT count(*) FROM changes.t")).isBetween(1000L, 3000L);
        // What a failed load has left
        Path orphan = tableFolder("changes").resolve("manifests/94c2e6dc-9939-488d-976a-83e567e9238a");
        Files.writeString(orphan, "orphan");
        execute(files, "ALTER TABLE changes.t EXECUTE remove_orphan_files(retention_threshold => '0s')");
        assertThat(orphan).doesNotExist();
        execute(files, "DELETE FROM changes.t WHERE custkey = 1");
        execute(files, "CREATE OR REPLACE TABLE changes.t (a bigint)");
        execute(files, "DROP TABLE changes.t");
    }

    @Test
    @Tag("slow")
    void testTablesWithoutNames()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        execute(files, "CREATE SCHEMA named");
        execute(files, "CREATE TABLE named.t AS SELECT 1 n");
        String location = ((String) computeScalar("SELECT \"$path\" FROM named.t")).replaceFirst("/[0-9a-f]{2}/rg-.*", "");
        execute(files, "CALL system.unregister_table('named', 't')");
        execute(files, "CALL system.register_table('named', 'u', '%s')".formatted(location));
        execute(files, "INSERT INTO named.u VALUES 2");
        execute(files, "CREATE TABLE named.kept AS SELECT 3 n");
        execute(files, "DROP TABLE named.u");
        execute(files, "CALL system.vacuum('0s')");
        execute(files, "CREATE TABLE named.u AS SELECT 4 n");
    }

    private Path tableFolder(String schema)
            throws IOException
    {
        try (Stream<Path> folders = Files.walk(folder)) {
            return folders.filter(path -> path.endsWith("manifests") && path.toString().contains("/" + schema + "/")).findFirst().orElseThrow().getParent();
        }
    }

    private void execute(ForcedFiles files, String sql)
            throws Exception
    {
        files.record(() -> getQueryRunner().execute(sql));
        String copy = "copy" + copies++;
        Path disk = folder.resolveSibling(copy);
        files.copyTo(disk);
        getQueryRunner().createCatalog(copy, AlbisConnectorFactory.CONNECTOR_NAME, AlbisQueryRunner.catalogProperties(disk));
        String schemas = "SELECT schema_name FROM %s.information_schema.schemata";
        assertThat(query(schemas.formatted(copy))).as(sql).matches(schemas.formatted("albis"));
        String tables = "SELECT table_schema, table_name, table_type FROM %s.information_schema.tables WHERE table_schema <> 'information_schema'";
        assertThat(query(tables.formatted(copy))).as(sql).matches(tables.formatted("albis"));
        for (MaterializedRow table : computeActual(tables.formatted("albis"))) {
            String rows = "SELECT * FROM %%s.%s.%s".formatted(table.getField(0), table.getField(1));
            assertEqualsIgnoreOrder(computeActual(rows.formatted(copy)), computeActual(rows.formatted("albis")), "a power failure after: " + sql);
            String name = "%s.%s".formatted(table.getField(0), table.getField(1));
            String kind = table.getField(2).equals("VIEW") ? "VIEW" : "TABLE";
            assertThat(StoredDefinitions.of(getQueryRunner(), kind, copy, name))
                    .as("a power failure after: " + sql)
                    .isPresent()
                    .isEqualTo(StoredDefinitions.of(getQueryRunner(), kind, "albis", name));
        }
    }

    /**
     * A version gets its name only after all files that it references are durable.
     */
    @Test
    void testOrder()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        for (String sql : ImmutableList.of(
                "CREATE TABLE tpch.t WITH (row_group_rows = 4000) AS SELECT orderkey, comment FROM tpch.tiny.orders",
                "INSERT INTO tpch.t VALUES (-1, 'row')")) {
            Set<Path> before = new HashSet<>(paths());
            List<Event> events = files.record(() -> getQueryRunner().execute(sql));
            List<Path> added = paths().stream()
                    .filter(path -> !before.contains(path) && !path.endsWith("hint"))
                    .toList();
            // The version is forced under a temporary name before it is linked. The hint is forced later
            Event version = events.stream()
                    .filter(event -> event.force() && event.path().getParent().endsWith("versions"))
                    .findFirst().orElseThrow();
            List<Path> data = added.stream()
                    .filter(Files::isRegularFile)
                    .filter(path -> !path.getParent().endsWith("versions") && !path.startsWith(folder.resolve("warehouse/tpch/tables")))
                    .toList();
            // The data and metadata of each row group, and a manifest
            assertThat(data).hasSizeGreaterThanOrEqualTo(sql.startsWith("CREATE") ? 4 * 2 + 1 : 3);
            for (Path file : data) {
                List<Event> own = events.stream().filter(event -> event.path().equals(file)).toList();
                assertThat(own).as("events of %s", file).anyMatch(event -> !event.force());
                assertThat(own.getLast().force()).as("%s is forced after its last write", file).isTrue();
                assertThat(own.getLast().end()).as(file.toString()).isBeforeOrEqualTo(version.start());
                Path child = file;
                while (!child.equals(folder)) {
                    Path parent = child.getParent();
                    if (added.contains(child)) {
                        Path made = child;
                        Event first = events.stream().filter(event -> event.path().startsWith(made)).findFirst().orElseThrow();
                        assertThat(events).as("%s is forced with %s in it", parent, child)
                                .anyMatch(event -> event.force() && event.path().equals(parent) && !event.start().isBefore(first.start()) && !event.end().isAfter(version.start()));
                    }
                    child = parent;
                }
            }
            assertThat(files.names()).containsAll(added);
        }
    }

    private List<Path> paths()
            throws Exception
    {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.toList();
        }
    }
}
