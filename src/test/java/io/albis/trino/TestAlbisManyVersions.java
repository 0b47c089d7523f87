package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.CountingFileSystem;
import io.albis.table.TableFixtures;
import io.albis.table.Warehouse;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonKind;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.withChecksum;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * SQL on a table with 100,000 versions. The test prints how many versions each statement reads, which does not depend
 * on the machine.
 */
@TestInstance(PER_CLASS)
@Tag("slow")
@Timeout(1200)
final class TestAlbisManyVersions
{
    private static final int VERSIONS = 100_000;
    private static final int EXPIRED = 2_000;
    private static final Pattern TIME = Pattern.compile("\"time\":\"[^\"]*\"");

    private final VersionsRead read = new VersionsRead();
    private Path folder;
    private DistributedQueryRunner queryRunner;

    /**
     * The files of versions that were read.
     */
    private static final class VersionsRead
            extends CountingFileSystem.Counter
    {
        private final Set<String> files = ConcurrentHashMap.newKeySet();

        @Override
        protected void read(Location location)
        {
            if (location.path().contains("/versions/") && location.path().endsWith(".json")) {
                files.add(location.path());
            }
        }
    }

    @BeforeAll
    void start()
            throws Exception
    {
        folder = Files.createTempDirectory("albis-versions");
        TrinoFileSystemFactory counting = _ -> new CountingFileSystem(new LocalFileSystem(folder), read);
        queryRunner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("albis").setSchema("s").build())
                .setWorkerCount(0)
                .build();
        queryRunner.installPlugin(new StoragePlugin(counting));
        queryRunner.createCatalog("albis", "albis", ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                .put("albis.expire-snapshots.min-retention", "0s")
                .buildOrThrow());
        queryRunner.execute("CREATE SCHEMA s");
        queryRunner.execute("CREATE TABLE t AS SELECT 1 a");
        queryRunner.execute("INSERT INTO t VALUES 2");
    }

    @AfterAll
    void stop()
            throws IOException
    {
        queryRunner.close();
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    @Test
    void test()
            throws IOException
    {
        Instant middle = writeVersions();
        // the hint is that of version 2
        assertThat(versionsRead("SELECT count(*) FROM t", 2L)).isLessThanOrEqualTo(2);
        assertThat(versionsRead("SELECT count(*) FROM t", 2L)).isEqualTo(1);
        assertThat(versionsRead("SELECT count(*) FROM t FOR VERSION AS OF %s".formatted(VERSIONS / 2), 2L)).isLessThanOrEqualTo(3);
        assertThat(versionsRead("SELECT count(*) FROM t FOR TIMESTAMP AS OF from_iso8601_timestamp('%s')".formatted(middle), 2L)).isLessThanOrEqualTo(25);
        assertThat(versionsRead("INSERT INTO t VALUES 3", 1L)).isLessThanOrEqualTo(3);
        assertThat(versionsRead("DELETE FROM t WHERE a = 3", 1L)).isLessThanOrEqualTo(3);
        assertThat(versionsRead("SELECT count(*) FROM \"t$snapshots\"", VERSIONS + 2L)).isEqualTo(VERSIONS + 2);

        read.files.clear();
        queryRunner.execute("ALTER TABLE t EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => %s)".formatted(VERSIONS + 2 - EXPIRED));
        System.out.println("expire_snapshots of %s of %s versions reads %s versions".formatted(EXPIRED, VERSIONS + 2, read.files.size()));
        assertThat(queryRunner.execute("SELECT count(*), min(snapshot_id) FROM \"t$snapshots\"").getMaterializedRows().getFirst().getFields()).containsExactly(VERSIONS + 3L - EXPIRED, EXPIRED + 1L);
        assertThat(queryRunner.execute("SELECT count(*) FROM t").getOnlyValue()).isEqualTo(2L);
    }

    private int versionsRead(String sql, long expected)
    {
        read.files.clear();
        MaterializedResult result = queryRunner.execute(sql);
        int count = read.files.size();
        assertThat(result.getUpdateCount().isPresent() ? result.getUpdateCount().getAsLong() : (long) result.getOnlyValue()).as(sql).isEqualTo(expected);
        System.out.println("%s reads %s versions".formatted(sql, count));
        return count;
    }

    /**
     * Adds versions without changes, as other writers would. Without syncing each of them, this takes seconds. All
     * versions get times in the past, because they need a millisecond each.
     *
     * @return the time of the version in the middle
     */
    private Instant writeVersions()
            throws IOException
    {
        Warehouse warehouse = TableFixtures.localWarehouse(folder, "local:///warehouse");
        TablePaths paths = new TablePaths(TableFixtures.load(warehouse, "s", "t").folder());
        Instant first = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
        for (int number = 1; number <= 2; number++) {
            Path file = file(paths, number);
            Files.write(file, withChecksum(TIME.matcher(Files.readString(file)).replaceFirst("\"time\":\"%s\"".formatted(first.plusMillis(number)))));
        }
        TableVersion version = TableFixtures.load(warehouse, "s", "t").version();
        assertThat(version.time()).isEqualTo(first.plusMillis(2));
        JsonFiles json = new JsonFiles(TYPE_RESOLVER);
        Instant middle = first;
        while (version.version() < VERSIONS) {
            version = version.next(UUID.randomUUID(), version.time());
            Files.write(file(paths, version.version()), json.write(JsonKind.VERSION, version.commitId(), version));
            if (version.version() == VERSIONS / 2) {
                middle = version.time();
            }
        }
        return middle;
    }

    private Path file(TablePaths paths, long version)
    {
        return folder.resolve(paths.version(version).path());
    }
}
