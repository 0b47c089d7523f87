package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import com.google.inject.Key;
import io.albis.trino.ForcedFiles.Survivors;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.metadata.CatalogManager;
import io.trino.spi.catalog.CatalogName;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * After a power failure at any time of a statement on a local file system, all tables are as before the statement or as
 * after it. They can be written, and the files that the statement has left can be removed.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
@Tag("slow")
@Timeout(3600)
final class TestAlbisPowerFailureInStatements
{
    private static final CatalogName CATALOG = new CatalogName("albis");
    private static final Map<String, String> MAINTENANCE = ImmutableMap.of(
            "albis.expire-snapshots.min-retention", "0s",
            "albis.remove-orphan-files.min-retention", "0s",
            "albis.vacuum.min-retention", "0s",
            "albis.register-table-procedure.enabled", "true");
    private static final String TABLES = "SELECT table_schema, table_name, table_type FROM albis.information_schema.tables WHERE table_schema <> 'information_schema'";
    private static final String MATERIALIZED_VIEWS = "SELECT schema_name, name FROM system.metadata.materialized_views WHERE catalog_name = 'albis'";
    private static final String LOCATION = "the folder of t";
    // Of how many survivors one is written to
    private static final int WRITTEN = 4;

    private Path temporary;
    private Path folder;
    // What the power failure has left, and the server that reads it
    private volatile Path survived;
    private DistributedQueryRunner queryRunner;
    private DistributedQueryRunner readerOfSurvivors;
    private DistributedQueryRunner writerToSurvivors;
    private String location = "";
    private int failures;

    @BeforeAll
    void start()
            throws Exception
    {
        temporary = Files.createTempDirectory("albis-power-in-statements");
        folder = Files.createDirectory(temporary.resolve("disk"));
        survived = folder;
        queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperties(AlbisQueryRunner.catalogProperties(folder))
                .addAlbisProperties(MAINTENANCE)
                .setWorkerCount(0)
                .build();
        readerOfSurvivors = DistributedQueryRunner.builder(testSessionBuilder().build())
                .setWorkerCount(0)
                .build();
        readerOfSurvivors.installPlugin(new StoragePlugin(_ -> new LocalFileSystem(survived)));
        readerOfSurvivors.createCatalog("albis", "albis", ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                // Other survivors have other contents in files of the same name
                .put("albis.metadata-cache.max-size", "0B")
                .put("albis.manifest-cache.max-size", "0B")
                .buildOrThrow());
        writerToSurvivors = DistributedQueryRunner.builder(testSessionBuilder().build())
                .setWorkerCount(0)
                .build();
        writerToSurvivors.installPlugin(new AlbisPlugin());
    }

    @AfterAll
    void stop()
            throws IOException
    {
        queryRunner.close();
        readerOfSurvivors.close();
        writerToSurvivors.close();
        deleteRecursively(temporary, ALLOW_INSECURE);
    }

