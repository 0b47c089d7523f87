package io.albis.trino.system;

import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import io.trino.testing.sql.TestTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The tables {@code "t$snapshots"}, {@code "t$history"}, {@code "t$files"}, {@code "t$manifests"},
 * {@code "t$properties"}, and {@code "t$refs"}.
 */
final class TestAlbisSystemTables
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder().build();
    }

    @Test
    void testSnapshotsAndHistory()
    {
        Instant before = Instant.now().minusSeconds(60);
        try (TestTable table = newTrinoTable("snapshots", "(a bigint, b varchar) COMMENT 'x'")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES (1, 'x'), (2, 'y')".formatted(name), 2);
            assertUpdate("DELETE FROM %s WHERE a = 1".formatted(name), 1);
            assertUpdate("COMMENT ON TABLE %s IS 'y'".formatted(name));
            assertUpdate("TRUNCATE TABLE " + name);

            assertQuery("DESCRIBE \"%s$snapshots\"".formatted(name), "VALUES " +
                    "('committed_at', 'timestamp(3) with time zone', '', ''), " +
                    "('snapshot_id', 'bigint', '', ''), " +
                    "('parent_id', 'bigint', '', ''), " +
                    "('operation', 'varchar', '', ''), " +
                    "('manifest_list', 'varchar', '', ''), " +
                    "('summary', 'map(varchar, varchar)', '', '')");
            assertQuery("SELECT snapshot_id, parent_id, operation, element_at(summary, 'deleted-records') FROM \"%s$snapshots\"".formatted(name),
                    "VALUES (1, NULL, 'create', NULL), (2, 1, 'append', NULL), (3, 2, 'delete', '1'), (4, 3, 'alter', NULL), (5, 4, 'truncate', '1')"
                            .replace("NULL)", "CAST(NULL AS varchar))"));
            assertQuery("SELECT summary['added-records'] FROM \"%s$snapshots\" WHERE snapshot_id = 2".formatted(name), "VALUES '2'");
            assertQuery("SELECT snapshot_id, parent_id, is_current_ancestor FROM \"%s$history\"".formatted(name),
                    "VALUES (1, NULL, true), (2, 1, true), (3, 2, true), (4, 3, true), (5, 4, true)");
            assertQuery("SELECT count(*) FROM \"%1$s$history\" h JOIN \"%1$s$snapshots\" s ON made_current_at = committed_at AND h.snapshot_id = s.snapshot_id".formatted(name), "VALUES 5");
            assertQuery("SELECT count(*) FROM \"%s$snapshots\" WHERE manifest_list LIKE '%%/versions/' || lpad(CAST(snapshot_id AS varchar), 20, '0') || '.json'".formatted(name), "VALUES 5");

            List<Instant> times = computeActual("SELECT committed_at FROM \"%s$snapshots\" ORDER BY snapshot_id".formatted(name)).getOnlyColumn()
                    .map(time -> ((ZonedDateTime) time).toInstant())
                    .collect(toImmutableList());
            assertThat(times).isSorted().doesNotHaveDuplicates();
            assertThat(times.getFirst()).isAfter(before);
        }
    }

    /**
     * As in Iceberg, the totals of a version are those of the previous one, plus what it adds, minus what it removes.
     */
    @Test
    void testSummariesAddUp()
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(getSession().getCatalog().orElseThrow(), "update_rewrite_threshold", "0")
                .build();
        try (TestTable table = newTrinoTable("summaries", "(a bigint, b varchar) WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']])")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s SELECT orderkey, clerk FROM tpch.tiny.orders".formatted(name), 15_000);
            assertUpdate("INSERT INTO %s VALUES (0, 'x'), (-1, 'y')".formatted(name), 2);
            assertUpdate("DELETE FROM %s WHERE mod(a, 7) = 1".formatted(name), "SELECT count(*) FROM orders WHERE mod(orderkey, 7) = 1");
            assertUpdate(session, "UPDATE %s SET b = 'z' WHERE a >= 10".formatted(name), (Long) computeScalar("SELECT count(*) FROM %s WHERE a >= 10".formatted(name)));
            assertUpdate(session, "MERGE INTO %s USING (VALUES 0, 1000000) s (k) ON a = k WHEN MATCHED THEN UPDATE SET b = 'new' WHEN NOT MATCHED THEN INSERT VALUES (k, 'new')".formatted(name), 2);
            assertUpdate("DELETE FROM %s WHERE a < 1".formatted(name), 2);
            computeActual("ALTER TABLE %s EXECUTE optimize".formatted(name));
            assertUpdate("COMMENT ON TABLE %s IS 'y'".formatted(name));
            assertUpdate("CREATE OR REPLACE TABLE %1$s AS SELECT a FROM %1$s WHERE a < 100".formatted(name), (Long) computeScalar("SELECT count(*) FROM %s WHERE a < 100".formatted(name)));
            assertUpdate("TRUNCATE TABLE " + name);
            assertUpdate("INSERT INTO %s VALUES 1".formatted(name), 1);

            assertQuery("SELECT operation FROM \"%s$snapshots\"".formatted(name), "VALUES 'create', 'append', 'append', 'delete', 'overwrite', 'overwrite', 'delete', 'optimize', 'alter', 'replace', 'truncate', 'append'");
            assertThat(computeScalar("SELECT summary['rewritten-bytes'] <> '0' FROM \"%s$snapshots\" WHERE snapshot_id = 5".formatted(name))).isEqualTo(true);
            assertAddUp(name, "total-records", "added-records", "deleted-records");
            assertAddUp(name, "total-data-files", "added-data-files", "deleted-data-files");
            assertAddUp(name, "total-files-size", "added-files-size", "removed-files-size");
            assertQuery("SELECT CAST(summary['total-records'] AS bigint), CAST(summary['total-data-files'] AS bigint) FROM \"%s$snapshots\" WHERE snapshot_id = 12".formatted(name), "VALUES (1, 1)");
            assertQueryReturnsEmptyResult("SELECT summary['total-files-size'] FROM \"%1$s$snapshots\" WHERE snapshot_id = 12 EXCEPT SELECT CAST(sum(file_size_in_bytes) AS varchar) FROM \"%1$s$files\"".formatted(name));
        }
    }

    private void assertAddUp(String table, String total, String added, String removed)
    {
        assertThat(computeActual(
                """
                WITH numbers AS (
                    SELECT
                        snapshot_id,
                        CAST(summary['%2$s'] AS bigint) total,
                        coalesce(CAST(element_at(summary, '%3$s') AS bigint), 0) added,
                        coalesce(CAST(element_at(summary, '%4$s') AS bigint), 0) removed
                    FROM "%1$s$snapshots")
                SELECT * FROM (SELECT *, lag(total, 1, 0) OVER (ORDER BY snapshot_id) before FROM numbers)
                WHERE total <> before + added - removed
                """.formatted(table, total, added, removed)).getMaterializedRows())
                .isEmpty();
    }

    @Test
    void testOnlyVersionsThatExistAreListed()
            throws IOException
    {
        try (TestTable table = newTrinoTable("expired", "(a bigint)")) {
            String name = table.getName();
            for (int i = 0; i < 4; i++) {
                assertUpdate("INSERT INTO %s VALUES %s".formatted(name, i), 1);
            }
            Files.delete(file("SELECT manifest_list FROM \"%s$snapshots\" WHERE snapshot_id = 1".formatted(name)));
            Files.delete(file("SELECT manifest_list FROM \"%s$snapshots\" WHERE snapshot_id = 2".formatted(name)));
            assertQuery("SELECT snapshot_id, parent_id FROM \"%s$snapshots\"".formatted(name), "VALUES (3, 2), (4, 3), (5, 4)");
            assertQuery("SELECT snapshot_id FROM \"%s$history\"".formatted(name), "VALUES 3, 4, 5");
        }
    }

    /**
     * The history needs no manifest: it can be read after all of them were lost.
     */
    @Test
    void testHistoryReadsNoManifest()
            throws IOException
    {
        try (TestTable table = newTrinoTable("no_manifests", "AS SELECT 1 a")) {
            String name = table.getName();
            Files.delete(file("SELECT path FROM \"%s$manifests\"".formatted(name)));
            assertQuery("SELECT snapshot_id, operation FROM \"%s$snapshots\"".formatted(name), "VALUES (1, 'create')");
            assertQuery("SELECT snapshot_id FROM \"%s$history\"".formatted(name), "VALUES 1");
            assertQuery("SELECT existing_rows_count FROM \"%s$manifests\"".formatted(name), "VALUES 1");
        }
    }

    @Test
    void testFiles()
    {
        try (TestTable table = newTrinoTable("files", "(a bigint, b varchar, c double)")) {
            String name = table.getName();
            assertQueryReturnsEmptyResult("SELECT * FROM \"%s$files\"".formatted(name));
            assertUpdate("INSERT INTO %s VALUES (1, 'x', NULL), (5, NULL, 0.5), (3, NULL, nan())".formatted(name), 3);
            assertUpdate("INSERT INTO %s VALUES (10, 'z', 1)".formatted(name), 1);
            assertUpdate("DELETE FROM %s WHERE a = 5".formatted(name), 1);
            assertQuery("SELECT content, file_format, record_count, deleted_record_count, added_snapshot_id FROM \"%s$files\"".formatted(name),
                    "VALUES (0, 'ALBIS', 3, 1, 2), (0, 'ALBIS', 1, 0, 3)");
            assertQuery("SELECT value_counts[1], null_value_counts[1], null_value_counts[2], null_value_counts[3], lower_bounds.\"1\", upper_bounds.\"1\", lower_bounds.\"2\", upper_bounds.\"3\" FROM \"%s$files\"".formatted(name),
                    "VALUES (3, 0, 2, 1, 1, 5, 'x', 0.5), (1, 0, 0, 0, 10, 10, 'z', 1.0)");
            assertQuery("SELECT count(*) FROM \"%1$s$files\" f JOIN %1$s t ON f.file_path = t.\"$path\" AND f.row_group = t.\"$row_group\"".formatted(name), "VALUES 3");
            assertThat((long) computeScalar("SELECT min(file_size_in_bytes) FROM \"%s$files\"".formatted(name))).isPositive();
            assertThat(query("SELECT manifest_location, CAST(sum(record_count) AS bigint) FROM \"%s$files\" GROUP BY 1".formatted(name))).matches("SELECT path, existing_rows_count FROM \"%s$manifests\"".formatted(name));
        }
    }

    @Test
    void testIndexedColumns()
            throws IOException
    {
        try (TestTable table = newTrinoTable("indexed_files", "WITH (indexed_by = ARRAY['a', 'b'], column_groups = ARRAY[ARRAY['a'], ARRAY['b', 'c']]) AS SELECT 1 a, CAST('x' AS varchar) b, 0.5e0 c")) {
            String name = table.getName();
            String indexed = "SELECT added_snapshot_id, indexed_columns FROM \"%s$files\"".formatted(name);
            assertThat(query(indexed)).matches("VALUES (BIGINT '1', CAST(ARRAY['a', 'b'] AS array(varchar)))");
            // a value that is too long for an index
            assertUpdate("INSERT INTO %s SELECT 2, rpad('y', 1025, 'y'), 1".formatted(name), 1);
            assertThat(query(indexed)).matches("VALUES (BIGINT '1', CAST(ARRAY['a', 'b'] AS array(varchar))), (2, ARRAY['a'])");
            assertThat(query("SELECT added_snapshot_id FROM \"%s$files\" WHERE NOT contains(indexed_columns, 'b')".formatted(name))).matches("VALUES BIGINT '2'");
            assertUpdate("ALTER TABLE %s RENAME COLUMN b TO x".formatted(name));
            computeActual("ALTER TABLE %s EXECUTE drop_index(columns => ARRAY['a'])".formatted(name));
            assertThat(query("SELECT indexed_columns FROM \"%s$files\"".formatted(name))).matches("VALUES CAST(ARRAY['x'] AS array(varchar)), ARRAY[]");
            // a widened column cannot use its index
            computeActual("ALTER TABLE %s EXECUTE add_index(columns => ARRAY['a'])".formatted(name));
            assertUpdate("ALTER TABLE %s ALTER COLUMN a SET DATA TYPE bigint".formatted(name));
            assertThat(query("SELECT indexed_columns FROM \"%s$files\"".formatted(name))).matches("VALUES CAST(ARRAY['x'] AS array(varchar)), ARRAY[]");
            // other columns are read from manifests alone
            try (Stream<Path> files = Files.walk(file("SELECT file_path FROM \"%s$files\" LIMIT 1".formatted(name)))) {
                for (Path metadata : files.filter(path -> path.endsWith("metadata")).toList()) {
                    Files.delete(metadata);
                }
            }
            assertQuery("SELECT count(*), sum(record_count) FROM \"%s$files\"".formatted(name), "VALUES (2, 2)");
            // the column is hidden, and only a query that names it needs the files
            assertThat(computeActual("SELECT * FROM \"%s$files\"".formatted(name)).getRowCount()).isEqualTo(2);
            assertThat(computeActual("DESCRIBE \"%s$files\"".formatted(name)).getMaterializedRows())
                    .extracting(column -> column.getField(0))
                    .contains("deleted_record_count")
                    .doesNotContain("indexed_columns");
            assertThatThrownBy(() -> computeActual("SELECT indexed_columns FROM \"%s$files\"".formatted(name))).hasMessageContaining("/metadata");
        }
    }

    @Test
    void testBoundsOfFields()
    {
        try (TestTable table = newTrinoTable("nested_files", "AS SELECT n id, IF(n = 3, NULL, CAST(ROW(n, ROW('t' || CAST(n AS varchar)), ARRAY[n]) AS row(a integer, b row(c varchar), d array(integer)))) r, ARRAY[n] e FROM UNNEST(sequence(1, 5)) t (n)")) {
            String name = table.getName();
            assertQuery("SELECT lower_bounds.\"2\".a, upper_bounds.\"2\".a, lower_bounds.\"2\".b.c, upper_bounds.\"2\".b.c, lower_bounds.\"2\".d IS NULL, lower_bounds.\"3\" IS NULL FROM \"%s$files\"".formatted(name),
                    "VALUES (1, 5, 't1', 't5', true, true)");
            // a field that was widened, one with a new name, and one that the row group does not store
            assertUpdate("ALTER TABLE %s ALTER COLUMN r.a SET DATA TYPE bigint".formatted(name));
            assertUpdate("ALTER TABLE %s RENAME COLUMN r.b.c TO x".formatted(name));
            assertUpdate("ALTER TABLE %s ADD COLUMN r.c integer".formatted(name));
            assertUpdate("ALTER TABLE %s ADD COLUMN s row(a integer)".formatted(name));
            assertThat(query("SELECT lower_bounds.\"2\".a, upper_bounds.\"2\".b.x, lower_bounds.\"2\".c, lower_bounds.\"5\" FROM \"%s$files\"".formatted(name)))
                    .matches("VALUES (BIGINT '1', VARCHAR 't5', CAST(NULL AS integer), CAST(NULL AS row(a integer)))");
        }
    }

    @Test
    void testManifests()
    {
        try (TestTable table = newTrinoTable("manifests", "AS SELECT 1 a UNION ALL SELECT 2")) {
            String name = table.getName();
            assertQuery("SELECT content, added_snapshot_id, existing_rows_count, deleted_data_files_count, deleted_rows_count FROM \"%s$manifests\"".formatted(name), "VALUES (0, 1, 2, 0, 0)");
            assertUpdate("DELETE FROM %s WHERE a = 1".formatted(name), 1);
            assertThat((long) computeScalar("SELECT sum(existing_rows_count) - sum(deleted_rows_count) FROM \"%s$manifests\"".formatted(name))).isEqualTo(1);
            assertThat((long) computeScalar("SELECT min(length) FROM \"%s$manifests\"".formatted(name))).isPositive();
            assertUpdate("TRUNCATE TABLE " + name);
            assertQueryReturnsEmptyResult("SELECT * FROM \"%s$manifests\"".formatted(name));
        }
    }

    @Test
    void testPropertiesAndRefs()
    {
        try (TestTable table = newTrinoTable("properties", "(a bigint) WITH (row_group_rows = 77, compression = 'lz4')")) {
            String name = table.getName();
            assertUpdate("INSERT INTO %s VALUES 1".formatted(name), 1);
            MaterializedResult properties = computeActual("SELECT key, value FROM \"%s$properties\"".formatted(name));
            assertThat(properties.getMaterializedRows().stream().map(MaterializedRow::getFields))
                    .contains(List.of("format", "ALBIS"), List.of("provider", "albis"), List.of("current-snapshot-id", "2"), List.of("row_group_rows", "77"))
                    .anyMatch(row -> row.getFirst().equals("location") && ((String) row.getLast()).contains("/" + name + "-"));
            assertQuery("SELECT * FROM \"%s$refs\"".formatted(name), "VALUES ('main', 'BRANCH', 2, NULL, NULL, NULL)");
        }
    }

    @Test
    void testNames()
    {
        try (TestTable table = newTrinoTable("names", "(a bigint)")) {
            String name = table.getName();
            for (String suffix : List.of("nothing", "snapshot", "")) {
                assertQueryFails("SELECT * FROM \"%s$%s\"".formatted(name, suffix), ".* Table 'albis.tpch.\"?%s\\$%s\"?' does not exist".formatted(name, suffix));
            }
            assertThat(computeActual("SHOW TABLES").getOnlyColumn().map(String.class::cast)).noneMatch(shown -> shown.contains("$"));
        }
    }

    @ParameterizedTest
    @EnumSource(SystemTableType.class)
    void testTableThatDoesNotExist(SystemTableType type)
    {
        String suffix = type.name().toLowerCase(ENGLISH);
        assertQueryFails("SELECT * FROM \"no_such_table$%s\"".formatted(suffix), ".* Table 'albis.tpch.\"?no_such_table\\$%s\"?' does not exist".formatted(suffix));
    }

    /**
     * A system table shows the version that the transaction has seen before.
     */
    @Test
    void testOneVersionPerQuery()
    {
        try (TestTable table = newTrinoTable("one_version", "AS SELECT 1 a")) {
            String name = table.getName();
            assertQuery("SELECT (SELECT max(snapshot_id) FROM \"%1$s$snapshots\"), (SELECT value FROM \"%1$s$properties\" WHERE key = 'current-snapshot-id'), (SELECT count(*) FROM %1$s)".formatted(name), "VALUES (1, '1', 1)");
        }
    }

    private Path file(String sql)
    {
        String location = (String) computeScalar(sql);
        Path root = getDistributedQueryRunner().getCoordinator().getBaseDataDir().resolve("albis");
        return root.resolve(location.substring("local:///".length()));
    }
}
