package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * ALTER TABLE EXECUTE on a local file system.
 */
final class TestAlbisMaintenance
        extends AbstractTestQueryFramework
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setInitialTables(ImmutableList.of())
                .build();
    }

    @Test
    void testExpireSnapshots()
            throws IOException
    {
        Session session = withMinRetention("0s");
        assertUpdate("CREATE TABLE expiring WITH (column_groups = ARRAY[ARRAY['a'], ARRAY['b']]) AS SELECT * FROM (VALUES (0, 'o'), (1, 'x'), (2, 'y'), (3, 'z')) t(a, b)", 4);
        assertUpdate("DELETE FROM expiring WHERE a = 2", 1);
        assertUpdate("DELETE FROM expiring WHERE a = 0", 1);
        assertUpdate("UPDATE expiring SET b = 'w'", 2);
        assertUpdate("INSERT INTO expiring VALUES (4, 'v')", 1);
        // By default, only versions that were replaced a week ago expire
        assertThat(metrics(computeActual("ALTER TABLE expiring EXECUTE expire_snapshots"))).containsEntry("expired_snapshots_count", 0L);
        assertQuery("TABLE expiring", "VALUES (1, 'w'), (3, 'w'), (4, 'v')");

        Map<String, Long> metrics = metrics(computeActual(session, "ALTER TABLE expiring EXECUTE expire_snapshots(retention_threshold => '0s')"));
        assertThat(metrics).containsEntry("expired_snapshots_count", 4L);
        assertThat(metrics).containsEntry("deleted_deletes_files_count", 1L);
        assertThat(metrics).containsEntry("deleted_column_groups_count", 1L);
        assertThat(countDataFiles("expiring")).isPositive();
        assertQuery("TABLE expiring", "VALUES (1, 'w'), (3, 'w'), (4, 'v')");
        assertUpdate("INSERT INTO expiring VALUES (5, 'u')", 1);
        assertUpdate("DELETE FROM expiring WHERE a = 1", 1);
        assertQuery("TABLE expiring", "VALUES (3, 'w'), (4, 'v'), (5, 'u')");

        assertUpdate("TRUNCATE TABLE expiring");
        computeActual(session, "ALTER TABLE expiring EXECUTE expire_snapshots(retention_threshold => '0s')");
        assertQueryReturnsEmptyResult("TABLE expiring");
        assertThat(countDataFiles("expiring")).isZero();
        assertUpdate("INSERT INTO expiring VALUES (6, 't')", 1);
        assertQuery("TABLE expiring", "VALUES (6, 't')");
        assertUpdate("DROP TABLE expiring");
    }

    @Test
    void testRetainLast()
    {
        Session session = withMinRetention("0s");
        assertUpdate("CREATE TABLE retaining (a bigint)");
        for (int i = 0; i < 5; i++) {
            assertUpdate("INSERT INTO retaining VALUES " + i, 1);
        }
        assertThat(metrics(computeActual(session, "ALTER TABLE retaining EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => 4)"))).containsEntry("expired_snapshots_count", 2L);
        assertQueryFails(session, "ALTER TABLE retaining EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => 0)", ".*Number of snapshots to retain must be at least 1.*");
        assertQuery("SELECT count(*) FROM retaining", "VALUES 5");
        assertUpdate("DROP TABLE retaining");
    }

    @Test
    void testRemoveOrphanFiles()
            throws IOException
    {
        Session session = Session.builder(getSession())
                .setCatalogSessionProperty(getSession().getCatalog().orElseThrow(), "remove_orphan_files_min_retention", "0s")
                .build();
        assertUpdate("CREATE TABLE orphans AS SELECT 1 a", 1);
        assertUpdate("DELETE FROM orphans WHERE a = 1", 1);
        assertUpdate("INSERT INTO orphans VALUES 2, 3", 2);
        // What a load leaves whose server has died
        Path rowGroup = Path.of(((String) computeScalar("SELECT \"$path\" FROM orphans LIMIT 1")).replaceFirst("^local://", ""));
        Path folder = storage().resolve(rowGroup.getRoot().relativize(rowGroup)).getParent().getParent();
        String id = "94c2e6dc-9939-488d-976a-83e567e9238a";
        Path orphan = folder.resolve("9a/rg-" + id + "/cg-" + id + "/data");
        Files.createDirectories(orphan.getParent());
        Files.writeString(orphan, "12345");
        assertThat(metrics(computeActual("ALTER TABLE orphans EXECUTE remove_orphan_files"))).containsEntry("deleted_files_count", 0L);
        assertThat(orphan).exists();

        Map<String, Long> metrics = metrics(computeActual(session, "ALTER TABLE orphans EXECUTE remove_orphan_files(retention_threshold => '0s')"));
        assertThat(metrics).containsEntry("deleted_files_count", 1L).containsEntry("deleted_bytes", 5L);
        assertThat(metrics.get("scanned_files_count")).isGreaterThan(metrics.get("active_files_count"));
        assertThat(folder.resolve("9a/rg-" + id)).doesNotExist();
        assertThat(computeScalar("SELECT operation FROM \"orphans$snapshots\" ORDER BY snapshot_id DESC LIMIT 1")).isEqualTo("condemn");
        assertQuery("TABLE orphans", "VALUES 2, 3");
        assertQuery("SELECT * FROM orphans FOR VERSION AS OF 1", "VALUES 1");
        assertUpdate("UPDATE orphans SET a = 4 WHERE a = 3", 1);
        assertThat(metrics(computeActual(session, "ALTER TABLE orphans EXECUTE remove_orphan_files(retention_threshold => '0s')"))).containsEntry("deleted_files_count", 0L);
        assertUpdate("INSERT INTO orphans VALUES 5", 1);
        assertQuery("TABLE orphans", "VALUES 2, 4, 5");
        assertUpdate("DROP TABLE orphans");
    }

    @Test
    void testRetentionIsTooShortOrTooLong()
    {
        assertUpdate("CREATE TABLE short (a bigint)");
        assertQueryFails(
                "ALTER TABLE short EXECUTE expire_snapshots(retention_threshold => '33s')",
                "\\QRetention specified (33.00s) is shorter than the minimum retention configured in the system (7.00d). Minimum retention can be changed with albis.expire-snapshots.min-retention configuration property or expire_snapshots_min_retention session property of the catalog");
        assertQueryFails(
                "ALTER TABLE short EXECUTE remove_orphan_files(retention_threshold => '33s')",
                "\\QRetention specified (33.00s) is shorter than the minimum retention configured in the system (7.00d). Minimum retention can be changed with albis.remove-orphan-files.min-retention configuration property or remove_orphan_files_min_retention session property of the catalog");
        assertQueryFails("ALTER TABLE short EXECUTE expire_snapshots(retention_threshold => '1')", ".*duration is not a valid data duration string: 1.*|.*retention_threshold.*");
        for (String procedure : ImmutableList.of("expire_snapshots", "remove_orphan_files")) {
            assertTrinoExceptionThrownBy(() -> computeActual("ALTER TABLE short EXECUTE %s(retention_threshold => '1000000000000d')".formatted(procedure)))
                    .hasErrorCode(INVALID_PROCEDURE_ARGUMENT)
                    .hasMessage("Retention specified (1000000000000.00d) is too long");
        }
        assertUpdate("DROP TABLE short");
    }

    private Session withMinRetention(String retention)
    {
        return Session.builder(getSession())
                .setCatalogSessionProperty(getSession().getCatalog().orElseThrow(), "expire_snapshots_min_retention", retention)
                .build();
    }

    private static Map<String, Long> metrics(MaterializedResult result)
    {
        Map<String, Long> metrics = new HashMap<>();
        for (MaterializedRow row : result.getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics;
    }

    private long countDataFiles(String table)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(storage())) {
            return files.filter(file -> file.endsWith("data") && file.toString().contains("/" + table + "-")).count();
        }
    }

    private Path storage()
    {
        return ((DistributedQueryRunner) getQueryRunner()).getCoordinator().getBaseDataDir().resolve("albis");
    }
}