    @Test
    void testEveryStatement()
            throws Exception
    {
        ForcedFiles files = new ForcedFiles(folder);
        for (String sql : ImmutableList.of(
                "CREATE SCHEMA power",
                "CREATE TABLE power.t WITH (row_group_rows = 20, column_groups = ARRAY[ARRAY['id'], ARRAY['name']]) AS SELECT id, 'name ' || cast(id AS varchar) name FROM UNNEST(sequence(1, 60)) n (id)",
                "CREATE TABLE power.empty (n integer)",
                "INSERT INTO power.t VALUES (61, 'inserted')",
                "INSERT INTO power.t SELECT id + 100, name FROM power.t WHERE id < 10",
                "DELETE FROM power.t WHERE id % 7 = 0",
                "DELETE FROM power.t WHERE id % 11 = 0",
                "DELETE FROM power.t WHERE id BETWEEN 41 AND 60",
                "UPDATE power.t SET name = 'updated' WHERE id = 8",
                "UPDATE power.t SET name = name || 'x'",
                "MERGE INTO power.t USING (VALUES 1, -1) s (k) ON id = k WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (k, 'new')",
                "ALTER TABLE power.t EXECUTE add_index(columns => ARRAY['name'])",
                "ALTER TABLE power.t EXECUTE drop_index(columns => ARRAY['name'])",
                "ALTER TABLE power.t EXECUTE regroup(column_groups => ARRAY[ARRAY['name', 'id']])",
                "ALTER TABLE power.t EXECUTE optimize(row_group_size => '1MB')",
                "ALTER TABLE power.t EXECUTE optimize(sorted_by => ARRAY['name'])",
                "ALTER TABLE power.t ADD COLUMN added integer DEFAULT 7",
                "ALTER TABLE power.t RENAME COLUMN added TO renamed",
                "ALTER TABLE power.t ALTER COLUMN renamed SET DATA TYPE bigint",
                "ALTER TABLE power.t ALTER COLUMN renamed DROP DEFAULT",
                "ALTER TABLE power.t DROP COLUMN renamed",
                "ALTER TABLE power.t EXECUTE set_not_null(column_name => 'name')",
                "ALTER TABLE power.t ALTER COLUMN name DROP NOT NULL",
                "ALTER TABLE power.t SET PROPERTIES compression = 'zstd'",
                "COMMENT ON TABLE power.t IS 'a comment'",
                "COMMENT ON COLUMN power.t.name IS 'a name'",
                "ALTER TABLE power.t EXECUTE create_tag(name => 'tagged')",
                "TRUNCATE TABLE power.t",
                "ALTER TABLE power.t EXECUTE rollback_to_snapshot(6)",
                "ALTER TABLE power.t EXECUTE expire_snapshots(retention_threshold => '0s')",
                "ALTER TABLE power.t EXECUTE remove_orphan_files(retention_threshold => '0s')",
                "ALTER TABLE power.t EXECUTE drop_tag(name => 'tagged')",
                "CALL albis.system.unregister_table('power', 't')",
                "CALL albis.system.register_table('power', 't', '%s')".formatted(LOCATION),
                "CREATE OR REPLACE TABLE power.t AS SELECT id FROM power.t WHERE id % 2 = 0",
                "ALTER TABLE power.t RENAME TO power.u",
                "CREATE VIEW power.v AS SELECT count(*) n FROM power.u",
                "CREATE OR REPLACE VIEW power.v AS SELECT max(id) n FROM power.u",
                "ALTER VIEW power.v RENAME TO power.w",
                "DROP VIEW power.w",
                "CREATE MATERIALIZED VIEW power.m AS SELECT id FROM power.u WHERE id < 30",
                "REFRESH MATERIALIZED VIEW power.m",
                "DROP MATERIALIZED VIEW power.m",
                "CREATE TABLE power.p WITH (partitioned_by = ARRAY['bucket(id, 2)'], sorted_by = ARRAY['name'], indexed_by = ARRAY['name']) AS SELECT id, 'name ' || cast(id AS varchar) name FROM UNNEST(sequence(1, 20)) n (id)",
                "INSERT INTO power.p SELECT id + 100, name FROM power.p",
                "UPDATE power.p SET name = 'updated' WHERE id = 8",
                "UPDATE power.p SET name = name || 'x'",
                "DROP TABLE power.p",
                "DROP TABLE power.u",
                "CREATE TABLE power.u AS SELECT 1 n",
                "ALTER SCHEMA power RENAME TO forced",
                "ALTER SCHEMA forced RENAME TO power",
                "DROP TABLE power.empty",
                "CALL albis.system.vacuum('0s')",
                "DROP TABLE power.u",
                "DROP SCHEMA power")) {
            if (sql.contains("unregister_table")) {
                location = (String) queryRunner.execute("SELECT value FROM albis.power.\"t$properties\" WHERE key = 'location'").getOnlyValue();
            }
            failDuring(files, sql.replace(LOCATION, location));
        }
        // Each statement forces several files and folders
        assertThat(failures).isGreaterThan(200);
    }

    private void failDuring(ForcedFiles files, String sql)
            throws Exception
    {
        Map<String, List<String>> before = contents(queryRunner);
        Path backup = Files.createDirectory(temporary.resolve("backup"));
        List<Survivors> survivors = files.recordFailures(backup, () -> queryRunner.execute(sql));
        Map<String, List<String>> after = contents(queryRunner);
        for (int failure = 0; failure < survivors.size(); failure++) {
            survived = temporary.resolve("survived" + failures++);
            files.copyTo(survived, survivors.get(failure), backup);
            String description = "power failure %s of %s during %s, in %s".formatted(failure, survivors.size(), sql, survived);
            assertThat(contents(readerOfSurvivors))
                    .as(description)
                    .isIn(before, after, sql.contains("RENAME TO") ? union(before, after) : after);
            if (failures % WRITTEN == 0) {
                write(description);
            }
            deleteRecursively(survived, ALLOW_INSECURE);
        }
        deleteRecursively(backup, ALLOW_INSECURE);
    }

