package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Iterables.getOnlyElement;
import static java.nio.file.Files.createDirectories;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Backs up a warehouse on S3 with the commands of docs/operations.md while statements write to it, and restores it.
 * TestDocumentedInstallation does this for the other file systems.
 */
@Tag("server")
@Tag("slow")
@RequiredCommand(value = "aws --version", reason = "there is no aws on the PATH")
@Timeout(900)
final class TestDocumentedBackup
{
    private static final String PAGE = "docs/operations.md";

    @TempDir
    Path home;

    @Test
    void testBackUpAndRestoreObjects()
            throws Exception
    {
        createDirectories(home.resolve("s3/objects/backup"));
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        try (TestingS3 s3 = TestingS3.start(home.resolve("s3"));
                TestingNode server = TestingNode.launchWithoutCatalogs(installation, "server").awaitReady()) {
            TestingClient client = server.client();
            client.createCatalog("albis", s3.catalog());
            for (String statement : DocumentedBlocks.statements(PAGE, "statements: check")) {
                client.execute(statement);
            }
            client.execute("CREATE TABLE albis.try.growing AS SELECT 1 AS n");
            client.execute("CREATE TABLE albis.try.moved0 AS SELECT 1 AS n");
            client.execute("CREATE VIEW albis.try.seen AS SELECT n FROM albis.try.numbers");

            // A backup that fails when everything but the rows is copied
            command(s3, "script: backup on S3").run().checkSucceeded();
            Set<Path> first = files(home.resolve("s3/objects/backup/warehouse"));
            client.execute("CREATE TABLE albis.try.later AS SELECT 1 AS n");
            assertThat(command(s3, "script: backup on S3").withFailing("aws", "*'--exclude */versions/* '*", home.resolve("commands")).run().exitCode()).isNotEqualTo(0);
            assertThat(files(home.resolve("s3/objects/backup/warehouse"))).isEqualTo(first);

            // Each backup updates the one before it
            long before = 0;
            AtomicBoolean done = new AtomicBoolean();
            try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
                Future<Long> writer = executor.submit(() -> write(client, done));
                try {
                    for (int backup = 0; backup < 2; backup++) {
                        before = Long.parseLong(getOnlyElement(client.query("SELECT count(*) FROM albis.try.growing")));
                        command(s3, "script: backup on S3").run().checkSucceeded();
                    }
                }
                finally {
                    done.set(true);
                }
                long written = writer.get(5, TimeUnit.MINUTES);
                assertThat(written).isGreaterThan(before);
                client.createCatalog("restored", ImmutableMap.<String, String>builder()
                        .putAll(s3.catalog())
                        .put("albis.warehouse", "s3://backup/warehouse")
                        .buildKeepingLast());
                assertRestored(client, "restored", before, written);
            }

            // Another catalog has empty caches, as after a restart
            client.execute("DROP CATALOG albis");
            command(s3, "commands: restore on S3").run().checkSucceeded();
            client.createCatalog("albis", s3.catalog());
            long restored = Long.parseLong(getOnlyElement(client.query("SELECT count(*) FROM restored.try.growing")));
            assertRestored(client, "albis", restored, restored);
            client.execute("INSERT INTO albis.try.numbers VALUES 5");
            assertThat(client.query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("11");
        }
    }

    private static Set<Path> files(Path folder)
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).collect(toImmutableSet());
        }
    }

    private static void assertRestored(TestingClient client, String catalog, long minimumRows, long maximumRows)
            throws IOException, SQLException
    {
        for (String statement : DocumentedOperations.restored()) {
            assertThat(client.query(statement.replace("albis.", catalog + "."))).doesNotContain("0");
        }
        assertThat(client.query("SELECT sum(n) FROM %s.try.numbers".formatted(catalog))).containsExactly("6");
        assertThat(client.query("SELECT table_name FROM %s.information_schema.tables WHERE table_name = 'seen' AND table_type = 'VIEW'".formatted(catalog)))
                .containsExactly("seen");
        assertThat(Long.parseLong(getOnlyElement(client.query("SELECT count(*) FROM %s.try.growing".formatted(catalog))))).isBetween(minimumRows, maximumRows);
        String moved = getOnlyElement(client.query("SELECT table_name FROM %s.information_schema.tables WHERE table_name LIKE 'moved%%'".formatted(catalog)));
        assertThat(client.query("SELECT n FROM %s.try.%s".formatted(catalog, moved))).containsExactly("1");
    }

    /**
     * Adds rows, renames a table, and creates and drops another one.
     *
     * @return the number of rows in the end
     */
    private static long write(TestingClient client, AtomicBoolean done)
            throws SQLException
    {
        long rows = 1;
        for (int i = 0; !done.get(); i++) {
            client.execute("INSERT INTO albis.try.growing VALUES 2");
            rows++;
            client.execute("ALTER TABLE albis.try.moved%s RENAME TO albis.try.moved%s".formatted(i, i + 1));
            client.execute("CREATE TABLE albis.try.short AS SELECT 1 AS n");
            client.execute("DROP TABLE albis.try.short");
        }
        return rows;
    }

    private static TestingCommand command(TestingS3 s3, String marker)
            throws IOException
    {
        TestingCommand command = DocumentedBlocks.commands(PAGE, marker, "s3://bucket/albis", "s3://bucket/warehouse", "s3://backup/albis", "s3://backup/warehouse");
        for (Map.Entry<String, String> variable : s3.environment().entrySet()) {
            command = command.with(variable.getKey(), variable.getValue());
        }
        return command;
    }
}
