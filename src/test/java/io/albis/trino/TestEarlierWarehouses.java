package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/**
 * Every version reads and changes the tables that earlier versions have written. The folder of the resources has a
 * warehouse of each of them. Before a release, {@code -Dwarehouse.write=483-1} adds that of the new version.
 */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
final class TestEarlierWarehouses
        extends AbstractTestQueryFramework
{
    private static final String WRITE = "warehouse.write";
    private static final Path WAREHOUSES = Path.of("src/test/resources/io/albis/warehouses");
    private static final String SUFFIX = ".zip";
    private static final String ROWS =
            """
            SELECT CAST(n AS bigint) id, n % 3 = 0 a_boolean, CAST(n % 100 AS tinyint) a_tinyint, CAST(n AS smallint) a_smallint, CAST(n AS integer) an_integer, CAST(n AS real) / 4 a_real, CAST(n AS double) / 8 a_double,
                   CAST(n AS decimal(9, 2)) a_decimal, CAST(n AS decimal(38, 4)) a_long_decimal, 'text ' || CAST(n % 17 AS varchar) a_varchar, CAST('c' || CAST(n AS varchar) AS char(8)) a_char, to_utf8(CAST(n AS varchar)) a_varbinary,
                   DATE '2026-01-01' + n * INTERVAL '1' DAY a_date, TIME '01:02:03.123456' a_time, TIMESTAMP '2026-01-01 00:00:00.123456' + n * INTERVAL '1' HOUR a_timestamp, TIMESTAMP '2026-01-01 00:00:00.123456789 UTC' a_timestamp_with_zone,
                   CAST(md5(to_utf8(CAST(n AS varchar))) AS uuid) a_uuid, CAST(n AS json) a_json, IF(n % 5 = 0, NULL, n) a_null
            FROM UNNEST(sequence(1, 300)) t (n)
            """;
    private static final String NESTED =
            """
            SELECT n id, CAST(ROW(n, ROW('s' || CAST(n AS varchar), NULL)) AS row(x integer, y row(t varchar, z bigint))) r, sequence(1, n % 5) a, MAP(ARRAY['k', 'l'], ARRAY[n, NULL]) m
            FROM UNNEST(sequence(1, 100)) t (n)
            """;
    private static final List<String> STATEMENTS = ImmutableList.of(
            "CREATE SCHEMA warehouse",
            "CREATE TABLE blocks WITH (row_group_rows = 100) AS " + ROWS,
            "CREATE TABLE narrow WITH (column_groups = ARRAY[ARRAY['id', 'a_varchar'], ARRAY['a_date']], compression = 'zstd') AS " + ROWS,
            "CREATE TABLE rows WITH (layout = 'row', compression = 'lz4') AS " + ROWS,
            "CREATE TABLE nested AS " + NESTED,
            "CREATE TABLE parts WITH (partitioned_by = ARRAY['bucket(id, 4)', 'month(a_date)'], sorted_by = ARRAY['a_varchar'], indexed_by = ARRAY['a_uuid', 'a_varchar']) AS " + ROWS,
            "CREATE TABLE changed WITH (row_group_rows = 50) AS SELECT id, a_varchar name, an_integer number FROM blocks",
            "DELETE FROM changed WHERE id % 7 = 0",
            "ALTER TABLE changed EXECUTE create_tag(name => 'deleted')",
            "UPDATE changed SET name = 'updated' WHERE id <= 120",
            "UPDATE changed SET number = -1 WHERE id = 299",
            "ALTER TABLE changed ADD COLUMN added bigint DEFAULT 7",
            "ALTER TABLE changed ALTER COLUMN number SET DATA TYPE bigint",
            "ALTER TABLE changed RENAME COLUMN name TO renamed",
            "INSERT INTO changed VALUES (1000, 'inserted', 1, 2)",
            "ALTER TABLE changed RENAME TO altered",
            "CREATE VIEW viewed AS SELECT count(*) c FROM UNNEST(sequence(1, 259))",
            "CREATE MATERIALIZED VIEW materialized AS SELECT n, n * 2 m FROM UNNEST(sequence(1, 10)) t (n)",
            "REFRESH MATERIALIZED VIEW materialized",
            "CREATE TABLE dropped AS SELECT 1 n",
            "DROP TABLE dropped");
    // By query of the warehouse, a query with the same rows
    private static final Map<String, String> QUERIES = ImmutableMap.<String, String>builder()
            .put("SELECT * FROM blocks", ROWS)
            .put("SELECT * FROM narrow", ROWS)
            .put("SELECT * FROM rows", ROWS)
            .put("SELECT * FROM parts", ROWS)
            .put("SELECT id FROM parts WHERE a_uuid = CAST(md5(to_utf8('77')) AS uuid)", "VALUES BIGINT '77'")
            .put("SELECT count(*) FROM parts WHERE a_varchar = 'text 3' AND a_date < DATE '2026-03-01'", "SELECT count(*) FROM (%s) WHERE a_varchar = 'text 3' AND a_date < DATE '2026-03-01'".formatted(ROWS))
            .put("SELECT * FROM nested", NESTED)
            .put("SELECT r.y.t, a[1], element_at(m, 'k') FROM nested WHERE r.x = 77", "VALUES (VARCHAR 's77', BIGINT '1', BIGINT '77')")
            .put("SELECT id, renamed, number, added FROM altered",
                    """
                    SELECT id, IF(id <= 120, 'updated', a_varchar), CAST(IF(id = 299, -1, an_integer) AS bigint), BIGINT '7' FROM (%s) WHERE id %% 7 <> 0
                    UNION ALL VALUES (1000, 'inserted', 1, 2)
                    """.formatted(ROWS))
            .put("SELECT id, name, number FROM altered FOR VERSION AS OF 'deleted'", "SELECT id, a_varchar, an_integer FROM (%s) WHERE id %% 7 <> 0".formatted(ROWS))
            .put("SELECT count(*) FROM altered FOR VERSION AS OF 1", "VALUES BIGINT '300'")
            .put("SELECT c FROM viewed", "VALUES BIGINT '259'")
            .put("SELECT * FROM materialized", "SELECT n, n * 2 FROM UNNEST(sequence(1, 10)) t (n)")
            .buildOrThrow();
    // Statements that change the tables of the earlier version, and a query with the same rows afterward
    private static final Map<String, Map.Entry<String, String>> CHANGES = ImmutableMap.of(
            "DELETE FROM blocks WHERE id % 2 = 0", Map.entry("SELECT id FROM blocks", "SELECT id FROM (%s) WHERE id %% 2 = 1".formatted(ROWS)),
            "UPDATE rows SET a_varchar = 'new'", Map.entry("SELECT id, a_varchar FROM rows", "SELECT id, VARCHAR 'new' FROM (%s)".formatted(ROWS)),
            "ALTER TABLE parts EXECUTE optimize", Map.entry("SELECT * FROM parts", ROWS),
            "ALTER TABLE nested ADD COLUMN r.added bigint", Map.entry("SELECT id, r.x, r.added FROM nested", "SELECT id, r.x, CAST(NULL AS bigint) FROM (%s)".formatted(NESTED)),
            "ALTER TABLE altered EXECUTE optimize", Map.entry("SELECT count(*), max(id) FROM altered", "VALUES (BIGINT '259', BIGINT '1000')"));

    private Path temporary;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        temporary = Files.createTempDirectory("albis-warehouses");
        closeAfterClass(() -> deleteRecursively(temporary, ALLOW_INSECURE));
        return AlbisQueryRunner.builder().setWorkerCount(0).build();
    }

    static List<String> warehouses()
            throws IOException
    {
        try (Stream<Path> files = Files.list(WAREHOUSES)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("warehouses")
    void testWarehouse(String file)
            throws Exception
    {
        Path folder = temporary.resolve(file);
        unzip(WAREHOUSES.resolve(file), folder);
        Session session = createCatalog(file.replaceAll("[^a-z0-9]", "_"), folder);
        check(session);
    }

    @Test
    @Tag("slow")
    void testThisVersion()
            throws Exception
    {
        Session session = createCatalog("written", temporary.resolve("written"));
        write(session);
        check(session);
    }

    @Test
    @EnabledIfSystemProperty(named = WRITE, matches = ".+")
    void writeWarehouse()
            throws Exception
    {
        Path folder = temporary.resolve("new");
        write(createCatalog("new_warehouse", folder));
        zip(folder, WAREHOUSES.resolve(System.getProperty(WRITE) + SUFFIX));
    }

    private Session createCatalog(String name, Path folder)
    {
        getQueryRunner().createCatalog(name, AlbisConnectorFactory.CONNECTOR_NAME, AlbisQueryRunner.catalogProperties(folder));
        return Session.builder(getSession()).setCatalog(name).setSchema("warehouse").build();
    }

    private void write(Session session)
    {
        STATEMENTS.forEach(sql -> getQueryRunner().execute(session, sql));
    }

    private void check(Session session)
    {
        QUERIES.forEach((actual, expected) -> assertThat(query(session, actual)).as(actual).matches(expected));
        CHANGES.forEach((change, queries) -> {
            getQueryRunner().execute(session, change);
            assertThat(query(session, queries.getKey())).as(change).matches(queries.getValue());
        });
    }

    private static void zip(Path folder, Path file)
            throws IOException
    {
        try (ZipOutputStream output = new ZipOutputStream(Files.newOutputStream(file)); Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.filter(Files::isRegularFile).sorted().toList()) {
                output.putNextEntry(new ZipEntry(folder.relativize(path).toString()));
                Files.copy(path, output);
            }
        }
    }

    private static void unzip(Path file, Path folder)
            throws IOException
    {
        try (ZipInputStream input = new ZipInputStream(Files.newInputStream(file))) {
            for (ZipEntry entry = input.getNextEntry(); entry != null; entry = input.getNextEntry()) {
                Path path = folder.resolve(entry.getName());
                Files.createDirectories(path.getParent());
                Files.copy(input, path);
            }
        }
    }
}
