package io.albis.trino.view;

import io.albis.table.path.NumberedFiles;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.FailingFile;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Materialized views of tables with files that are damaged, cannot be read, or are those of an older backup.
 */
final class TestDamagedSources
        extends AbstractTestQueryFramework
{
    private Path warehouse;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .setWorkerCount(0)
                .build();
        warehouse = AlbisQueryRunner.warehouse(queryRunner);
        return queryRunner;
    }

    /**
     * The rows can still be used, and other materialized views are listed.
     */
    @Test
    void testDamagedTable()
            throws IOException
    {
        createSources("damaged");
        for (Path version : new Path[] {version("damaged", "t", 1), version("damaged", "v", 1)}) {
            Files.write(version, new byte[1]);
        }
        assertRowsAreUsed("damaged");
        assertTrinoExceptionThrownBy(() -> computeActual("REFRESH MATERIALIZED VIEW damaged.m")).hasErrorCode(ALBIS_BAD_DATA);
        assertUpdate("DROP SCHEMA damaged CASCADE");
    }

    @Test
    void testStorageOfTableFails()
            throws IOException
    {
        FailingFile.assumeAvailable();
        createSources("unreadable");
        for (Path version : new Path[] {version("unreadable", "t", 1), version("unreadable", "v", 1)}) {
            FailingFile.replace(version);
        }
        assertRowsAreUsed("unreadable");
        assertTrinoExceptionThrownBy(() -> computeActual("REFRESH MATERIALIZED VIEW unreadable.m")).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
        assertUpdate("DROP SCHEMA unreadable CASCADE");
    }

    private void createSources(String schema)
    {
        assertUpdate("CREATE SCHEMA " + schema);
        createRefreshed(schema);
        assertUpdate("CREATE VIEW %s.v AS SELECT 2 AS n".formatted(schema));
        assertUpdate("CREATE MATERIALIZED VIEW %1$s.viewed AS SELECT n FROM %1$s.v".formatted(schema));
        assertUpdate("REFRESH MATERIALIZED VIEW %s.viewed".formatted(schema), 1);
        assertUpdate("CREATE MATERIALIZED VIEW %s.other AS SELECT 1 AS n".formatted(schema));
    }

    private void assertRowsAreUsed(String schema)
    {
        assertThat(query("SELECT name, freshness FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = '%s'".formatted(schema)))
                .matches("VALUES (VARCHAR 'm', VARCHAR 'STALE'), ('viewed', 'STALE'), ('other', 'STALE')");
        assertThat(query("TABLE %s.m".formatted(schema))).matches("VALUES 1");
        assertThat(query("TABLE %s.viewed".formatted(schema))).matches("VALUES 2");
    }

    /**
     * A version that nothing but the last refresh has read is not needed for the next one.
     */
    @Test
    void testDamagedOldVersion()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA old");
        createRefreshed("old");
        assertUpdate("INSERT INTO old.t VALUES 2", 1);
        assertUpdate("INSERT INTO old.t VALUES 3", 1);
        Files.write(version("old", "t", 2), new byte[1]);
        assertFreshness("old", "STALE");
        assertThat(query("TABLE old.m")).matches("VALUES 1");
        Files.write(version("old", "t", 1), new byte[1]);
        assertUpdate("REFRESH MATERIALIZED VIEW old.m", 3);
        assertFreshness("old", "FRESH");
        assertUpdate("INSERT INTO old.t VALUES 4", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW old.m", 1);
        assertThat(query("TABLE old.\"m$storage\"")).matches("VALUES 1, 2, 3, 4");
        assertUpdate("DROP SCHEMA old CASCADE");
    }

    /**
     * The table gets another version with the number of the one that the refresh has read.
     */
    @Test
    void testLostVersion()
            throws IOException
    {
        assertUpdate("CREATE SCHEMA lost");
        assertUpdate("CREATE TABLE lost.t AS SELECT 1 AS n", 1);
        assertUpdate("CREATE MATERIALIZED VIEW lost.m AS SELECT n FROM lost.t");
        assertUpdate("INSERT INTO lost.t VALUES 2", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW lost.m", 2);
        Path version = version("lost", "t", 2);
        Files.delete(version);
        try (Stream<Path> files = Files.list(version.getParent())) {
            for (Path hint : files.filter(file -> !file.getFileName().toString().matches("[0-9]{20}\\.json")).toList()) {
                Files.delete(hint);
            }
        }
        assertUpdate("INSERT INTO lost.t VALUES 3", 1);
        assertFreshness("lost", "STALE");
        assertUpdate("INSERT INTO lost.t VALUES 4", 1);
        assertUpdate("REFRESH MATERIALIZED VIEW lost.m", 3);
        assertThat(query("TABLE lost.\"m$storage\"")).matches("VALUES 1, 3, 4");
        assertFreshness("lost", "FRESH");
        assertUpdate("DROP SCHEMA lost CASCADE");
    }

    /**
     * A materialized view whose storage fails must not look like one that was dropped.
     */
    @Test
    void testStorageOfMaterializedViewFails()
            throws IOException
    {
        FailingFile.assumeAvailable();
        assertUpdate("CREATE SCHEMA failing");
        createRefreshed("failing");
        Path version = version("failing", "m", 2);
        Path backup = version.resolveSibling("backup");
        Files.copy(version, backup);
        FailingFile.replace(version);
        for (String sql : new String[] {"TABLE failing.m", "REFRESH MATERIALIZED VIEW failing.m", "DROP MATERIALIZED VIEW failing.m", "DROP TABLE failing.m"}) {
            assertTrinoExceptionThrownBy(() -> computeActual(sql)).as(sql).hasErrorCode(ALBIS_FILESYSTEM_ERROR);
        }
        Files.delete(version);
        Files.move(backup, version);
        assertFreshness("failing", "FRESH");
        assertUpdate("DROP SCHEMA failing CASCADE");
    }

    private void createRefreshed(String schema)
    {
        assertUpdate("CREATE TABLE %s.t AS SELECT 1 AS n".formatted(schema), 1);
        assertUpdate("CREATE MATERIALIZED VIEW %1$s.m AS SELECT n FROM %1$s.t".formatted(schema));
        assertUpdate("REFRESH MATERIALIZED VIEW %s.m".formatted(schema), 1);
    }

    private Path version(String schema, String relation, long number)
            throws IOException
    {
        try (Stream<Path> folders = Files.list(warehouse.resolve(schema))) {
            Optional<Path> folder = folders.filter(path -> path.getFileName().toString().startsWith(relation + "-")).findFirst();
            return folder.orElseThrow().resolve("versions").resolve(NumberedFiles.fileName(number));
        }
    }

    private void assertFreshness(String schema, String freshness)
    {
        assertThat(computeScalar("SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = 'albis' AND schema_name = '%s'".formatted(schema))).isEqualTo(freshness);
    }
}
