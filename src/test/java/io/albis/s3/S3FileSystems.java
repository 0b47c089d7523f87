package io.albis.s3;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Injector;
import io.airlift.bootstrap.Bootstrap;
import io.airlift.bootstrap.LifeCycleManager;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.manager.FileSystemModule;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.plugin.base.jmx.ConnectorObjectNameGeneratorModule;
import io.trino.plugin.base.jmx.MBeanServerModule;
import io.trino.spi.connector.ConnectorContext;
import io.trino.testing.TestingConnectorContext;
import org.weakref.jmx.guice.MBeanModule;

import java.util.Map;
import java.util.UUID;

import static io.trino.spi.security.ConnectorIdentity.ofUser;

/**
 * Creates Trino's S3 file system in the same way as a catalog does.
 */
public final class S3FileSystems
        implements AutoCloseable
{
    private final Injector injector;

    /**
     * @param properties the properties of a catalog
     */
    S3FileSystems(Map<String, String> properties)
    {
        String name = "test_" + UUID.randomUUID().toString().replace('-', '_');
        ConnectorContext context = new TestingConnectorContext();
        this.injector = new Bootstrap(
                "io.trino.bootstrap.catalog." + name,
                new MBeanModule(),
                new ConnectorObjectNameGeneratorModule("io.albis.s3", "albis.s3"),
                new MBeanServerModule(),
                new FileSystemModule(name, context, false),
                new ConnectorContextModule(name, context))
                .doNotInitializeLogging()
                .disableSystemProperties()
                .quiet()
                .setRequiredConfigurationProperties(ImmutableMap.copyOf(properties))
                .initialize();
    }

    public TrinoFileSystem create()
    {
        return injector.getInstance(TrinoFileSystemFactory.class).create(ofUser("test"));
    }

    @Override
    public void close()
    {
        injector.getInstance(LifeCycleManager.class).stop();
    }
}
