package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.List;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.createSymbolicLink;
import static java.nio.file.Files.newDirectoryStream;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the zip of -Pfull in a server. Neither Azure nor Google Cloud Storage is available in tests. A catalog that
 * starts shows that the zip contains their code.
 */
@Tag("server")
@Tag("slow")
final class TestFullZip
{
    @TempDir
    Path home;

    @Test
    void testAzureAndGoogleCloudStorage()
            throws Exception
    {
        Path repository = Installation.current().repository();
        List<Path> found;
        try (DirectoryStream<Path> zips = newDirectoryStream(repository.resolve("target"), "albis-full-*.zip")) {
            found = ImmutableList.copyOf(zips);
        }
        assertThat(found).as("built with -Pfull").hasSize(1);
        // Uses this zip instead of the one that the build creates without a profile
        Path other = home.resolve("repository");
        createSymbolicLink(createDirectories(other.resolve("target")).resolve("albis-trino-full.zip"), found.getFirst());
        createSymbolicLink(other.resolve("etc"), repository.resolve("etc"));
        Installation installation = TestingNode.install(other, home);

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
}
