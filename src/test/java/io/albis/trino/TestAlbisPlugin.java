package io.albis.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.bootstrap.ApplicationConfigurationException;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.testing.TestingConnectorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.management.ObjectName;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import static com.google.common.collect.Iterables.getOnlyElement;
import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

final class TestAlbisPlugin
{
    @TempDir
    private Path folder;

    @Test
    void testCreateConnector()
    {
        ConnectorFactory factory = getOnlyElement(new AlbisPlugin().getConnectorFactories());
        assertThat(factory.getName()).isEqualTo("albis");

        Connector connector = create(properties());
        connector.shutdown();
    }

    @Test
    void testMetadataCacheIsManaged()
            throws Exception
    {
        Connector connector = create(properties());
        ObjectName name = new ObjectName("albis.trino:type=MetadataCache,name=test");
        assertThat(getPlatformMBeanServer().getAttribute(name, "Stats.RequestCount")).isEqualTo(0L);
        connector.shutdown();
    }

    @Test
    void testRemoteWarehouse()
    {
        create(ImmutableMap.of(
                "albis.warehouse", "s3://bucket/albis",
                "fs.s3.enabled", "true",
                "s3.region", "us-east-1",
                "bootstrap.quiet", "true"))
                .shutdown();
    }

    @Test
    void testMissingWarehouse()
    {
        assertBadProperties(
                ImmutableMap.of("fs.local.enabled", "true"),
                "albis.warehouse: must be set to the folder of the tables, for example albis.warehouse=local:///albis");
    }

    @Test
    void testBadWarehouse()
    {
        assertBadProperties(
                with("albis.warehouse", "/albis"),
                "albis.warehouse is not a location: it needs a scheme and a path, as in local:///albis");
    }

    @Test
    void testUnknownProperty()
    {
        assertBadProperties(
                with("albis.warehose", "local:///albis"),
                "Configuration property 'albis.warehose' was not used");
    }

    @Test
    void testBadSizes()
    {
        assertBadProperties(with("albis.segment-size", "1B"), "must be greater than or equal to 1kB");
        assertBadProperties(with("albis.segment-size", "1GB"), "must be less than or equal to 256MB");
        assertBadProperties(with("albis.row-group-size", "much"), "Invalid value 'much' for type DataSize (property 'albis.row-group-size')");
        assertBadProperties(with("albis.row-group-rows", "0"), "must be greater than or equal to 1");
    }

    @Test
    void testFileSystemOfWarehouseNotEnabled()
    {
        assertBadProperties(ImmutableMap.of("albis.warehouse", "local:///albis"), "The warehouse is local:///albis (property albis.warehouse), but no file system for local:// is enabled. Add fs.local.enabled=true to the catalog properties");
        assertBadProperties(with("albis.warehouse", "s3://bucket/albis"), "Add fs.s3.enabled=true");
        assertBadProperties(with("albis.warehouse", "abfss://container@account/albis"), "Add fs.azure.enabled=true");
        assertBadProperties(with("albis.warehouse", "gs://bucket/albis"), "Add fs.gcs.enabled=true");
        assertBadProperties(with("albis.warehouse", "hdfs://namenode/albis"), "Add fs.hadoop.enabled=true");
        assertBadProperties(with("albis.warehouse", "viewfs://cluster/albis"), "Albis cannot commit to viewfs://. Use a local, hdfs, s3, gs, or abfs location");
    }

    @Test
    void testFileSystemNotInZip()
    {
        assumeTrue(getClass().getClassLoader().getResource("io/trino/filesystem/azure/AzureFileSystemModule.class") == null, "with -Pfull it is");
        assertBadProperties(with("fs.azure.enabled", "true"), "fs.azure.enabled=true needs Azure Storage, which the plugin's zip albis-trino does not include");
        assertBadProperties(with("fs.gcs.enabled", "true"), "fs.gcs.enabled=true needs Google Cloud Storage, which the plugin's zip albis-trino does not include");
    }

    @Test
    void testFileSystemCache()
    {
        assertBadProperties(with("fs.cache.enabled", "true"), "fs.cache.enabled=true is not supported by Albis");
    }

    private Map<String, String> properties()
    {
        return ImmutableMap.<String, String>builder()
                .putAll(AlbisQueryRunner.catalogProperties(folder))
                .put("bootstrap.quiet", "true")
                .buildOrThrow();
    }

    private Map<String, String> with(String name, String value)
    {
        Map<String, String> properties = new HashMap<>(properties());
        properties.put(name, value);
        return properties;
    }

    private static Connector create(Map<String, String> properties)
    {
        return new AlbisConnectorFactory().create("test", properties, new TestingConnectorContext());
    }

    private static void assertBadProperties(Map<String, String> properties, String message)
    {
        assertThatThrownBy(() -> create(properties))
                .isInstanceOf(ApplicationConfigurationException.class)
                .hasMessageContaining(message);
    }
}
