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
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows the documentation as a new operator: from the zip of one build to a server with a catalog on each kind of
 * storage, a backup, an upgrade to another build, and a restore of the backup, beside the warehouse and in its place.
 */
@Tag("server")
@Tag("slow")
@RequiredCommand(value = "command -v unzip && command -v rsync", reason = "there is no unzip or no rsync on the PATH")
@Timeout(900)
final class TestDocumentedInstallation
{
    private static final String OPERATIONS = "docs/operations.md";

    private final Yaml values = Yaml.parse(DocumentedBlocks.text("docs/installation.md", "values: helm", "yaml"));

    @TempDir
    Path home;

    TestDocumentedInstallation()
            throws IOException
    {}

    @Test
    void testInstallBackUpUpgradeRestore()
            throws Exception
    {
        Path zip = PluginZip.DEFAULT.writeOtherBuild(createDirectories(home.resolve("other")));
        Installation installation = DocumentedOperations.install(home, zip);

        Path disk = createDirectories(home.resolve("disk"));
        Path warehouse = disk.resolve("warehouse");
        Path backup = home.resolve("backup/warehouse");
        String build;
        try (TestingHdfs hdfs = TestingHdfs.start(home.resolve("hdfs"));
                TestingS3 s3 = TestingS3.start(home.resolve("s3"))) {
            createFolders(hdfs);
            try (TestingNode server = launch(installation, "first", ImmutableMap.of(
                    "albis", local(OPERATIONS, "properties: local", disk),
                    "image", local("docs/installation.md", "properties: image", createDirectories(home.resolve("volume"))),
                    "distributed", distributed(hdfs, "operations", DocumentedBlocks.properties(OPERATIONS, "properties: hdfs")),
                    "page_of_hdfs", distributed(hdfs, "page", DocumentedBlocks.properties("docs/hdfs.md", "properties: catalog")),
                    "objects", objects(s3, "operations", DocumentedBlocks.properties(OPERATIONS, "properties: s3")),
                    "sizing", ImmutableMap.<String, String>builder()
                            .putAll(DocumentedBlocks.properties("docs/sizing.md", "properties: s3proxy"))
                            .put("s3.endpoint", s3.catalog().get("s3.endpoint"))
                            .put("albis.warehouse", "s3://bucket/sizing")
                            .buildKeepingLast(),
                    "page_of_s3", objects(s3, "page", DocumentedBlocks.properties("docs/s3.md", "properties: catalog")),
                    "kubernetes", objects(s3, "kubernetes", new PropertiesText(values.child("catalogs").text("albis")).properties())))
                    .awaitReady()) {
                build = server.build("albis");
                List<String> statements = DocumentedBlocks.statements(OPERATIONS, "statements: check");
                for (String catalog : new String[] {"albis", "image", "distributed", "page_of_hdfs", "objects", "sizing", "page_of_s3", "kubernetes"}) {
                    assertThat(run(server.client(), statements, catalog)).as(catalog).containsExactly("6");
                }
                DocumentedOperations.backUp(warehouse, backup);
                server.client().execute("INSERT INTO albis.try.numbers VALUES 4");
            }
        }

        DocumentedOperations.upgrade(installation, PluginZip.DEFAULT.file());
        try (TestingNode server = launch(installation, "second", ImmutableMap.of(
                "albis", local(OPERATIONS, "properties: local", disk),
                "restored", local(OPERATIONS, "properties: local", backup.getParent())))
                .awaitReady()) {
            assertThat(server.build("albis")).isNotEqualTo(build);
            assertThat(run(server.client(), DocumentedOperations.restored(), "restored")).hasSize(1);
            assertThat(server.client().query("SELECT sum(n) FROM restored.try.numbers")).containsExactly("6");
            assertThat(server.client().query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("10");
        }

        DocumentedOperations.restore(warehouse, backup);
        try (TestingNode server = launch(installation, "third", ImmutableMap.of("albis", local(OPERATIONS, "properties: local", disk)))
                .awaitReady()) {
            assertThat(run(server.client(), DocumentedOperations.restored(), "albis")).hasSize(1);
            assertThat(server.client().query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("6");
            server.client().execute("INSERT INTO albis.try.numbers VALUES 5");
            assertThat(server.client().query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("11");
        }
    }

    @Test
    void testSnapshotOfHdfs()
            throws Exception
    {
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        try (TestingHdfs hdfs = TestingHdfs.start(home.resolve("hdfs"));
                TestingNode server = TestingNode.launchWithoutCatalogs(installation, "server").awaitReady()) {
            TestingClient client = server.client();
            client.createCatalog("albis", hdfs.catalog());
            assertThat(run(client, DocumentedBlocks.statements(OPERATIONS, "statements: check"), "albis")).containsExactly("6");
            DocumentedBlocks.commands(OPERATIONS, "commands: allow snapshots").with("PATH", pathOf(hdfs)).run().checkSucceeded();
            DocumentedBlocks.commands(OPERATIONS, "commands: snapshot").with("PATH", pathOf(hdfs)).run().checkSucceeded();
            client.execute("INSERT INTO albis.try.numbers VALUES 4");
            // The next backup, with another name, leaves the first one as it is
            DocumentedBlocks.commands(OPERATIONS, "commands: snapshot", "monday", "tuesday").with("PATH", pathOf(hdfs)).run().checkSucceeded();
            client.createCatalog("tuesday", catalog(hdfs, "/backup/tuesday"));
            assertThat(client.query("SELECT sum(n) FROM tuesday.try.numbers")).containsExactly("10");

            client.createCatalog("restored", catalog(hdfs, "/backup/monday"));
            assertThat(run(client, DocumentedOperations.restored(), "restored")).hasSize(1);
            assertThat(client.query("SELECT sum(n) FROM restored.try.numbers")).containsExactly("6");
            assertThat(client.query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("10");

            // Another catalog has empty caches, as after a restart
            client.execute("DROP CATALOG albis");
            DocumentedBlocks.commands(OPERATIONS, "commands: restore on HDFS").with("PATH", pathOf(hdfs)).run().checkSucceeded();
            client.createCatalog("albis", hdfs.catalog());
            assertThat(run(client, DocumentedOperations.restored(), "albis")).hasSize(1);
            assertThat(client.query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("6");
            client.execute("INSERT INTO albis.try.numbers VALUES 5");
            assertThat(client.query("SELECT sum(n) FROM albis.try.numbers")).containsExactly("11");
        }
    }

    private static Map<String, String> catalog(TestingHdfs hdfs, String warehouse)
    {
        return ImmutableMap.<String, String>builder()
                .putAll(hdfs.catalog())
                .put("albis.warehouse", hdfs.address() + warehouse)
                .buildKeepingLast();
    }

    /**
     * Tests that all pages name the same folder, so that what is protected and backed up is the warehouse.
     */
    @Test
    void testFolderOnHdfs()
            throws IOException
    {
        Map<String, String> properties = DocumentedBlocks.properties(OPERATIONS, "properties: hdfs");
        assertThat(properties).isEqualTo(DocumentedBlocks.properties("docs/hdfs.md", "properties: catalog"));
        assertThat(properties.get("albis.warehouse")).endsWith("/warehouse");
        assertThat(DocumentedBlocks.text("docs/security.md", "commands: hdfs", "bash")).contains("-mkdir /warehouse\n");
        assertThat(DocumentedBlocks.text(OPERATIONS, "commands: allow snapshots", "bash")).contains("-allowSnapshot /warehouse\n");
        assertThat(DocumentedBlocks.text(OPERATIONS, "commands: snapshot", "bash")).contains("-createSnapshot /warehouse ");
        assertThat(DocumentedBlocks.text(OPERATIONS, "commands: restore on HDFS", "bash")).contains(" /warehouse\n");
    }

    /**
     * Returns a PATH with the command of HDFS.
     */
    private String pathOf(TestingHdfs hdfs)
            throws IOException
    {
        hdfs.writeCommand(home.resolve("bin"));
        return home.resolve("bin") + ":" + System.getenv("PATH");
    }

    /**
     * Creates the folder of the warehouse on HDFS in each of the documented ways. The last one stays.
     */
    private void createFolders(TestingHdfs hdfs)
            throws IOException, InterruptedException
    {
        String path = pathOf(hdfs);
        for (String marker : new String[] {"commands: folder of a user", "commands: folder of a group", "commands: access control list"}) {
            DocumentedBlocks.commands("docs/hdfs.md", marker).with("PATH", path).run().checkSucceeded();
            TestingCommand.of("bash", "-c", "hdfs dfs -getfacl /warehouse && hdfs dfs -rm -r /warehouse").with("PATH", path).run().checkSucceeded();
        }
        DocumentedBlocks.commands("docs/security.md", "commands: hdfs").with("PATH", path).run().checkSucceeded();
    }

    private TestingNode launch(Installation installation, String name, Map<String, Map<String, String>> catalogs)
            throws IOException
    {
        return TestingNode.launch(
                installation,
                name,
                TestingNode.freeAddress(),
                ImmutableMap.<String, String>builder()
                        .put("coordinator", "true")
                        .put("node-scheduler.include-coordinator", "true")
                        .putAll(new PropertiesText(String.join("\n", values.texts("additionalConfigProperties"))).properties())
                        .buildOrThrow(),
                catalogs,
                environment());
    }

    /**
     * Returns the keys of the secret in the values for the Helm chart, and of the documented file.
     */
    private static Map<String, String> environment()
            throws IOException
    {
        Map<String, String> environment = ImmutableMap.of("AWS_ACCESS_KEY_ID", "key", "AWS_SECRET_ACCESS_KEY", "secret", "TRINO_SHARED_SECRET", "c2VjcmV0");
        assertThat(DocumentedBlocks.properties("docs/security.md", "settings: environment")).containsOnlyKeys("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
        return environment;
    }

    private static Map<String, String> local(String page, String marker, Path location)
            throws IOException
    {
        return ImmutableMap.<String, String>builder()
                .putAll(DocumentedBlocks.properties(page, marker))
                .put("local.location", location.toString())
                .buildKeepingLast();
    }

    private Map<String, String> distributed(TestingHdfs hdfs, String folder, Map<String, String> properties)
            throws IOException
    {
        Path configuration = createDirectories(home.resolve("hadoop"));
        Path core = writeString(configuration.resolve("core-site.xml"), "<configuration/>");
        Path site = writeString(configuration.resolve("hdfs-site.xml"), "<configuration><property><name>dfs.replication</name><value>1</value></property></configuration>");
        return ImmutableMap.<String, String>builder()
                .putAll(properties)
                .put("albis.warehouse", "%s/warehouse/%s".formatted(hdfs.address(), folder))
                .put("hive.config.resources", core + "," + site)
                .buildKeepingLast();
    }

    private static Map<String, String> objects(TestingS3 s3, String folder, Map<String, String> properties)
            throws IOException
    {
        return ImmutableMap.<String, String>builder()
                .putAll(s3.catalog())
                .putAll(properties)
                .put("albis.warehouse", "s3://bucket/" + folder)
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
