package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the zips of -Pfull and -Pno-hdfs in a server. Neither Azure nor Google Cloud Storage is available in tests. A
 * catalog that starts shows that the zip contains their code.
 */
@Tag("server")
@Tag("slow")
final class TestOtherZips
{
    @TempDir
    Path home;

    @Test
    void testAzureAndGoogleCloudStorage()
            throws Exception
    {
        assertThat(PluginZip.FULL.files()).containsExactlyInAnyOrderElementsOf(PluginZip.FULL.listedFiles());
        Installation installation = install(PluginZip.FULL);
        try (TestingNode server = TestingNode.launchWithoutCatalogs(installation, "server").awaitReady()) {
            TestingClient client = server.client();
            client.createCatalog("azure", ImmutableMap.of(
                    "connector.name", "albis",
                    "albis.warehouse", "abfss://container@account.dfs.core.windows.net/warehouse",
                    "fs.azure.enabled", "true",
                    "azure.auth-type", "ACCESS_KEY",
                    "azure.access-key", "bm9uZQ=="));
            client.createCatalog("google", ImmutableMap.of(
                    "connector.name", "albis",
                    "albis.warehouse", "gs://bucket/warehouse",
                    "fs.gcs.enabled", "true",
                    "gcs.auth-type", "ACCESS_TOKEN"));
            assertThat(client.query("SHOW CATALOGS")).containsExactly("azure", "google", "system");
        }
    }

    @Test
    void testWithoutHdfs()
            throws Exception
    {
        assertThat(PluginZip.NO_HDFS.files()).containsExactlyInAnyOrderElementsOf(PluginZip.NO_HDFS.listedFiles());
        Installation installation = install(PluginZip.NO_HDFS);

        try (TestingNode server = TestingNode.launchWithoutCatalogs(installation, "server").awaitReady()) {
            TestingClient client = server.client();
            client.createCatalog("local", TestingNode.localCatalog(home));
            client.execute("CREATE SCHEMA local.test");
            client.execute("CREATE TABLE local.test.numbers AS SELECT 1 AS n");
            assertThat(client.query("SELECT n FROM local.test.numbers")).containsExactly("1");
            assertThatThrownBy(() -> client.createCatalog("distributed", ImmutableMap.of(
                    "connector.name", "albis",
                    "albis.warehouse", "hdfs://namenode:8020/warehouse",
                    "fs.hadoop.enabled", "true")))
                    .hasMessageContaining("fs.hadoop.enabled=true needs HDFS, which the plugin's zip albis-no-hdfs does not include. Install the zip albis-trino instead");
        }
    }

    /**
     * Installs this zip instead of the one that the build creates without a profile.
     */
    private Installation install(PluginZip zip)
            throws IOException
    {
        Path repository = home.resolve("repository");
        createSymbolicLink(createDirectories(repository.resolve("target")).resolve("albis-trino-other.zip"), zip.file());
        createSymbolicLink(repository.resolve("etc"), Installation.current().repository().resolve("etc"));
        return TestingNode.install(repository, home);
    }
}
