package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the unpacked zip in the plugin directory of a server with each of the file systems.
 */
@Tag("server")
@TestInstance(PER_CLASS)
final class TestPluginInServer
{
    private Path home;
    private TestingHdfs hdfs;
    private TestingS3 s3;
    private TestingNode server;
    private TestingClient client;

    @BeforeAll
    void start(@TempDir Path home)
            throws Exception
    {
        this.home = home;
        Installation installation = TestingNode.install(Installation.current().repository(), home);
        // The processes start in parallel, because starting them takes a while
        server = TestingNode.launchWithoutCatalogs(installation, "server");
        hdfs = TestingHdfs.start(home.resolve("hdfs"));
        s3 = TestingS3.start(home.resolve("s3"));
        client = server.awaitReady().client();
        client.execute("CREATE CATALOG tpch USING tpch");
    }

    @AfterAll
    void stop()
            throws InterruptedException
    {
        if (server != null) {
            server.close();
        }
        if (hdfs != null) {
            hdfs.close();
        }
        if (s3 != null) {
            s3.close();
        }
    }

    @Test
    void testHdfs()
            throws SQLException
    {
        client.createCatalog("distributed", hdfs.catalog());
        assertTablesWork("distributed");
    }

    @Test
    void testS3()
            throws SQLException
    {
        client.createCatalog("objects", s3.catalog());
        assertTablesWork("objects");
    }

    @Test
    void testLocal()
            throws Exception
    {
        client.createCatalog("local", TestingNode.localCatalog(home));
        assertTablesWork("local");
    }

    @Test
    void testAzure()
    {
        assertRefused(
                ImmutableMap.of("fs.azure.enabled", "true", "azure.auth-type", "ACCESS_KEY", "azure.access-key", "none"),
                "fs.azure.enabled=true needs Azure Storage, which the plugin's zip albis-trino does not include. It includes the local file system, HDFS, and S3. Install the zip albis-full instead");
    }

    @Test
    void testGoogleCloudStorage()
    {
        assertRefused(
                ImmutableMap.of("fs.gcs.enabled", "true", "gcs.project-id", "none"),
                "fs.gcs.enabled=true needs Google Cloud Storage, which the plugin's zip albis-trino does not include");
    }

    @Test
    void testCache()
    {
        assertRefused(
                ImmutableMap.of("fs.cache.enabled", "true", "fs.cache.directories", "/tmp", "fs.cache.max-sizes", "1MB"),
                "fs.cache.enabled=true is not supported by Albis");
    }

    private void assertTablesWork(String catalog)
            throws SQLException
    {
        client.execute("CREATE SCHEMA %s.test".formatted(catalog));
        client.execute("CREATE TABLE %s.test.orders AS SELECT * FROM tpch.tiny.orders".formatted(catalog));
        assertThat(client.query("SELECT count(*) FROM (SELECT * FROM %s.test.orders EXCEPT ALL SELECT * FROM tpch.tiny.orders)".formatted(catalog))).containsExactly("0");
        assertThat(client.query("SELECT count(*) FROM %s.test.orders".formatted(catalog))).containsExactly("15000");
        client.execute("INSERT INTO %1$s.test.orders SELECT * FROM tpch.tiny.orders WHERE orderkey = 7".formatted(catalog));
        assertThat(client.query("SELECT custkey FROM %s.test.orders WHERE orderkey = 7".formatted(catalog))).hasSize(2);
        client.execute("DROP TABLE %s.test.orders".formatted(catalog));
        assertThat(client.query("SHOW TABLES FROM %s.test".formatted(catalog))).isEmpty();
    }

    private void assertRefused(Map<String, String> properties, String message)
    {
        assertThatThrownBy(() -> client.createCatalog("refused", with(properties)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("not used");
        assertThatThrownBy(() -> client.query("SHOW SCHEMAS FROM refused")).hasMessageContaining("Catalog 'refused' not found");
    }

    private Map<String, String> with(Map<String, String> properties)
            throws Exception
    {
        return ImmutableMap.<String, String>builder()
                .putAll(TestingNode.localCatalog(home))
                .putAll(properties)
                .buildOrThrow();
    }
}
