package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.Iterables.getLast;
import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Follows the documentation as a new operator: from the zip to a server with a catalog on each kind of storage, a
 * backup, an upgrade, and a restored warehouse.
 */
@Tag("server")
@Tag("slow")
@Timeout(900)
final class TestDocumentedInstallation
{
    private static final String OPERATIONS = "docs/operations.md";
    private static final String DOCUMENTED_VERSION = "483-1-SNAPSHOT";

    @TempDir
    Path home;

    @Test
    void testInstallBackUpUpgradeRestore()
            throws Exception
    {
        for (String command : new String[] {"unzip", "rsync"}) {
            assumeTrue(
                    TestingCommand.of("bash", "-c", "command -v " + command).run().exitCode() == 0,
                    "The documented commands need %s, which this machine does not have".formatted(command));
        }
        Installation installation = new Installation(Installation.current().repository(), Installation.current().server(), home);
        createDirectories(installation.runtime());
        Path zip = PluginZip.DEFAULT.file();
        copy(zip, installation.runtime().resolve(zip.getFileName()));
        String version = zip.getFileName().toString().replace("albis-trino-", "").replace(".zip", "");
        DocumentedBlocks.commands(OPERATIONS, "commands: install", DOCUMENTED_VERSION, version)
                .in(installation.runtime())
                .run()
                .checkSucceeded();

        Path disk = createDirectories(home.resolve("disk"));
        Path backup = home.resolve("backup/warehouse");
        try (TestingHdfs hdfs = TestingHdfs.start(home.resolve("hdfs"));
                TestingS3 s3 = TestingS3.start(home.resolve("s3"))) {
            hdfs.writeCommand(home.resolve("bin"));
            DocumentedBlocks.commands("docs/security.md", "commands: hdfs")
                    .with("PATH", home.resolve("bin") + ":" + System.getenv("PATH"))
                    .run()
                    .checkSucceeded();
            try (TestingNode server = launch(installation, "first", ImmutableMap.of(
                    "albis", local(OPERATIONS, "properties: local", disk),
                    "image", local("docs/installation.md", "properties: image", createDirectories(home.resolve("volume"))),
                    "distributed", distributed(hdfs),
                    "objects", objects(s3)))
                    .awaitReady()) {
                List<String> statements = DocumentedBlocks.statements(OPERATIONS, "statements: check");
                for (String catalog : new String[] {"albis", "image", "distributed", "objects"}) {
                    assertThat(run(server.client(), statements, catalog)).as(catalog).containsExactly("6");
                }
                TestingCommand.of("bash", "-c", DocumentedBlocks.text(OPERATIONS, "script: backup", "bash")
                                .replace("/mnt/nvme/warehouse", disk.resolve("warehouse").toString())
                                .replace("/backup/warehouse", backup.toString()))
                        .run()
                        .checkSucceeded();
                server.client().execute("INSERT INTO albis.try.numbers VALUES 4");
            }
        }

        DocumentedBlocks.commands(OPERATIONS, "commands: upgrade", DOCUMENTED_VERSION, version)
                .in(installation.runtime())
                .run()
                .checkSucceeded();
        try (TestingNode server = launch(installation, "second", ImmutableMap.of(
                "albis", local(OPERATIONS, "properties: local", disk),
                "restored", local(OPERATIONS, "properties: local", backup.getParent())))
                .awaitReady()) {
            assertThat(run(server.client(), DocumentedBlocks.statements(OPERATIONS, "statements: restored"), "restored")).hasSize(1);
            assertThat(server.client().query("SELECT sum(n) FROM restored.try.numbers")).containsExactly("6");
            assertThat(server.client().query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("10");
        }
    }

    private static TestingNode launch(Installation installation, String name, Map<String, Map<String, String>> catalogs)
            throws IOException
    {
        return TestingNode.launch(
                installation,
                name,
                TestingNode.freeAddress(),
                ImmutableMap.of("coordinator", "true", "node-scheduler.include-coordinator", "true"),
                catalogs,
                ImmutableMap.of("AWS_ACCESS_KEY_ID", "key", "AWS_SECRET_ACCESS_KEY", "secret"));
    }

    private static Map<String, String> local(String page, String marker, Path location)
            throws IOException
    {
        return ImmutableMap.<String, String>builder()
                .putAll(DocumentedBlocks.properties(page, marker))
                .put("local.location", location.toString())
                .buildKeepingLast();
    }

    private Map<String, String> distributed(TestingHdfs hdfs)
            throws IOException
    {
        Path configuration = createDirectories(home.resolve("hadoop"));
        Path core = writeString(configuration.resolve("core-site.xml"), "<configuration/>");
        Path site = writeString(configuration.resolve("hdfs-site.xml"), "<configuration><property><name>dfs.replication</name><value>1</value></property></configuration>");
        return ImmutableMap.<String, String>builder()
                .putAll(DocumentedBlocks.properties(OPERATIONS, "properties: hdfs"))
                .put("albis.warehouse", hdfs.address() + "/warehouse")
                .put("hive.config.resources", core + "," + site)
                .buildKeepingLast();
    }

    private static Map<String, String> objects(TestingS3 s3)
            throws IOException
    {
        return ImmutableMap.<String, String>builder()
                .putAll(s3.catalog())
                .putAll(DocumentedBlocks.properties(OPERATIONS, "properties: s3"))
                .putAll(DocumentedBlocks.properties("docs/security.md", "properties: secrets"))
                .buildKeepingLast();
    }

    /**
     * Runs documented statements in a catalog, and returns the first column of the last one.
     */
    private static List<String> run(TestingClient client, List<String> statements, String catalog)
            throws SQLException
    {
        for (String statement : statements.subList(0, statements.size() - 1)) {
            client.execute(statement.replace("albis.", catalog + "."));
        }
        return client.query(getLast(statements).replace("albis.", catalog + "."));
    }
}
