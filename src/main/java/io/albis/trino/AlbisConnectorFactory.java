package io.albis.trino;

import com.google.inject.Injector;
import com.google.inject.Module;
import io.airlift.bootstrap.Bootstrap;
import io.airlift.json.JsonModule;
import io.airlift.log.Logger;
import io.albis.trino.handle.PluginBuild;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.security.AlbisSecurityModule;
import io.albis.trino.storage.BundledFileSystemModule;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.plugin.base.jmx.ConnectorObjectNameGeneratorModule;
import io.trino.plugin.base.jmx.MBeanServerModule;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import org.weakref.jmx.guice.MBeanModule;

import java.util.Map;

import static io.trino.plugin.base.Versions.checkStrictSpiVersionMatch;

/**
 * Creates the connector of a catalog with {@code connector.name=albis} from the properties of the catalog.
 */
public class AlbisConnectorFactory
        implements ConnectorFactory
{
    private static final Logger log = Logger.get(AlbisConnectorFactory.class);

    public static final String CONNECTOR_NAME = "albis";

    private final QueryReads queryReads = new QueryReads();

    @Override
    public String getName()
    {
        return CONNECTOR_NAME;
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
    {
        checkStrictSpiVersionMatch(context, this);
        return create(catalogName, config, context, new BundledFileSystemModule(catalogName, context), queryReads);
    }

    /**
     * @param fileSystemModule binds the factory of Trino file systems
     * @param queryReads the reads of all catalogs of the server
     */
    static Connector create(String catalogName, Map<String, String> config, ConnectorContext context, Module fileSystemModule, QueryReads queryReads)
    {
        log.info("Catalog %s has the Albis plugin of build %s", catalogName, PluginBuild.CURRENT);

        ClassLoader classLoader = AlbisConnectorFactory.class.getClassLoader();
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(classLoader)) {
            Bootstrap app = new Bootstrap(
                    "io.trino.bootstrap.catalog." + catalogName,
                    new MBeanModule(),
                    new ConnectorObjectNameGeneratorModule("io.albis.trino", "albis.trino"),
                    new JsonModule(),
                    new AlbisModule(),
                    new AlbisSecurityModule(),
                    new MBeanServerModule(),
                    fileSystemModule,
                    new ConnectorContextModule(catalogName, context),
                    binder -> {
                        binder.bind(ClassLoader.class).toInstance(classLoader);
                        binder.bind(QueryReads.class).toInstance(queryReads);
                    });

            Injector injector = app
                    .doNotInitializeLogging()
                    .disableSystemProperties()
                    .setRequiredConfigurationProperties(config)
                    .initialize();

            AlbisConnector connector = injector.getInstance(AlbisConnector.class);
            if (context.getCurrentNode().isCoordinator()) {
                checkStorage(injector.getInstance(StorageCheck.class), connector);
            }
            return connector;
        }
    }

    private static void checkStorage(StorageCheck check, AlbisConnector connector)
    {
        try {
            check.run();
        }
        catch (RuntimeException | Error e) {
            connector.shutdown();
            throw e;
        }
    }
}