    /**
     * Adds the rows of each table of the survivors once more, and removes the files that nothing needs. The definitions
     * stay the same.
     */
    private void write(String description)
            throws IOException
    {
        writerToSurvivors.createCatalog(CATALOG.toString(), AlbisConnectorFactory.CONNECTOR_NAME, ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(survived))
                .putAll(MAINTENANCE)
                .buildOrThrow());
        // Completes a RENAME
        contents(writerToSurvivors);
        Map<String, List<String>> twice = new TreeMap<>();
        for (MaterializedRow table : writerToSurvivors.execute(TABLES + " AND table_type = 'BASE TABLE' AND (table_schema, table_name) NOT IN (SELECT schema_name, name FROM (" + MATERIALIZED_VIEWS + "))").getMaterializedRows()) {
            String name = "%s.%s".formatted(table.getField(0), table.getField(1));
            List<String> rows = rows(writerToSurvivors, name).orElseThrow();
            twice.put(definitionOf(name), StoredDefinitions.of(writerToSurvivors, "TABLE", "albis", name).orElseThrow());
            twice.put(name, ImmutableList.sortedCopyOf(ImmutableList.<String>builder().addAll(rows).addAll(rows).build()));
            writerToSurvivors.execute("INSERT INTO albis.%1$s SELECT * FROM albis.%1$s".formatted(name));
        }
        new ReclaimedSpace(writerToSurvivors, CATALOG.toString(), survived).check(description);
        assertThat(Maps.filterKeys(contents(writerToSurvivors), twice::containsKey)).as(description).isEqualTo(twice);
        writerToSurvivors.getCoordinator().getInstance(Key.get(CatalogManager.class)).dropCatalog(CATALOG, false);
    }

    /**
     * In the middle of a RENAME, the table has both names. The first use of the new one completes the RENAME.
     */
    private static Map<String, List<String>> union(Map<String, List<String>> before, Map<String, List<String>> after)
    {
        Map<String, List<String>> union = new TreeMap<>(before);
        union.putAll(after);
        return union;
    }

    /**
     * Returns the rows of each table, in an order that is always the same, its definition under another key, and no
     * rows for each schema.
     */
    private static Map<String, List<String>> contents(QueryRunner queryRunner)
    {
        ImmutableSortedMap.Builder<String, List<String>> contents = ImmutableSortedMap.naturalOrder();
        for (MaterializedRow schema : queryRunner.execute("SELECT schema_name FROM albis.information_schema.schemata").getMaterializedRows()) {
            contents.put(schema.getField(0) + ".", ImmutableList.of());
        }
        Set<String> materializedViews = new HashSet<>();
        for (MaterializedRow view : queryRunner.execute(MATERIALIZED_VIEWS).getMaterializedRows()) {
            materializedViews.add("%s.%s".formatted(view.getField(0), view.getField(1)));
            String storage = "%s.\"%s$storage\"".formatted(view.getField(0), view.getField(1));
            rows(queryRunner, storage).ifPresent(rows -> contents.put(storage, rows));
        }
        for (MaterializedRow table : queryRunner.execute(TABLES).getMaterializedRows()) {
            String name = "%s.%s".formatted(table.getField(0), table.getField(1));
            String kind = table.getField(2).equals("VIEW") ? "VIEW" : "TABLE";
            rows(queryRunner, name).ifPresent(rows -> contents.put(name, rows));
            StoredDefinitions.of(queryRunner, materializedViews.contains(name) ? "MATERIALIZED VIEW" : kind, "albis", name)
                    .ifPresent(definition -> contents.put(definitionOf(name), definition));
        }
        return contents.buildOrThrow();
    }

    private static String definitionOf(String name)
    {
        return name + " definition";
    }

    /**
     * Returns the rows of a table. An earlier query may have completed a RENAME, and then the old name is gone.
     */
    private static Optional<List<String>> rows(QueryRunner queryRunner, String name)
    {
        try {
            return Optional.of(queryRunner.execute("SELECT * FROM albis." + name).getMaterializedRows().stream()
                    .map(row -> row.getFields().toString())
                    .sorted()
                    .collect(toImmutableList()));
        }
        catch (QueryFailedException e) {
            assertThat(e).hasMessageEndingWith("Table 'albis.%s' does not exist".formatted(name));
            return Optional.empty();
        }
    }
}
